"""Luck of a real game: chance events settled by a seed, alike for all who play the same deal.

An outcome is the argmax of ``log p + Gumbel noise`` (the Gumbel-max trick), where the noise is a keyed hash
of the seed and of what the event is, never of when it happens in the game. So luck belongs to the deal and
not to the players' choices:

* A kind with a ``deck`` keys the noise by (deck, card, copy). The deck has one order from the first card to
  the last, whoever draws and however late.
* Any other kind keys it by (kind, the arguments that all outcomes share, how often that event has happened):
  the n-th roll of a die has one face.
"""

from __future__ import annotations

import secrets
from collections import Counter
from functools import cache
from hashlib import blake2b, sha256
from math import log

from kingsbridge.pyengine._core import State
from kingsbridge.pyengine.games import GameInfo, arguments, describe, kind_of

SEED_BITS = 128
"""Width of a dealer's seed."""

Event = tuple[str | int, ...]
Outcomes = list[tuple[int, int]]


def new_seed() -> int:
    """A seed nobody can guess: 128 random bits of the operating system."""
    return secrets.randbits(SEED_BITS)


def seed_commitment(seed: int) -> bytes:
    """What can be told of a seed before the game without telling the seed: SHA-256 of ``kingsbridge-seed:``
    and its 16 bytes, the highest first. Nobody finds another seed that fits.

    Raises:
        ValueError: the seed is negative or wider than 128 bits.
    """
    return sha256(b"kingsbridge-seed:" + seed_bytes(seed)).digest()


def seed_bytes(seed: int) -> bytes:
    """The 16 bytes of a seed, the highest first.

    Raises:
        ValueError: the seed is negative or wider than 128 bits.
    """
    if not 0 <= seed < 1 << SEED_BITS:
        raise ValueError(f"a dealer's seed has {SEED_BITS} bits: {seed} is out of range")
    return seed.to_bytes(SEED_BITS // 8, "big")


class Dealer:
    """Settles the chance events of one game.

    Not a value: it counts the events it has settled, so it serves one game, each chance node once and in
    order of play.
    """

    def __init__(self, seed: int) -> None:
        """``seed`` is an integer of 128 bits.

        Raises:
            ValueError: the seed is negative or wider.
        """
        self._key = seed_bytes(seed)
        self._seen: Counter[Event] = Counter()
        self._heights: dict[tuple[str, int, int], int] = {}

    def outcome(self, state: State) -> int:
        """The outcome of this chance node, counted as having happened; the state stays as it is.

        Raises:
            ValueError: not a chance node.
        """
        outcomes = state.chance_outcomes()
        if not outcomes:
            raise ValueError("the dealer settles chance nodes only")
        if len(outcomes) == 1:  # a forced event uses up no luck
            return outcomes[0][0]
        info = describe(state.game)
        deck = _deck(info, outcomes)
        return self._top_card(info, deck, outcomes) if deck else self._roll(info, outcomes)

    def settle(self, state: State) -> list[int]:
        """Plays chance events until a seat is to move or the game is over; returns the outcomes played."""
        played = []
        while state.is_chance:
            played.append(self.outcome(state))
            state.apply(played[-1])
        return played

    def _top_card(self, info: GameInfo, deck: str, outcomes: Outcomes) -> int:
        """The card whose best copy still in the deck lies highest."""

        def height(outcome: int, left: int) -> int:
            place = (deck, outcome, left)
            if place not in self._heights:
                self._heights[place] = self._highest_copy(info, *place)
            return self._heights[place]

        return max(outcomes, key=lambda outcome: height(*outcome))[0]

    def _highest_copy(self, info: GameInfo, deck: str, outcome: int, left: int) -> int:
        """Noise of the highest copy left of an outcome's card: the copies gone lay above it."""
        cards, copies = _cards(info.name, outcome)
        if left > copies:
            raise ValueError(f"{left} copies of {' '.join(cards)} left in deck {deck}, {copies} in the box")
        noises = sorted((self._noise("deck", deck, *cards, copy) for copy in range(copies)), reverse=True)
        return noises[copies - left]

    def _roll(self, info: GameInfo, outcomes: Outcomes) -> int:
        event = _event(info, outcomes)
        occurrence = self._seen[event]
        self._seen[event] += 1

        def luck(outcome: int, weight: int) -> float:
            uniform = (self._noise("roll", *event, occurrence, outcome) + 0.5) / 2.0**64
            return log(weight) - log(-log(uniform))

        return max(outcomes, key=lambda outcome: luck(*outcome))[0]

    def _noise(self, *name: str | int) -> int:
        """64 uniform bits that belong to this seed and this name."""
        return int.from_bytes(blake2b(repr(name).encode(), digest_size=8, key=self._key).digest(), "big")


def _deck(info: GameInfo, outcomes: Outcomes) -> str:
    """The deck this node draws from, or ``""`` if it is no draw without replacement."""
    decks = {info.kinds[kind_of(outcome)].deck for outcome, _ in outcomes}
    return decks.pop() if len(decks) == 1 else ""


@cache
def _cards(game: str, outcome: int) -> tuple[tuple[str, ...], int]:
    """The components an outcome names, and how many copies of them the box holds."""
    info = describe(game)
    kind, values = info.kinds[kind_of(outcome)], arguments(info, outcome)
    cards: list[str] = []
    copies = 1
    for argument in kind.arguments:
        domain = info.domain_by_name[argument.domain]
        if domain.symbols:
            card = str(values[argument.name])
            cards.append(card)
            copies *= domain.copies[domain.symbols.index(card)]
    return tuple(cards), copies


def _event(info: GameInfo, outcomes: Outcomes) -> Event:
    """What happens here, without its result: the kind and the arguments on which all outcomes agree."""
    kinds = {kind_of(outcome) for outcome, _ in outcomes}
    if len(kinds) > 1:
        return tuple(info.kinds[kind].name for kind in sorted(kinds))
    each = [arguments(info, outcome) for outcome, _ in outcomes]
    shared = (
        f"{name}={value}" for name, value in each[0].items() if all(other[name] == value for other in each)
    )
    return (info.kinds[kinds.pop()].name, *shared)
