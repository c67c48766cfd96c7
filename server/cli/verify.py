"""``kingsbridge verify``: whether the luck of a finished game was the one its seed deals."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from kingsbridge.pyengine import (
    GameRecord,
    RecordError,
    Verdict,
    describe,
    kind_of,
    seed_bytes,
    seed_commitment,
)
from kingsbridge.pyengine import verify as verified
from kingsbridge.server.cli.errors import CommandError, WrongUsageError


def verify(
    *,
    record: Annotated[
        Path, typer.Argument(metavar="RECORD", help="File with the record of a finished game.")
    ],
    seed: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="Seed of chance, 32 digits, instead of the one in the record."),
    ] = None,
    commitment: Annotated[
        str | None,
        typer.Option(
            metavar="HEX", help="What the server committed to when the game was created, 64 digits."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Recompute every roll and draw of a finished game from its seed.

    Exit code 0 if all are as the seed deals them and the commitment, if given, is one to this seed; else 1.
    """
    given = None if seed is None else int(_digits("--seed", seed, 32), 16)
    promised = None if commitment is None else bytes.fromhex(_digits("--commitment", commitment, 64))
    game = _loaded(record)
    used = game.seed if given is None else given
    if used is None:
        raise CommandError(f"{record}: it tells no seed, as records of running games; give one with --seed")
    finding = _Finding(game, used, promised, verified(game, used))
    typer.echo(json.dumps(finding.plain()) if as_json else finding.words())
    return 0 if finding.good else 1


@dataclass(frozen=True, slots=True)
class _Finding:
    """What came out; ``promised`` is the commitment that was given, if one was."""

    game: GameRecord
    seed: int
    promised: bytes | None
    verdict: Verdict

    @property
    def kept(self) -> bool | None:
        """Whether the commitment is one to the seed."""
        return None if self.promised is None else self.promised == seed_commitment(self.seed)

    @property
    def good(self) -> bool:
        return self.verdict.wrong is None and self.kept is not False

    def chance(self) -> dict[str, int]:
        """How many events of chance there are, by kind."""
        kinds = describe(self.game.game).kinds
        return dict(
            Counter(
                kinds[kind_of(action)].name for action in self.game.actions if kinds[kind_of(action)].chance
            )
        )

    def words(self) -> str:
        """In lines for people."""
        game, chance = self.game, self.chance()
        counted = ", ".join(f"{count} {kind}" for kind, count in chance.items())
        lines = [
            f"{game.game}, {game.players} players, {len(game.actions)} events",
            f"{self.verdict.events} events of chance: {counted}",
            f"seed {seed_bytes(self.seed).hex()}",
            f"commitment {seed_commitment(self.seed).hex()}{self._promise()}",
        ]
        if self.verdict.wrong is None:
            return "\n".join([*lines, "all as the seed deals them"])
        number, recorded, dealt = self.verdict.wrong
        return "\n".join(
            [*lines, f"event {number} is not as the seed deals it: recorded {recorded}, dealt {dealt}"]
        )

    def plain(self) -> dict[str, Any]:
        """As plain data, ready for ``json.dumps``."""
        wrong = self.verdict.wrong
        return {
            "game": self.game.game,
            "events": len(self.game.actions),
            "chance": self.chance(),
            "seed": seed_bytes(self.seed).hex(),
            "commitment": seed_commitment(self.seed).hex(),
            "commitment_kept": self.kept,
            "wrong": None if wrong is None else dict(zip(("event", "recorded", "dealt"), wrong, strict=True)),
            "good": self.good,
        }

    def _promise(self) -> str:
        match self.kept:
            case None:
                return ", as a server would have to give it beforehand"
            case True:
                return ", as given"
            case _:
                return f", not the one given: {(self.promised or b'').hex()}"


def _digits(option: str, text: str, count: int) -> str:
    if not re.fullmatch(rf"[0-9a-fA-F]{{{count}}}", text, re.ASCII):
        raise WrongUsageError(f"{option} takes {count} hexadecimal digits, not '{text}'")
    return text


def _loaded(path: Path) -> GameRecord:
    try:
        return GameRecord.load(path)
    except RecordError as error:
        raise CommandError(f"{path}: {error}") from error
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
