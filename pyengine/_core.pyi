"""The native core of Kingsbridge: rules, determinization, rollouts and perft of every game.

Conventions
-----------
* A *seat* is an ``int`` from 0; ``CHANCE`` and ``TERMINAL`` are what ``current_player`` says at nodes where
  nobody decides.
* An *action* is an ``int``, packed ``kind << 24 | a << 16 | b << 8 | c``; it names components by identity,
  so the same intention has the same number in every determinization. Chance outcomes are actions of chance
  kinds.
* A *utility* is an ``int`` in units of ``1 / UTILITY_ONE``: 0 is a sure loss, ``UTILITY_ONE`` a sure win.
* Methods check their arguments and raise; a call that raises leaves its object as it was.
"""

from collections.abc import Iterable
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

CHANCE: Final[int]
"""``current_player`` of a chance node."""
TERMINAL: Final[int]
"""``current_player`` of a finished game."""
SPECTATOR: Final[int]
"""The viewer who holds no seat."""
UTILITY_ONE: Final[int]
"""The utility of a sure win."""
OUTLOOK_POINT: Final[int]
"""What stands for a point where scores are expected: ``outlook``, ``rollout``, ``root_statistics``."""
MOST_REACH: Final[int]
"""The greatest ``reach`` of a margin (points)."""
SELECTION_RULES: Final[dict[str, tuple[float, float]]]
"""Rules by which a search weighs actions, each with the exploration ``c`` and the ``caution`` that suit it
(utility).
"""
ENGINE_VERSION: Final[str]
"""Version of the package this module was built from."""

class IllegalActionError(ValueError):
    """The action is not legal in this state."""

class ParseError(ValueError):
    """A text is not the notation of an action."""

class ViewError(ValueError):
    """A view from outside breaks a rule. ``args`` is ``(message, field, rule)``."""

    @property
    def field(self) -> str:
        """Where, as a path: ``seats[1].coins``."""
    @property
    def rule(self) -> str:
        """What holds there and is broken."""

class OptionError(ValueError):
    """An option is unknown or out of its range."""

class UnknownGameError(LookupError):
    """There is no game of that name."""

class SearchRunningError(RuntimeError):
    """The search runs in another thread; only ``stop`` can be called meanwhile."""

def game_names() -> list[str]:
    """The names of all games, in a fixed order."""

def game_info(name: str) -> dict[str, Any]:
    """Everything static about a game, as plain data.

    Texts are ``{language: words}`` with the languages a text has, of ``en``, ``fr``, ``ja``, ``de``. Keys:

    * ``name``, ``title``, ``min_players``, ``max_players``
    * ``rules_hash``: 16 hex digits over tables, kinds and options; engines with equal hashes replay each
      other's records
    * ``max_score``; ``max_length``: no game has more nodes; ``action_count``: length of ``legal_mask()``
    * ``options``: ``[{name, default, min, max, text}]``
    * ``kinds``, indexed by the kind's number: ``[{name, arguments: [{name, domain}], chance, deck, pooled,
      phrase}]``. ``deck`` names the pile a chance kind draws from without replacement, or is ``""``;
      ``pooled`` kinds have so many outcomes that a search tree does not tell them apart; ``phrase`` is the
      action in words with ``{argument}`` places
    * ``domains``: ``[{name, first, count, symbols, copies}]``. A component domain lists its ``symbols`` and
      how many ``copies`` of each exist; a number domain has none and counts from ``first``
    * ``components``, every card of the box: ``[{id, set, face, names, provenance: {names, values, sources},
      attributes: {name: int}, words: {name: str}, copies}]``. ``face`` names the card whose face it shares,
      else its own ``id``; ``words`` says what an attribute stands for whose value is a code; ``copies`` cards
      of the id are in the box

    Raises:
        UnknownGameError: no such game.
    """

@final
class Rng:
    """xoshiro256++ (Blackman, Vigna 2018) seeded by splitmix64: the only source of randomness in search and
    rollouts.

    Equal ``(seed, stream)`` give equal sequences in every process and on every machine; different streams
    of one seed are independent.
    """

    def __init__(self, seed: int, stream: int = 0) -> None:
        """``seed`` and ``stream`` are taken modulo 2**64."""
    def next(self) -> int:
        """The next 64 bits."""
    def below(self, bound: int) -> int:
        """A uniform integer in ``[0, bound)``.

        Raises:
            ValueError: ``bound`` is not in ``[1, 2**32]``.
        """

@final
class State:
    """One position of one game: a value. Holds no randomness, no history and nothing of the future.

    Compares, hashes and pickles by its canonical bytes: equal positions are equal, however they came about.
    """

    @staticmethod
    def initial(game: str, players: int, options: dict[str, int] = ...) -> State:
        """The node before the first chance event of a game.

        Raises:
            UnknownGameError: no such game.
            OptionError: unknown option, or a value out of range (``players`` included).
        """
    @property
    def game(self) -> str:
        """Name of the game."""
    @property
    def options(self) -> dict[str, int]:
        """All options with their values, ``players`` not among them."""
    @property
    def players(self) -> int:
        """Number of seats."""
    @property
    def current_player(self) -> int:
        """Seat to move, or ``CHANCE``, or ``TERMINAL``."""
    @property
    def is_chance(self) -> bool:
        """Whether the next event is chance."""
    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
    @property
    def key(self) -> int:
        """64-bit hash of the canonical bytes; equal states have equal keys in every process."""
    def legal_actions(self) -> list[int]:
        """Legal actions of the seat to move: ascending, unique, never empty; ``[]`` at chance and terminal
        nodes.
        """
    def is_legal(self, action: int) -> bool:
        """Whether ``apply(action)`` would be accepted: a legal action, or an outcome of this chance node."""
    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Legal actions as a mask of shape ``(action_count,)``, indexed by ``action_index``; all false
        where nobody decides.
        """
    def chance_outcomes(self) -> list[tuple[int, int]]:
        """``(outcome, weight)``, ascending, weights positive; probability is weight over the sum. ``[]``
        elsewhere.
        """
    def sample_chance(self, rng: Rng) -> int:
        """One outcome of this chance node, drawn with its probability.

        Raises:
            IllegalActionError: not a chance node.
        """
    def sample_action(self, rng: Rng, policy: str = ...) -> int:
        """One legal action as a rollout of that ``policy`` would choose it: ``"light"`` (default) or
        ``"uniform"``.

        Raises:
            IllegalActionError: nobody decides here.
            ValueError: unknown policy.
        """
    def apply(self, action: int) -> None:
        """Plays a legal action or a chance outcome.

        Raises:
            IllegalActionError: not legal here; the state is unchanged.
        """
    def child(self, action: int) -> State:
        """A copy after ``apply(action)``. Raises as ``apply``."""
    def copy(self) -> State:
        """An independent copy."""
    def scores(self) -> tuple[int, ...]:
        """Score per seat as the game would be scored now; the final scores in a finished game."""
    def ranks(self) -> tuple[int, ...]:
        """Rank value per seat: higher is better, tie-breaks included; equal values share the place."""
    def utilities(self) -> tuple[int, ...]:
        """Utility per seat of the present standing, ``0 .. UTILITY_ONE``: see ``rollout``."""
    def win_shares(self) -> tuple[float, ...]:
        """1 for the winner, shared equally among those tied for first; of the present standing."""
    def observed(self, action: int, seat: int) -> int:
        """What ``seat`` sees of ``action`` played here, as a number for the key of a search node.

        The action itself where all is seen; with pooled or unseen parts zeroed otherwise.
        """
    def rollout(
        self,
        rng: Rng,
        policy: str = ...,
        length: int | None = ...,
        rounds: int | None = ...,
        margin: float = 0.5,
        reach: int = 16,
    ) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Plays on by a native policy and returns ``(utilities, shares, scores)``, each per seat: utility,
        share of the win in the same units (those who tie share it), and score in units of ``1 /
        OUTLOOK_POINT`` points. Releases the GIL.

        It goes to the end of the game, or for ``length`` decisions, or to the end of so many rounds, that of
        the beginning included: then the scores are those of ``outlook()``, and the win is shared by the odds
        that their leads give (``outlook_leads``).

        Utility blends the share of the win with the margin to the best other seat: the margin has the part
        ``margin`` (0 to 1), and is clipped to ``reach`` points. Where the game was cut off its share of the
        win is by other odds than the share that is told. See ``engine_cpp/core/returns.hpp``.

        Raises:
            ValueError: unknown policy, or a number out of its range.
        """
    def rollouts(self, seed: int, count: int, policy: str = ...) -> npt.NDArray[np.int32]:
        """``count`` rollouts: shape ``(count, players, 2)``, last axis ``(score, utility)``. Releases the
        GIL.

        Raises:
            ValueError: unknown policy, or ``count`` negative.
        """
    def rollout_nodes(self, seed: int, count: int, policy: str = ...) -> int:
        """Decisions taken in ``count`` rollouts; for speed measurements. Releases the GIL."""
    def outlook(self) -> tuple[int, ...]:
        """What each seat may have in the end by the game's evaluation, in units of ``1 / OUTLOOK_POINT``
        points.

        Only differences between seats count: what all have alike may be missing.
        """
    def outlook_leads(self) -> tuple[int, int]:
        """The lead in ``outlook()``, in its units, that makes the odds of the win 4 to 1: in the utility, as
        searches play best, and in the share of the win that they tell, as it came in games between them
        (``make calibration``).
        """
    @property
    def round(self) -> int:
        """Rounds begun so far, for A Column of Fire half-years; at the beginning of one all seats had as many
        turns.
        """
    @property
    def heuristic_point(self) -> int:
        """What ``heuristic`` gives for a point of the score."""
    def heuristic(self) -> list[int]:
        """A rough native value of each legal action, aligned with ``legal_actions()``: higher is better,
        for the seat to move.
        """
    def perft(self, depth: int, expand_chance: bool = ...) -> int:
        """Leaf nodes at ``depth`` events below. Releases the GIL.

        With ``expand_chance`` each outcome of a chance node is a child and counts as an event. Without it
        (default) a chance node is settled by its lowest outcome and costs no depth. A finished game above
        the depth counts as one leaf.
        """
    def information_set(self, seat: int) -> InformationSet:
        """What ``seat`` (or ``SPECTATOR``) knows of this state: the only thing a bot is ever given.

        Raises:
            ValueError: no such seat.
        """
    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> State: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class InformationSet:
    """A seat's view of a game: all it knows and could remember, and nothing else.

    Compares, hashes and pickles by the view.
    """

    @staticmethod
    def from_view(game: str, view: dict[str, Any]) -> InformationSet:
        """Reads a view sent from outside (the form ``view()`` writes).

        Raises:
            UnknownGameError: no such game.
            ViewError: a field is missing, unknown, of a wrong type or breaks a rule of the game.
        """
    @property
    def game(self) -> str:
        """Name of the game."""
    @property
    def seat(self) -> int:
        """The seat that knows this, or ``SPECTATOR``."""
    @property
    def players(self) -> int:
        """Number of seats."""
    @property
    def current_player(self) -> int:
        """Seat to move, or ``CHANCE``, or ``TERMINAL``."""
    @property
    def key(self) -> int:
        """64-bit hash of the view."""
    @property
    def rule(self) -> str:
        """How a search of this game best weighs actions, ``"ucb1"`` or ``"puct"``."""
    @property
    def horizon(self) -> tuple[int | None, int | None]:
        """Decisions, and ends of rounds, after which rollouts of this game are best cut off; ``None``: no
        bound.
        """
    def legal_actions(self) -> list[int]:
        """Legal actions if ``seat`` is to move, else ``[]``."""
    def view(self) -> dict[str, Any]:
        """The view as plain data; field names are those of the game's proto message."""
    def text(self) -> str:
        """The view as lines of text, one field a line, as in a playthrough."""
    def imagine(self, rng: Rng) -> State:
        """A determinization: a state with this view, its hidden part uniform over what the view leaves
        possible.
        """
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Search:
    """A native Monte Carlo tree search of one decision, over imagined worlds: multi-observer ISMCTS (Cowling,
    Powley, Whitehouse 2012) as ``kingsbridge.ai.search`` describes it, and with the same seed and knobs the
    same tree, node by node.

    The tree is kept: each ``run`` goes on where the last ended, and is the same however often it is
    interrupted. One thread at a time may use a search, but for ``stop``.
    """

    def __init__(
        self,
        info: InformationSet,
        seed: int,
        *,
        rule: str = "ucb1",
        c: float = 0.3,
        caution: float = 0.2,
        bias: float = 0.03,
        trust: float = 30.0,
        temperature: float = 0.1,
        widening: float = 0.0,
        opponents: str = "max_n",
        margin: float = 0.5,
        reach: int = 16,
        policy: str = "light",
        length: int | None = None,
        rounds: int | None = None,
        order: str = "heuristic",
        worlds: str = "fresh",
        nodes: int = 1000000,
        memory: int = 268435456,
        reuse: bool = False,
        among: Iterable[int] | None = None,
    ) -> None:
        """An empty tree for the decision of the seat of ``info``.

        Args:
            info: what the seat to move knows.
            seed: of all the randomness there is, taken modulo 2**64.
            rule: how actions are weighed, ``"ucb1"`` or ``"puct"``.
            c: exploration, in units of utility where 1 is a sure win; not negative.
            caution: an untried action passes for its node's mean less this (utility).
            bias: weight of the game's heuristic (utility a point); not negative.
            trust: halves the heuristic's weight (visits); not negative.
            temperature: evens the priors of ``"puct"`` out (utility); positive.
            widening: actions considered after n visits are this times n ** 0.4, at least one; 0 for all.
            opponents: what other seats are thought to want: ``"max_n"`` their own utility, ``"paranoid"`` to
                hurt the seat of ``info``; with ``"policy"`` they play as in rollouts and have no nodes.
            margin: share of the margin in the utility, 0 to 1, as in ``State.rollout``.
            reach: points at which a margin is clipped, as in ``State.rollout``.
            policy: how games are played out below the tree, ``"light"`` or ``"uniform"``.
            length: decisions of a rollout before the game's evaluation ends it; ``None``: no bound.
            rounds: ends of rounds before that; ``None``: no bound.
            order: which untried action comes first, ``"heuristic"`` or ``"random"``.
            worlds: ``"fresh"`` imagines a world for each iteration, ``"fixed"`` one for all.
            nodes: most nodes of the tree; full, it grows no more and still searches.
            memory: most bytes of the tree, at least 2**20; full, it grows no more.
            reuse: the tree notes what ``go_on`` needs, which takes some time and memory; needs ``"fresh"``
                worlds.
            among: legal actions that are all the root offers, one or more; ``None``: every legal one. With
                them the root has statistics even where it offers one action.

        Raises:
            ValueError: the seat is not to move, a knob is out of its range, or ``among`` is empty or holds an
                action that is not legal.
        """
    def run(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        flag: bytearray | memoryview | None = None,
    ) -> str:
        """Searches on until a limit is reached. Releases the GIL. Without a limit it runs until stopped.

        Args:
            iterations: so many more; a search takes 2 * 10**9 in all.
            seconds: from the call, by a clock that never runs backwards.
            flag: one writable byte, shared with another process perhaps; the run ends when it is not zero.

        Returns:
            Why it ended, as ``kingsbridge.ai.StopReason`` has it: ``"iterations"``, ``"time"``, or
            ``"stopped"`` for ``stop`` and ``flag``. All three end it within a fraction of a millisecond; an
            iteration cut short leaves no trace, and the next run begins with it.

        Raises:
            ValueError: a negative limit, or a flag of more than a byte.
            BufferError: a flag that cannot be written to.
            SearchRunningError: it runs already.
        """
    def go_on(self, info: InformationSet, seed: int, *, among: Iterable[int] | None = None) -> bool:
        """Makes a later decision of the same seat the root, ``seed`` and ``among`` as for a new search, and
        keeps what the tree knows from there on; ``iterations`` count from 0.

        ``False``, and nothing changed, unless ``reuse`` was asked for and there is a node for this very
        information set: one that was reached with this view and these actions on every visit, so behind no
        pooled event. Also if more than half of ``nodes`` or ``memory`` is taken, as nodes that are left
        behind are not freed; and for a decision that was the root before. Of several nodes (one view,
        reached in another order) it takes the most visited, then the one made first.

        Raises:
            ValueError: the seat is not to move, or ``among`` is empty or holds an action that is not legal.
            SearchRunningError: it runs in another thread.
        """
    def stop(self) -> None:
        """Ends the run under way, and every later one at its start. From any thread."""
    @property
    def stopped(self) -> bool:
        """Whether ``stop`` was called."""
    @property
    def iterations(self) -> int:
        """Iterations made for this decision so far."""
    @property
    def kept(self) -> int:
        """Visits of the root before it became the root by ``go_on``; 0 without."""
    @property
    def nodes(self) -> int:
        """Nodes of the tree."""
    @property
    def bytes(self) -> int:
        """Memory held by the tree."""
    def root_statistics(
        self,
    ) -> list[tuple[int, int, int, tuple[int, ...], tuple[int, ...], tuple[int, ...], int]]:
        """``(action, visits, availability, utilities, shares, scores, squares)`` of each root action that was
        tried, in the order of their first trial: sums over its visits of what ``State.rollout`` gives each
        seat, and of the square of the utility of the seat that searches. Visits that were kept count like any
        other. ``[]`` where one action is legal and ``among`` is not given.
        """
    def line(self, action: int) -> tuple[int, ...]:
        """``action`` and the most visited decisions after it in the world the next iteration would take, up
        to a chance event or the tree's edge. Changes nothing.

        Raises:
            IllegalActionError: the action is not legal at the root.
        """
    def trace(self) -> list[tuple[int, list[tuple[int, int, int, int]]]]:
        """Every node in the order of its creation, those left behind by ``go_on`` included: its seat, and
        ``(action, visits, availability, total utility of that seat)`` of its actions, ascending.
        """

def action_text(game: str, action: int) -> str:
    """Notation of an action, such as ``send(worker=W21, site=B31)``.

    Raises:
        UnknownGameError: no such game.
        ParseError: the number encodes no action of the game.
    """

def parse_action(game: str, text: str) -> int:
    """The action a notation stands for; the inverse of ``action_text``. Blanks are free.

    Raises:
        UnknownGameError: no such game.
        ParseError: says what is wrong and what was expected.
    """

def action_index(game: str, action: int) -> int:
    """Position of a decision in ``State.legal_mask()``.

    Raises:
        UnknownGameError: no such game.
        ParseError: not a decision of the game.
    """

def action_at(game: str, index: int) -> int:
    """The inverse of ``action_index``.

    Raises:
        UnknownGameError: no such game.
        IndexError: ``index`` is not in ``[0, action_count)``.
    """

def _restore_state(game: str, rules_hash: str, state: bytes) -> State:
    """Unpickles a State. Bytes that are no position a game can come to are refused.

    Raises:
        UnknownGameError: no such game.
        ValueError: other rules, wrong length, or (``ViewError``) a broken rule of the game.
    """

def _restore_information_set(game: str, view: dict[str, Any]) -> InformationSet:
    """Unpickles an InformationSet: ``InformationSet.from_view``."""
