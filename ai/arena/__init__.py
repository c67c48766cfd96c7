"""Where bots meet: games, matches, tournaments, and how sure their results are."""

from kingsbridge.ai.arena.crew import WorkerDiedError
from kingsbridge.ai.arena.game import BotFaultError, GameResult, play_game
from kingsbridge.ai.arena.manifest import ManifestError, PlannedMatch, read_manifest
from kingsbridge.ai.arena.match import BotResult, DealError, MatchPlan, MatchResult, Progress, play_match
from kingsbridge.ai.arena.results import ResultsError, ResultsFile, read_results
from kingsbridge.ai.arena.tournament import Standing, Verdict, play_tournament, standings

__all__ = [
    "BotFaultError",
    "BotResult",
    "DealError",
    "GameResult",
    "ManifestError",
    "MatchPlan",
    "MatchResult",
    "PlannedMatch",
    "Progress",
    "ResultsError",
    "ResultsFile",
    "Standing",
    "Verdict",
    "WorkerDiedError",
    "play_game",
    "play_match",
    "play_tournament",
    "read_manifest",
    "read_results",
    "standings",
]
