"""Game records: text that replays exactly, or is refused with its line and the reason."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingsbridge.pyengine import (
    CHANCE,
    ENGINE_VERSION,
    Dealer,
    GameRecord,
    IllegalActionError,
    OptionError,
    RecordError,
    Rng,
    UnknownGameError,
    action_text,
    describe,
    game_names,
)
from tests.conformance.walks import Table, Walk, at_every_table, law, walks

GAME = game_names()[0]


def recorded(walk: Walk) -> GameRecord:
    record = GameRecord(walk.table.game, walk.table.players, dict(walk.options))
    for _, action in walk.events():
        record.append(action)
    return record


def a_game(game: str = GAME, players: int = 2, seed: int = 1, events: int = 10_000) -> GameRecord:
    record, dealer, rng = GameRecord(game, players), Dealer(seed), Rng(seed)
    for _ in range(events):
        state = record.state()
        if state.is_terminal:
            break
        record.append(dealer.outcome(state) if state.is_chance else state.sample_action(rng))
    return record


FINISHED = a_game().text()
RUNNING = a_game(events=40).text()


def line_of(text: str, start: str) -> int:
    """Number of the first line that starts like this."""
    return next(number for number, line in enumerate(text.split("\n"), start=1) if line.startswith(start))


def swapped(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


@at_every_table
@law
@given(data=st.data())
def test_a_record_reads_back_as_what_it_was_and_replays(table: Table, data: st.DataObject) -> None:
    walk = data.draw(walks(table))
    record = recorded(walk)
    again = GameRecord.parse(record.text())
    assert again == record
    assert again.text() == record.text()
    assert again.state() == record.state() == walk.end()
    assert list(again.states()) == list(walk.states())
    assert again.actions == tuple(action for _, action in walk.events())


@at_every_table
def test_a_finished_record_carries_its_scores(table: Table) -> None:
    record = a_game(table.game, table.players)
    assert record.state().is_terminal
    assert record.result == record.state().scores()
    assert record.text().rstrip().split("\n")[-1] == "result " + " ".join(map(str, record.state().scores()))
    assert GameRecord.parse(record.text()).result == record.result


@at_every_table
def test_the_text_says_what_a_person_wants_to_know(table: Table) -> None:
    record = a_game(table.game, table.players, events=40)
    lines = record.text().split("\n")
    options = "".join(f" {option.name}={option.default}" for option in table.info.options)
    assert lines[:7] == [
        "kingsbridge-record 1",
        f"game {table.game}",
        f"engine {ENGINE_VERSION}",
        f"rules {table.info.rules_hash}",
        f"players {table.players}",
        f"options{options}",
        "",
    ]
    for line, state, action in zip(lines[7:], record.states(), record.actions, strict=False):
        seat = "" if state.is_chance else f"{state.current_player}: "
        assert line == seat + action_text(table.game, action)


@law
@given(data=st.data())
def test_blanks_comments_and_line_ends_are_free(data: st.DataObject) -> None:
    before = data.draw(st.lists(st.sampled_from(["", " ", "\t"]), min_size=1, max_size=3))
    after = data.draw(st.lists(st.sampled_from(["", "  ", "  # why: 建築 é", "#"]), min_size=1, max_size=4))
    comma = data.draw(st.sampled_from([",", " ,  ", ", "]))
    edited = [
        before[n % len(before)] + line.replace("(", " ( ").replace(", ", comma) + after[n % len(after)]
        for n, line in enumerate(FINISHED.split("\n"))
    ]
    for _ in range(data.draw(st.integers(0, 10))):
        place = data.draw(st.integers(0, len(edited)))
        edited.insert(place, data.draw(st.sampled_from(["", "   # nothing", "\t"])))
    text = data.draw(st.sampled_from(["\n", "\r\n"])).join(edited)
    assert GameRecord.parse(text) == GameRecord.parse(FINISHED)
    assert GameRecord.parse("\ufeff" + text).text() == FINISHED


def test_seats_result_and_options_may_be_left_out() -> None:
    lines = [line.partition(": ")[2] or line for line in FINISHED.split("\n")]
    bare = "\n".join(line for line in lines if not line.startswith("result"))
    options = line_of(bare, "options")
    bare = "\n".join("options" if n == options else line for n, line in enumerate(bare.split("\n"), start=1))
    assert GameRecord.parse(bare) == GameRecord.parse(FINISHED)


def test_a_record_of_nothing_yet_is_a_record() -> None:
    record = GameRecord(GAME, 2)
    assert GameRecord.parse(record.text()) == record
    assert (record.actions, record.result, record.seat_to_move) == ((), None, CHANCE)


def test_a_record_written_by_another_version_with_the_same_rules_is_read() -> None:
    record = GameRecord.parse(swapped(RUNNING, f"engine {ENGINE_VERSION}", "engine 99.1rc2"))
    assert record.engine_version == "99.1rc2"
    assert "engine 99.1rc2\n" in record.text()


def events_of(text: str) -> list[str]:
    return text.split("\n\n", 1)[1].rstrip().split("\n")


def with_line(text: str, number: int, line: str) -> str:
    lines = text.split("\n")
    lines[number - 1] = line
    return "\n".join(lines)


first_decision = line_of(FINISHED, "0: ") if "\n0: " in FINISHED else 0
last = len(FINISHED.rstrip().split("\n"))

REFUSED: dict[str, tuple[str, int | None, str]] = {
    "an empty text": ("", 1, "kingsbridge-record 1"),
    "another file": ("hello\nworld\n", 1, "kingsbridge-record 1"),
    "a newer format": (swapped(RUNNING, "record 1", "record 2"), 1, "kingsbridge-record 1"),
    "an unknown game": (swapped(RUNNING, f"game {GAME}", "game chess"), 2, "chess"),
    "a game of no name": (swapped(RUNNING, f"game {GAME}", "game"), 2, "the name of a game"),
    "a bad version": (swapped(RUNNING, f"engine {ENGINE_VERSION}", "engine one two"), 3, "version"),
    "other rules": (
        swapped(RUNNING, describe(GAME).rules_hash, "0" * 16),
        4,
        "other rules or card tables",
    ),
    "a short hash": (swapped(RUNNING, describe(GAME).rules_hash, "0123"), 4, "16 hexadecimal digits"),
    "too many players": (swapped(RUNNING, "players 2", "players 9"), 5, "players"),
    "no number of players": (swapped(RUNNING, "players 2", "players two"), 5, "number of seats"),
    "an unknown option": (swapped(RUNNING, "options ", "options speed=3 "), 6, "speed"),
    "an option twice": (swapped(RUNNING, "options ", "options a=1 a=1 "), 6, "twice"),
    "an option without a value": (swapped(RUNNING, "options ", "options a "), 6, "NAME=VALUE"),
    "an option that is no number": (swapped(RUNNING, "options ", "options a=b "), 6, "NAME=VALUE"),
    "an option of many digits": (swapped(RUNNING, "options ", f"options a={'9' * 30} "), 6, "NAME=VALUE"),
    "a head in another order": (swapped(RUNNING, "players 2\n", ""), 5, "'players'"),
    "a head that ends": ("kingsbridge-record 1\ngame " + GAME, 3, "ends here"),
    "an action that does not exist": (with_line(RUNNING, 8, "dance()"), 8, "dance"),
    "an event that is not legal": (with_line(RUNNING, 9, events_of(RUNNING)[0]), 9, "no outcome"),
    "an event twice": (with_line(RUNNING, 9, RUNNING.split("\n")[7]), 9, ""),
    "half a line": (RUNNING.rstrip()[:-3], RUNNING.count("\n"), ""),
    "a seat before a chance event": (with_line(RUNNING, 8, "0: " + events_of(RUNNING)[0]), 8, "chance"),
    "a line that is too long": (with_line(RUNNING, 8, "x" * 5000), 8, "too long"),
    "letters that look like others": (
        with_line(RUNNING, 8, events_of(RUNNING)[0].replace("s", "ѕ")),
        8,
        "ASCII",
    ),
    "a control character": (with_line(RUNNING, 8, "\x1b[2J" + events_of(RUNNING)[0]), 8, "printable"),
    "half a surrogate pair": (with_line(RUNNING, 8, "\ud800"), 8, "ASCII"),
    "a result that is wrong": (with_line(FINISHED, last, "result 99 98"), last, "final scores"),
    "a result of too few seats": (with_line(FINISHED, last, "result 21"), last, "final scores"),
    "a result that is no number": (with_line(FINISHED, last, "result won lost"), last, "one score a seat"),
    "a result of a running game": (RUNNING.rstrip() + "\nresult 0 0\n", RUNNING.count("\n") + 1, "running"),
    "an event after the end": (
        with_line(FINISHED, last, events_of(FINISHED)[-2]),
        last,
        "",
    ),
    "more after the result": (FINISHED + "result 1 2\n", last + 1, "nothing may follow"),
    "a text too long": (RUNNING + "#" * (1 << 20), None, "too long"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_record_is_refused_with_its_line_and_the_reason(name: str) -> None:
    text, line, reason = REFUSED[name]
    with pytest.raises(RecordError) as refusal:
        GameRecord.parse(text)
    assert refusal.value.line == line
    assert reason in refusal.value.reason
    assert str(refusal.value) == (f"line {line}: " if line else "") + refusal.value.reason
    assert len(str(refusal.value)) < 600


@pytest.mark.parametrize("game", game_names())
def test_a_decision_of_the_wrong_seat_is_refused(game: str) -> None:
    record = a_game(game)
    lines = record.text().split("\n")
    number = next(n for n, line in enumerate(lines) if ": " in line and line[0].isdigit())
    seat, _, action = lines[number].partition(": ")
    lines[number] = f"{1 - int(seat)}: {action}"
    with pytest.raises(RecordError, match=f"seat {seat} is to move, not seat {1 - int(seat)}") as refusal:
        GameRecord.parse("\n".join(lines))
    assert refusal.value.line == number + 1


Edit = Callable[[str, st.DataObject], str]


def _cut(text: str, data: st.DataObject) -> str:
    return text[: data.draw(st.integers(0, len(text)))]


def _line_edit(text: str, data: st.DataObject) -> str:
    lines = text.split("\n")
    here, there = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    match data.draw(st.sampled_from(["drop", "double", "swap", "copy", "junk", "join"])):
        case "drop":
            del lines[here]
        case "double":
            lines.insert(here, lines[here])
        case "swap":
            lines[here], lines[there] = lines[there], lines[here]
        case "copy":
            lines[here] = lines[there]
        case "junk":
            lines[here] = data.draw(st.text(max_size=40))
        case "join":
            lines[here : here + 2] = ["".join(lines[here : here + 2])]
    return "\n".join(lines)


def _character_edit(text: str, data: st.DataObject) -> str:
    place = data.draw(st.integers(0, len(text) - 1))
    piece = data.draw(
        st.sampled_from(["", "0", "9", "=", ")", "(", ",", ":", "#", "\n", "\x00", "é", "-", " "])
    )
    return text[:place] + piece + text[place + data.draw(st.integers(0, 3)) :]


@pytest.mark.parametrize("game", game_names())
@law
@given(data=st.data())
def test_a_damaged_record_is_refused_and_nothing_else_happens(game: str, data: st.DataObject) -> None:
    edit: Edit = data.draw(st.sampled_from([_cut, _line_edit, _character_edit]))
    text = edit(data.draw(st.sampled_from([a_game(game).text(), a_game(game, events=30).text()])), data)
    refusal = _refusal(text)
    if refusal is None:
        assert GameRecord.parse(GameRecord.parse(text).text()) == GameRecord.parse(text)
    else:
        assert refusal.line is None or 1 <= refusal.line <= text.count("\n") + 2
        assert refusal.reason


def _refusal(text: str) -> RecordError | None:
    try:
        GameRecord.parse(text)
    except RecordError as error:
        return error
    return None


@law
@given(text=st.text(max_size=300))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    with pytest.raises(RecordError):
        GameRecord.parse(text)


def test_appending_what_is_illegal_leaves_the_record() -> None:
    record = a_game(events=20)
    before = record.text()
    with pytest.raises(IllegalActionError):
        record.append(record.actions[0])
    assert record.text() == before


def test_a_record_is_made_from_its_parts_or_refused() -> None:
    game = a_game()
    again = GameRecord(GAME, 2, game.options, game.actions, rules_hash=game.rules_hash, result=game.result)
    assert again == game
    assert again != GameRecord(GAME, 2, game.options, game.actions, engine_version="other")
    with pytest.raises(RecordError, match="other rules"):
        GameRecord(GAME, 2, game.options, game.actions, rules_hash="f" * 16)
    with pytest.raises(RecordError, match="event 1"):
        GameRecord(GAME, 2, game.options, game.actions[1:])
    with pytest.raises(RecordError, match="final scores"):
        GameRecord(GAME, 2, game.options, game.actions, result=(0, 99))
    with pytest.raises(RecordError, match="running"):
        GameRecord(GAME, 2, game.options, game.actions[:20], result=game.result)
    with pytest.raises(UnknownGameError):
        GameRecord("chess")
    with pytest.raises(OptionError):
        GameRecord(GAME, 2, {"no_such_option": 1})


def test_states_and_options_given_out_are_copies() -> None:
    record = a_game(events=20)
    before, end = record.text(), record.state().copy()
    record.state().apply(end.legal_actions()[0] if record.seat_to_move >= 0 else end.chance_outcomes()[0][0])
    record.options.clear()
    for state in record.states():
        if state.is_chance:
            state.apply(state.chance_outcomes()[0][0])
    assert record.text() == before
    assert record.state() == end


def test_a_record_differs_from_one_with_other_events_and_from_everything_else() -> None:
    record, longer = a_game(events=20), a_game(events=21)
    assert record != longer
    assert record != GameRecord(GAME, 3)
    assert record != record.text()
    assert "20 events" in repr(record)
    with pytest.raises(TypeError, match="unhashable"):
        hash(record)


def test_a_saved_record_loads(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    a_game().save(path)
    assert path.read_text() == FINISHED
    assert GameRecord.load(path) == a_game()
    assert GameRecord.load(str(path)) == a_game()


def test_saving_over_a_record_replaces_it_and_leaves_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    a_game(events=20).save(path)
    a_game().save(path)
    assert GameRecord.load(path) == a_game()
    assert list(tmp_path.iterdir()) == [path]
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


def test_a_save_that_fails_leaves_the_old_file_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.record"
    a_game(events=20).save(path)
    old = path.read_text()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        a_game().save(path)
    assert path.read_text() == old
    assert list(tmp_path.iterdir()) == [path]


def test_saving_where_no_folder_is_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        a_game().save(tmp_path / "nowhere" / "game.record")


def test_bytes_that_are_no_text_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    path.write_bytes(RUNNING.encode() + b"\xff\xfe\n")
    with pytest.raises(RecordError, match="UTF-8") as refusal:
        GameRecord.load(path)
    assert refusal.value.line == RUNNING.count("\n") + 1


def test_a_file_that_is_far_too_long_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    with path.open("wb") as file:
        file.truncate(1 << 33)  # sparse
    with pytest.raises(RecordError, match="too long"):
        GameRecord.load(path)


def test_a_file_from_an_editor_with_a_byte_order_mark_loads(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    path.write_text(FINISHED, encoding="utf-8-sig", newline="\r\n")
    assert GameRecord.load(path) == a_game()
