"""A game as it was played: text that a person can read and edit, and that replays exactly or is refused.

The format, version 1::

    kingsbridge-record 1
    game builders
    engine 0.1.0
    rules 0123456789abcdef
    players 2
    options max_rounds=40 visible_tops=1 cumulative_coins=0

    start(seat=1)              # one event a line, chance included; '#' starts a comment
    apprentice(seat=0, worker=W03)
    1: open(site=B31)          # a decision carries its seat: optional on reading, checked if there
    result 21 18               # final scores, of a finished game only: optional on reading, checked if there
    seed 00112233445566778899aabbccddeeff  # of chance, last, of a finished game only: optional, see
    ``verify``

The six lines of the head stand in this order; blanks and blank lines are free; an option left out has its
default.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from kingsbridge.pyengine._core import CHANCE, ENGINE_VERSION, TERMINAL, State, action_text, parse_action
from kingsbridge.pyengine.dealer import seed_bytes
from kingsbridge.pyengine.errors import (
    IllegalActionError,
    OptionError,
    ParseError,
    RecordError,
    UnknownGameError,
)
from kingsbridge.pyengine.games import describe

FORMAT = "kingsbridge-record 1"
"""First line of every record of this format."""
MAX_CHARACTERS = 1 << 20
"""Longest text read as a record: no game of ours comes near it."""

_MAX_LINE = 4096
_INTEGER = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_SEED = re.compile(r"[0-9a-f]{32}", re.ASCII)
_SEAT = re.compile(r"([0-9]{1,3})[ \t]*:", re.ASCII)


class GameRecord:
    """The events of one game, from the first: legal by construction.

    ``actions`` holds decisions and chance outcomes alike. ``engine_version`` tells which engine wrote the
    record; ``rules_hash`` decides whether this one may replay it. ``seed`` is the seed of chance that a
    finished game told, or ``None``; it is no part of what makes two records equal.
    """

    def __init__(
        self,
        game: str,
        players: int = 2,
        options: Mapping[str, int] | None = None,
        actions: Iterable[int] = (),
        *,
        engine_version: str = ENGINE_VERSION,
        rules_hash: str | None = None,
        result: Iterable[int] | None = None,
    ) -> None:
        """A record of these events.

        Without ``rules_hash`` it is of this engine's rules; ``result`` is checked if it is given.

        Raises:
            RecordError: the rules differ, an event is not legal or the result is not that of the game.
            UnknownGameError: no such game.
            OptionError: an unknown option, or a value out of range.
        """
        self._state = State.initial(game, players, dict(options or {}))
        if rules_hash is not None:
            _check_rules(game, rules_hash)
        self._actions: list[int] = []
        self._engine_version = engine_version
        self.seed: int | None = None
        for number, action in enumerate(actions, start=1):
            try:
                self.append(action)
            except IllegalActionError as error:
                raise RecordError(None, f"event {number}: {error}") from error
        if result is not None:
            _check_result(self._state, tuple(result))

    @property
    def game(self) -> str:
        """Name of the game."""
        return self._state.game

    @property
    def players(self) -> int:
        """Number of seats."""
        return self._state.players

    @property
    def options(self) -> dict[str, int]:
        """All options of the game with their values."""
        return self._state.options

    @property
    def actions(self) -> tuple[int, ...]:
        """Decisions and chance outcomes in the order of play."""
        return tuple(self._actions)

    @property
    def engine_version(self) -> str:
        """Version of the engine that wrote the record."""
        return self._engine_version

    @property
    def rules_hash(self) -> str:
        """Hash of the rules the record was played by, which are this engine's: others are refused."""
        return describe(self.game).rules_hash

    @property
    def seat_to_move(self) -> int:
        """Who is to add the next event: a seat, ``CHANCE`` or ``TERMINAL``."""
        return self._state.current_player

    @property
    def result(self) -> tuple[int, ...] | None:
        """Final score per seat, or ``None`` while the game runs."""
        return self._state.scores() if self._state.is_terminal else None

    def append(self, action: int) -> None:
        """Adds the next event.

        Raises:
            IllegalActionError: not legal after the events so far; the record is unchanged.
        """
        self._state.apply(action)
        self._actions.append(action)

    def state(self) -> State:
        """The state after all events: a copy of its own."""
        return self._state.copy()

    def states(self) -> Iterator[State]:
        """The state before each event and the one after the last, replayed; each is a copy of its own."""
        state = State.initial(self.game, self.players, self.options)
        yield state.copy()
        for action in self._actions:
            state.apply(action)
            yield state.copy()

    def text(self, *, seed: int | None = None) -> str:
        """The record in the text format, with every optional part; with the seed of chance only if it is
        given.

        Raises:
            ValueError: a seed is given and the game is running.
        """
        if seed is not None and self.result is None:
            raise ValueError("the seed of a running game is told nobody")
        options = "".join(f" {name}={value}" for name, value in self.options.items())
        head = [
            FORMAT,
            f"game {self.game}",
            f"engine {self.engine_version}",
            f"rules {self.rules_hash}",
            f"players {self.players}",
            f"options{options}",
            "",
        ]
        events = [
            _event_line(state, action) for state, action in zip(self.states(), self._actions, strict=False)
        ]
        result = [] if self.result is None else [f"result {_spaced(self.result)}"]
        told = [] if seed is None else [f"seed {seed_bytes(seed).hex()}"]
        return "\n".join([*head, *events, *result, *told, ""])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the record to a file, whole or not at all: a reader sees the old file or the new one.

        Raises:
            OSError: the file cannot be written; an older file of that name is as it was.
        """
        target = Path(path)
        # In the same folder, since a rename across file systems is a copy; exclusive, so that two writers
        # never share it.
        draft = target.with_name(f".{target.name}.{secrets.token_hex(8)}.draft")
        try:
            with draft.open("x", encoding="utf-8", newline="\n") as file:
                file.write(self.text())
                file.flush()
                os.fsync(file.fileno())
            draft.replace(target)
        except BaseException:
            with suppress(OSError):
                draft.unlink()
            raise

    @classmethod
    def parse(cls, text: str) -> GameRecord:
        """Reads a record in the text format.

        Raises:
            RecordError: the text is malformed, too long, of other rules, or not a legal game; it names the
            line.
        """
        if len(text) > MAX_CHARACTERS:
            raise RecordError(
                None, f"too long for a record: {len(text)} characters, at most {MAX_CHARACTERS}"
            )
        lines = _Lines(text)
        record = _read_head(lines)
        while (line := lines.next()) is not None:
            match line.text.split(maxsplit=1)[0]:
                case "result":
                    _read_result(record, line)
                    _read_end(record, lines)
                case "seed":
                    _read_seed(record, line)
                    _expect_end(lines, "the seed")
                case _:
                    _read_event(record, line)
        return record

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> GameRecord:
        """Reads a record from a file of UTF-8 text.

        Raises:
            RecordError: as ``parse``, or the file is not UTF-8.
            OSError: the file cannot be read.
        """
        with Path(path).open("rb") as file:
            data = file.read(4 * MAX_CHARACTERS + 1)  # a character has at most 4 bytes
        if len(data) > 4 * MAX_CHARACTERS:
            raise RecordError(None, f"too long for a record: at most {MAX_CHARACTERS} characters")
        try:
            return cls.parse(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise RecordError(line, "not a text in UTF-8") from error

    def __eq__(self, other: object) -> bool:
        """Equal set-up, events and writer."""
        if not isinstance(other, GameRecord):
            return NotImplemented
        return self._identity() == other._identity()

    __hash__ = None  # type: ignore[assignment]  # mutable: append

    def __repr__(self) -> str:
        events = f"{len(self._actions)} events"
        result = "running" if self.result is None else f"result {self.result}"
        return f"<GameRecord {self.game} players={self.players} {events}, {result}>"

    def _identity(self) -> tuple[object, ...]:
        return (self.game, self.players, self.options, self._actions, self.engine_version)


@dataclass(frozen=True)
class _Line:
    """A line with content: comment and outer blanks gone."""

    number: int
    text: str

    def refusal(self, reason: str) -> RecordError:
        return RecordError(self.number, reason)


class _Lines:
    """The lines with content, one after the other."""

    def __init__(self, text: str) -> None:
        # Not splitlines(): it also splits at form feeds and the like, and then line numbers differ from an
        # editor's.
        raw = enumerate(text.removeprefix("\ufeff").split("\n"), start=1)
        stripped = (_Line(number, line.partition("#")[0].strip(" \t\r")) for number, line in raw)
        self._lines = (line for line in stripped if line.text)
        self._last = 0

    def next(self) -> _Line | None:
        line = next(self._lines, None)
        if line is not None:
            self._last = line.number
            _check_characters(line)
        return line

    def expect(self, what: str) -> _Line:
        line = self.next()
        if line is None:
            raise RecordError(self._last + 1, f"expected {what}, but the record ends here")
        return line


def _read_head(lines: _Lines) -> GameRecord:
    first = lines.expect(f"'{FORMAT}'")
    if first.text.split() != FORMAT.split():
        raise first.refusal(f"expected '{FORMAT}' as the first line, not {_shown(first.text)}")
    game, engine, rules, players, options = (_read_entry(lines, *entry) for entry in _HEAD)
    with _refusing(game):
        describe(game.text)
    with _refusing(rules):
        _check_rules(game.text, rules.text)
    with _refusing(players):
        State.initial(game.text, int(players.text), {})
    with _refusing(options):
        return GameRecord(game.text, int(players.text), _read_options(options), engine_version=engine.text)


_HEAD = (
    ("game", re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII), "the name of a game"),
    ("engine", re.compile(r"[0-9A-Za-z.+!-]{1,64}", re.ASCII), "a version"),
    ("rules", re.compile(r"[0-9a-f]{16}", re.ASCII), "16 hexadecimal digits"),
    ("players", re.compile(r"[0-9]{1,3}", re.ASCII), "the number of seats"),
    ("options", re.compile(r".*", re.ASCII), "NAME=VALUE ..."),
)
"""The head after its first line: word, form of what follows, and that form in words."""


def _read_entry(lines: _Lines, name: str, form: re.Pattern[str], words: str) -> _Line:
    """A line of the head, without its first word."""
    line = lines.expect(f"'{name}' and {words}")
    word, _, rest = line.text.replace("\t", " ").partition(" ")
    if word != name or not form.fullmatch(rest.strip()):
        raise line.refusal(f"expected '{name}' and {words}, not {_shown(line.text)}")
    return _Line(line.number, rest.strip())


def _read_options(line: _Line) -> dict[str, int]:
    options: dict[str, int] = {}
    for part in line.text.split():
        name, equals, value = part.partition("=")
        if not equals or not _INTEGER.fullmatch(value):
            raise line.refusal(f"expected options as NAME=VALUE with whole numbers, not {_shown(part)}")
        if name in options:
            raise line.refusal(f"option {_shown(name)} is given twice")
        options[name] = int(value)
    return options


def _read_event(record: GameRecord, line: _Line) -> None:
    seat = _SEAT.match(line.text)
    if seat is not None:
        _check_seat(record.seat_to_move, int(seat[1]), line)
    with _refusing(line):
        record.append(parse_action(record.game, line.text[seat.end() :] if seat else line.text))


def _read_result(record: GameRecord, line: _Line) -> None:
    scores = line.text.split()[1:]
    if not all(_INTEGER.fullmatch(score) for score in scores):
        raise line.refusal(f"expected 'result' and one score a seat, not {_shown(line.text)}")
    with _refusing(line):
        _check_result(record.state(), tuple(map(int, scores)))


def _read_end(record: GameRecord, lines: _Lines) -> None:
    """What follows the result: the seed, or nothing."""
    after = lines.next()
    if after is None:
        return
    if after.text.split(maxsplit=1)[0] != "seed":
        raise after.refusal("nothing may follow the result but the seed")
    _read_seed(record, after)
    _expect_end(lines, "the seed")


def _read_seed(record: GameRecord, line: _Line) -> None:
    word, _, digits = line.text.replace("\t", " ").partition(" ")
    if word != "seed" or not _SEED.fullmatch(digits.strip()):
        raise line.refusal(f"expected 'seed' and 32 hexadecimal digits, not {_shown(line.text)}")
    if record.result is None:
        raise line.refusal("a seed stands only at the end of a finished game, and this one is running")
    record.seed = int(digits, 16)


def _expect_end(lines: _Lines, what: str) -> None:
    after = lines.next()
    if after is not None:
        raise after.refusal(f"nothing may follow {what}")


def _check_characters(line: _Line) -> None:
    if len(line.text) > _MAX_LINE:
        raise line.refusal(f"too long: {len(line.text)} characters, at most {_MAX_LINE}")
    if not (line.text.isascii() and line.text.replace("\t", " ").isprintable()):
        raise line.refusal("only printable ASCII characters may stand outside comments")


def _check_rules(game: str, rules_hash: str) -> None:
    ours = describe(game).rules_hash
    if rules_hash != ours:
        raise RecordError(
            None,
            f"the record was played by other rules or card tables of {game} ({_shown(rules_hash)}) "
            f"than this engine's ('{ours}', version {ENGINE_VERSION}) and cannot be replayed",
        )


def _check_seat(to_move: int, seat: int, line: _Line) -> None:
    if to_move == CHANCE:
        raise line.refusal(f"a chance event comes here, not a decision of seat {seat}")
    if to_move not in (TERMINAL, seat):
        raise line.refusal(f"seat {to_move} is to move, not seat {seat}")


def _check_result(state: State, result: tuple[int, ...]) -> None:
    if not state.is_terminal:
        raise RecordError(None, "a result stands only at the end of a finished game, and this one is running")
    if result != state.scores():
        raise RecordError(
            None, f"the final scores are {_spaced(state.scores())}, not {_shown(_spaced(result))}"
        )


@contextmanager
def _refusing(line: _Line) -> Iterator[None]:
    """Turns every refusal of the engine into one that names the line."""
    try:
        yield
    except RecordError as error:
        raise line.refusal(error.reason) from error
    except (IllegalActionError, OptionError, ParseError, UnknownGameError) as error:
        raise line.refusal(str(error)) from error


def _event_line(state: State, action: int) -> str:
    seat = "" if state.is_chance else f"{state.current_player}: "
    return seat + action_text(state.game, action)


def _spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _shown(text: str) -> str:
    """A quotation of what was read, never longer than a line of a terminal."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
