"""Where bots meet: games, matches, tournaments, and how sure their results are."""

from kingsbridge.ai.arena.contest import Contest, Entrant, Hypotheses, TimeControl
from kingsbridge.ai.arena.crew import WorkerDiedError
from kingsbridge.ai.arena.faults import BotFaultError, Fault, FaultKind, FaultPolicy
from kingsbridge.ai.arena.game import DealError, GameResult, play_game
from kingsbridge.ai.arena.manifest import ManifestError, read_manifest
from kingsbridge.ai.arena.match import BotResult, MatchResult, Progress, play_match
from kingsbridge.ai.arena.played import Ending, GameKey, PlayedGame
from kingsbridge.ai.arena.store import Store, StoreError, open_reader
from kingsbridge.ai.arena.tournament import counted_blocks, play_tournament, resumed

__all__ = [
    "BotFaultError",
    "BotResult",
    "Contest",
    "DealError",
    "Ending",
    "Entrant",
    "Fault",
    "FaultKind",
    "FaultPolicy",
    "GameKey",
    "GameResult",
    "Hypotheses",
    "ManifestError",
    "MatchResult",
    "PlayedGame",
    "Progress",
    "Store",
    "StoreError",
    "TimeControl",
    "WorkerDiedError",
    "counted_blocks",
    "open_reader",
    "play_game",
    "play_match",
    "play_tournament",
    "read_manifest",
    "resumed",
]
