"""The rules of every game in Python: values from the native core, records that replay, and the dealer.

>>> from kingsbridge.pyengine import Dealer, Rng, game_names, load_game
>>> state, dealer = load_game(game_names()[0], players=2), Dealer(seed=1)
>>> outcomes = dealer.settle(state)
>>> state.is_chance
False
>>> state.sample_action(Rng(7)) in state.legal_actions()
True
"""

from kingsbridge.pyengine._core import (
    CHANCE,
    ENGINE_VERSION,
    MOST_REACH,
    OUTLOOK_POINT,
    SELECTION_RULES,
    SPECTATOR,
    TERMINAL,
    UTILITY_ONE,
    InformationSet,
    Rng,
    Search,
    State,
    action_at,
    action_index,
    action_text,
    game_info,
    game_names,
    parse_action,
)
from kingsbridge.pyengine.dealer import Dealer, new_seed, seed_bytes, seed_commitment
from kingsbridge.pyengine.errors import (
    IllegalActionError,
    OptionError,
    ParseError,
    RecordError,
    SearchRunningError,
    UnknownGameError,
    ViewError,
)
from kingsbridge.pyengine.games import (
    LANGUAGES,
    ArgumentInfo,
    ComponentInfo,
    DomainInfo,
    GameInfo,
    KindInfo,
    OptionInfo,
    arguments,
    describe,
    kind_of,
    load_game,
    text_in,
)
from kingsbridge.pyengine.record import GameRecord
from kingsbridge.pyengine.verify import Verdict, verify
from kingsbridge.pyengine.words import is_numbered, numbered_name, phrase, phrase_pieces

__all__ = [
    "CHANCE",
    "ENGINE_VERSION",
    "LANGUAGES",
    "MOST_REACH",
    "OUTLOOK_POINT",
    "SELECTION_RULES",
    "SPECTATOR",
    "TERMINAL",
    "UTILITY_ONE",
    "ArgumentInfo",
    "ComponentInfo",
    "Dealer",
    "DomainInfo",
    "GameInfo",
    "GameRecord",
    "IllegalActionError",
    "InformationSet",
    "KindInfo",
    "OptionError",
    "OptionInfo",
    "ParseError",
    "RecordError",
    "Rng",
    "Search",
    "SearchRunningError",
    "State",
    "UnknownGameError",
    "Verdict",
    "ViewError",
    "action_at",
    "action_index",
    "action_text",
    "arguments",
    "describe",
    "game_info",
    "game_names",
    "is_numbered",
    "kind_of",
    "load_game",
    "new_seed",
    "numbered_name",
    "parse_action",
    "phrase",
    "phrase_pieces",
    "seed_bytes",
    "seed_commitment",
    "text_in",
    "verify",
]
