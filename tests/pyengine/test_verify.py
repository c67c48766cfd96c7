"""The luck of a finished game, dealt again by the seed that its record tells."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

import pytest

from kingsbridge.pyengine import (
    Dealer,
    GameRecord,
    RecordError,
    Rng,
    action_text,
    game_names,
    seed_commitment,
    verify,
)

GAME = game_names()[0]
SEED = 0x00112233445566778899AABBCCDDEEFF
SEED_LINE = "seed 00112233445566778899aabbccddeeff"
TABBED = SEED_LINE.replace(" ", "\t ")


def played(game: str = GAME, seed: int = SEED, players: int = 2, cheats: Collection[int] = ()) -> GameRecord:
    """A whole game dealt by a seed, but for the events of chance of these numbers, from 1."""
    record, dealer, rng, chances = GameRecord(game, players), Dealer(seed), Rng(1), 0
    while not (state := record.state()).is_terminal:
        if not state.is_chance:
            record.append(state.sample_action(rng))
            continue
        dealt = dealer.outcome(state)
        others = [outcome for outcome, _ in state.chance_outcomes() if outcome != dealt]
        chances += bool(others)
        record.append(others[0] if others and chances in cheats else dealt)
    return record


FINISHED = played()
TEXT = FINISHED.text(seed=SEED)


def chance_lines(record: GameRecord) -> list[str]:
    """The events that no seat decided, which are those without a seat before them."""
    events = record.text().partition("\n\n")[2].strip().split("\n")[:-1]  # the last line is the result
    return [line for line in events if not line[0].isdigit()]


def test_a_commitment_is_the_hash_of_a_name_and_the_bytes_of_the_seed() -> None:
    told = b"kingsbridge-seed:" + bytes.fromhex("00112233445566778899aabbccddeeff")
    assert seed_commitment(SEED) == sha256(told).digest()
    assert seed_commitment(1) == sha256(b"kingsbridge-seed:" + bytes(15) + b"\x01").digest()


@pytest.mark.parametrize("seed", [-1, 1 << 128])
def test_a_seed_of_another_width_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="128 bits"):
        seed_commitment(seed)
    with pytest.raises(ValueError, match="128 bits"):
        verify(FINISHED, seed)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("game", game_names())
def test_all_luck_of_a_game_is_what_its_seed_deals(game: str, players: int) -> None:
    record = played(game, players=players)
    verdict = verify(GameRecord.parse(record.text(seed=SEED)), SEED)
    assert verdict.wrong is None
    assert verdict.events == len(chance_lines(record)) > 0


@pytest.mark.parametrize("game", game_names())
def test_another_seed_does_not_deal_the_game(game: str) -> None:
    record = played(game)
    wrong = verify(record, SEED ^ 1).wrong
    assert wrong is not None
    number, recorded, dealt = wrong
    assert recorded == action_text(game, record.actions[number - 1]) != dealt


@pytest.mark.parametrize("cheats", [{1}, {3}, {20}, {2, 5}])
def test_the_first_event_that_was_not_left_to_chance_is_found(cheats: Collection[int]) -> None:
    record = played(cheats=cheats)
    wrong = verify(record, SEED).wrong
    assert wrong is not None
    number, recorded, dealt = wrong
    before = GameRecord(GAME, 2, actions=record.actions[: number - 1])
    assert verify(before, SEED).wrong is None
    assert recorded == action_text(GAME, record.actions[number - 1])
    assert recorded != dealt
    legal = [action_text(GAME, outcome) for outcome, _ in before.state().chance_outcomes()]
    assert dealt in legal


def test_a_finished_game_tells_its_seed_in_its_last_line() -> None:
    assert TEXT.rstrip("\n").split("\n")[-1] == SEED_LINE
    assert TEXT.rstrip("\n").split("\n")[-2].startswith("result ")
    assert FINISHED.text(seed=1).endswith("\nseed 00000000000000000000000000000001\n")


def test_a_record_is_read_with_its_seed_and_without() -> None:
    assert GameRecord.parse(TEXT).seed == SEED
    assert GameRecord.parse(FINISHED.text()).seed is None
    assert GameRecord.parse(TEXT) == GameRecord.parse(FINISHED.text())


def test_blanks_and_comments_around_the_seed_are_free() -> None:
    spaced = TEXT.replace(SEED_LINE, f"\n  {TABBED}   # told at the end\n\n# over\n")
    assert GameRecord.parse(spaced).seed == SEED


def test_the_result_may_be_left_out_before_the_seed() -> None:
    lines = [line for line in TEXT.split("\n") if not line.startswith("result")]
    assert GameRecord.parse("\n".join(lines)).seed == SEED


def test_a_running_game_tells_no_seed() -> None:
    running = GameRecord(GAME, 2, actions=FINISHED.actions[:40])
    with pytest.raises(ValueError, match="told nobody"):
        running.text(seed=SEED)
    with pytest.raises(RecordError, match="this one is running"):
        GameRecord.parse(f"{running.text()}{SEED_LINE}\n")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("seed", "32 hexadecimal digits"),
        ("seed 0011", "32 hexadecimal digits"),
        (SEED_LINE + "0", "32 hexadecimal digits"),
        (SEED_LINE.upper().replace("SEED", "seed"), "32 hexadecimal digits"),
        (SEED_LINE.replace("00", "0x"), "32 hexadecimal digits"),
        (f"{SEED_LINE} 1", "32 hexadecimal digits"),
        (f"{SEED_LINE}\n{SEED_LINE}", "nothing may follow the seed"),
        (f"{SEED_LINE}\nresult 1 2", "nothing may follow the seed"),
        (f"sead {SEED_LINE[5:]}", "nothing may follow the result but the seed"),
    ],
)
def test_a_line_that_is_no_seed_is_refused_with_its_number(line: str, reason: str) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        GameRecord.parse(TEXT.replace(SEED_LINE, line))
    number = len(TEXT.rstrip("\n").split("\n")) + line.count("\n")
    assert f"line {number}" in str(caught.value)
