"""Bots that play any game of the engine, and the arena where they meet.

>>> from kingsbridge.ai import Budget, make_bot
>>> from kingsbridge.pyengine import Dealer, Rng, game_names, load_game
>>> state = load_game(game_names()[0], players=2)
>>> outcomes = Dealer(seed=1).settle(state)
>>> info = state.information_set(state.current_player)
>>> decision = make_bot("ismcts:c=0.3").choose(info, Budget(iterations=50), Rng(7))
>>> decision.action in info.legal_actions(), decision.iterations, decision.stop_reason.value
(True, 50, 'iterations')
"""

from kingsbridge.ai.arena import (
    BotFaultError,
    BotResult,
    DealError,
    GameResult,
    MatchResult,
    play_game,
    play_match,
)
from kingsbridge.ai.bank import Bank
from kingsbridge.ai.bot import (
    DEFAULT_ITERATIONS,
    ActionStatistics,
    Bot,
    Budget,
    Clock,
    Decision,
    Report,
    StopFlag,
    StopReason,
    never,
)
from kingsbridge.ai.choices import ChoiceError, among_of
from kingsbridge.ai.flat_mc import FlatMcBot, FlatMcParams
from kingsbridge.ai.greedy_bot import GreedyBot, GreedyParams
from kingsbridge.ai.ismcts import IsmctsBot, IsmctsParams
from kingsbridge.ai.levels import UnknownLevelError
from kingsbridge.ai.mcts import MctsBot, MctsParams
from kingsbridge.ai.params import BotOptionError
from kingsbridge.ai.random_bot import RandomBot, RandomParams
from kingsbridge.ai.registry import BotInfo, BotOption, UnknownBotError, bot_infos, make_bot, tree_memory
from kingsbridge.ai.search import likeliest
from kingsbridge.ai.turn import Sequel, plan_turn, play_turn, sequel

__all__ = [
    "DEFAULT_ITERATIONS",
    "ActionStatistics",
    "Bank",
    "Bot",
    "BotFaultError",
    "BotInfo",
    "BotOption",
    "BotOptionError",
    "BotResult",
    "Budget",
    "ChoiceError",
    "Clock",
    "DealError",
    "Decision",
    "FlatMcBot",
    "FlatMcParams",
    "GameResult",
    "GreedyBot",
    "GreedyParams",
    "IsmctsBot",
    "IsmctsParams",
    "MatchResult",
    "MctsBot",
    "MctsParams",
    "RandomBot",
    "RandomParams",
    "Report",
    "Sequel",
    "StopFlag",
    "StopReason",
    "UnknownBotError",
    "UnknownLevelError",
    "among_of",
    "bot_infos",
    "likeliest",
    "make_bot",
    "never",
    "plan_turn",
    "play_game",
    "play_match",
    "play_turn",
    "sequel",
    "tree_memory",
]
