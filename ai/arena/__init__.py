"""Where bots meet: games, matches and how sure their results are."""

from kingsbridge.ai.arena.crew import WorkerDiedError
from kingsbridge.ai.arena.game import BotFaultError, GameResult, play_game
from kingsbridge.ai.arena.match import BotResult, DealError, MatchResult, Progress, play_match

__all__ = [
    "BotFaultError",
    "BotResult",
    "DealError",
    "GameResult",
    "MatchResult",
    "Progress",
    "WorkerDiedError",
    "play_game",
    "play_match",
]
