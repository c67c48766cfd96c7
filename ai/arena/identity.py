"""What a bot of a tournament is, in full: so that results of what has changed are not taken for its own."""

from __future__ import annotations

from dataclasses import asdict

from kingsbridge.ai.arena.bots import is_built_in
from kingsbridge.ai.arena.contest import Contest, definition
from kingsbridge.ai.ismcts import IsmctsParams
from kingsbridge.ai.params import Params
from kingsbridge.ai.registry import make_bot
from kingsbridge.ai.signatures import signatures


def definition_of(contest: Contest) -> str:
    """16 hex digits: equal for contests that are played alike, in every process."""
    bots = tuple(identity(spec, contest.game, contest.players) for spec in contest.specs)
    return definition(contest, bots)


def identity(spec: str, game: str, players: int) -> str:
    """A built-in bot with all its knobs, defaults and what its level sets included, and the signature of how
    the game is played by this version; of any other its spec.

    Raises:
        UnknownBotError, BotOptionError, UnknownLevelError: the spec is wrong, or the game has no levels.
    """
    if not is_built_in(spec):
        return spec
    bot = make_bot(spec)
    params: Params = bot.params  # type: ignore[attr-defined]  # all that are built in have some
    if isinstance(params, IsmctsParams):
        params = params.at_level(game, players)
    knobs = ",".join(f"{name}={value}" for name, value in sorted(asdict(params).items()))
    return f"{bot.name}:{knobs}; bench {signatures()[game]}"


def own_seconds(spec: str) -> float | None:
    """Seconds a decision that a built-in bot's spec allows it; ``None`` for others and without."""
    return getattr(make_bot(spec).params, "seconds", None) if is_built_in(spec) else None  # type: ignore[attr-defined]
