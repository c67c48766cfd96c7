"""Which action to try next: UCB1 over actions that are not always available.

UCB1: Auer, Cesa-Bianchi, Fischer, "Finite-time analysis of the multiarmed bandit problem" (2002). With
availability counts in place of the parent's visits: Cowling, Powley, Whitehouse, "Information set Monte Carlo
tree search" (2012). First-play urgency: Gelly, Wang, "Exploration exploitation in Go: UCT for
Monte-Carlo Go" (2006). Progressive bias: Chaslot, Winands, van den Herik, Uiterwijk, Bouzy, "Progressive
strategies for Monte-Carlo tree search" (2008).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp, inf, log, sqrt

Rate = Callable[[], dict[int, float]]
"""What is thought of each action of an offer before it is tried: 0 for the best, less for the others, in
units of utility."""


@dataclass
class Weighing:
    """How the actions of every node of a tree are weighed.

    UCB1 takes the highest ``mean + c * sqrt(ln(availability) / visits)``, PUCT (Rosin, "Multi-armed bandits
    with episode context", 2011) the highest ``mean + c * prior * sqrt(availability) / (1 + visits)``; all but
    ``widening`` in units of utility.
    """

    puct: bool
    c: float
    caution: float
    """An untried action passes for its node's mean less this."""
    trust: float
    """After so many visits half of what was thought of an action beforehand counts."""
    temperature: float
    """Evens the priors of PUCT out."""
    widening: float
    """Actions considered after n visits are this times n ** 0.4, at least one; 0: all."""
    scales: list[float] = field(default_factory=lambda: [0.0])
    """What of a bound depends on the availability, indexed by it."""

    def extend(self) -> None:
        """Makes the table longer by one: no node has been offered more often than there are iterations."""
        offers = max(1, len(self.scales))
        self.scales.append(self.c * sqrt(offers if self.puct else log(offers)))

    def widens(self, visits: int, tried: int) -> bool:
        """Whether after so many visits of a node, with so many actions tried, another may be."""
        return self.widening == 0 or tried < self.widening * float(visits) ** 0.4


class Bandit:
    """The actions of one node and what they brought to its seat.

    ``actions`` are in the order of their first trial, then those that wait for it; ``visits``, ``totals``,
    means and widths are parallel to them, one slot an action, and end with the tried ones. Sums are integers
    (utilities in units of ``1 / UTILITY_ONE``), so they do not depend on the order of summing.

    What is thought of an action beforehand is added to its bound, the less of it the more is known: after
    ``trust`` visits half of it.

    As long as every visit offers the same actions, the availability of each is the number of visits, and
    nothing else is counted; this is the fast way. Only when the offers differ is it counted for each action.
    """

    __slots__ = (
        "_availability",
        "_biases",
        "_legal",
        "_means",
        "_odds",
        "_prior",
        "_ranks",
        "_slots",
        "_total",
        "_widths",
        "actions",
        "by",
        "offers",
        "seat",
        "totals",
        "visits",
    )

    def __init__(
        self, seat: int, legal: list[int], order: list[int], prior: dict[int, float], by: Weighing
    ) -> None:
        """``legal`` is ascending; ``order`` holds the same actions as they are to be tried."""
        self.seat = seat
        self.actions = order
        self.offers = 0
        self.visits: list[int] = []
        self.totals: list[int] = []
        self._means: list[float] = []
        self._widths: list[float] = []  # how the bound's width depends on the visits
        self._biases: list[float] = []
        self._prior = prior
        self.by = by
        self._odds = sum((exp(prior[action] / by.temperature) for action in legal), 0.0) if by.puct else 1.0
        self._total = 0
        self._legal = legal
        self._slots: dict[int, int] = {}
        self._ranks: dict[int, int] = {}  # of untried actions, the highest first
        self._availability: dict[int, int] | None = None

    def pick(self, legal: list[int], rate: Rate) -> int:
        """The slot to try now: the one of the highest upper confidence bound. A reward must follow.

        The bound is ``mean + scales[availability] * width + bias``, in units of utility; the width is ``1 /
        sqrt(visits)``, or ``prior / (1 + visits)`` by PUCT; the availability counts this offer. Of the
        untried actions only the first in the order is a candidate, judged as if one visit had brought the
        mean of the node less the caution. Equal bounds go to the untried action, then to the lower one.
        ``rate`` is asked about actions that were never offered before.
        """
        if self._availability is not None or legal != self._legal:
            return self._pick_available(legal, rate)
        offers = self.offers + 1
        self.offers = offers
        means = self._means
        tried = len(means)
        if not tried:
            return 0
        scale = self.by.scales[offers]
        parallel = zip(means, self._widths, self._biases)  # noqa: B905 - of one length, and hot
        bounds = [mean + scale * width + bias for mean, width, bias in parallel]
        best = max(bounds)
        if (
            tried < len(legal)
            and self.by.widens(offers - 1, tried)
            and self._urgency(self.actions[tried], offers - 1, scale) >= best
        ):
            return tried
        if bounds.count(best) == 1:
            return bounds.index(best)
        return min((slot for slot in range(tried) if bounds[slot] == best), key=self.actions.__getitem__)

    def reward(self, slot: int, utility: int) -> None:
        """Adds the outcome of one visit."""
        self._total += utility
        if slot == len(self.visits):
            self.visits.append(1)
            self.totals.append(utility)
            self._means.append(float(utility))
            self._widths.append(self._width(self.actions[slot], 1))
            self._biases.append(self._bias(slot, 1))
            return
        self.visits[slot] = visits = self.visits[slot] + 1
        self.totals[slot] = total = self.totals[slot] + utility
        self._means[slot] = total / visits
        self._widths[slot] = self._width(self.actions[slot], visits)
        self._biases[slot] = self._bias(slot, visits)

    def available(self, action: int) -> int:
        """How many visits offered the action."""
        return self.offers if self._availability is None else self._availability[action]

    def most_visited(self, legal: list[int]) -> int | None:
        """The most visited of these, then the higher mean, then the lower number; ``None`` if none is."""
        tried = zip(self.actions, self.visits, self._means, strict=False)
        rows = [(-visits, -mean, action) for action, visits, mean in tried if action in legal]
        return min(rows)[2] if rows else None

    def rows(self) -> list[tuple[int, int, int, int]]:
        """(action, visits, availability, total utility) of every action, by action."""
        tried = zip(self.actions, zip(self.visits, self.totals, strict=True), strict=False)
        known = dict.fromkeys(self._availability or self.actions, (0, 0)) | dict(tried)
        return [
            (action, visits, self.available(action), total)
            for action, (visits, total) in sorted(known.items())
        ]

    def _bias(self, slot: int, visits: int) -> float:
        trust = self.by.trust
        return self._prior[self.actions[slot]] * trust / (trust + visits)

    def _width(self, action: int, visits: int) -> float:
        if self.by.puct:
            return exp(self._prior[action] / self.by.temperature) / self._odds / (1.0 + visits)
        return 1.0 / sqrt(visits)

    def _urgency(self, action: int, offers: int, scale: float) -> float:
        """The bound of an untried action: as if one visit had brought the mean less the caution."""
        width = self._width(action, 0 if self.by.puct else 1)
        return self._total / offers - self.by.caution + scale * width + self._prior[action]

    def _pick_available(self, legal: list[int], rate: Rate) -> int:
        """The same choice among the actions of this offer, which may differ from earlier ones."""
        availability = self._tell_apart() if self._availability is None else self._availability
        slots, ranks, means, widths = self._slots, self._ranks, self._means, self._widths
        scales = self.by.scales
        if not availability.keys() >= set(legal):
            self._prior = rate() | self._prior
        self.offers = offers = self.offers + 1
        best, best_bound = -1, -inf
        first, first_rank = -1, -inf
        for action in legal:
            availability[action] = offered = availability.get(action, 0) + 1
            slot = slots.get(action)
            if slot is None:
                rank = ranks.setdefault(action, offers)  # first offered now: the next to be tried
                if rank > first_rank:
                    first, first_rank = action, rank
            else:
                bound = means[slot] + scales[offered] * widths[slot] + self._biases[slot]
                if bound > best_bound:
                    best, best_bound = slot, bound
        if first < 0:
            return best
        if best >= 0:
            widens = self.by.widens(offers - 1, len(slots))
            if not widens or self._urgency(first, offers - 1, scales[availability[first]]) < best_bound:
                return best
        slots[first] = slot = len(self.actions)
        self.actions.append(first)
        return slot

    def _tell_apart(self) -> dict[int, int]:
        """From now on offers are counted by action, and ``actions`` holds the tried ones only."""
        tried = len(self.visits)
        self._availability = dict.fromkeys(self.actions, self.offers)
        self._ranks = {action: -place for place, action in enumerate(self.actions[tried:])}
        del self.actions[tried:]
        self._slots = {action: slot for slot, action in enumerate(self.actions)}
        return self._availability
