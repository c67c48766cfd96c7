"""Which action to try next: UCB1 over actions that are not always available.

UCB1: Auer, Cesa-Bianchi, Fischer, "Finite-time analysis of the multiarmed bandit problem" (2002). With
availability counts in place of the parent's visits: Cowling, Powley, Whitehouse, "Information set Monte Carlo
tree search" (2012).
"""

from __future__ import annotations

from math import log, sqrt


class Bandit:
    """The actions of one node and what they brought to its seat: parallel lists, one slot an action.

    Sums are integers (utilities in units of ``1 / UTILITY_ONE``), so they do not depend on the order of
    summing. As long as every visit offers the same actions, the availability of each is the number of visits
    and ``availability`` stays ``None``; this is the fast way. Only when the offers differ is it counted for
    each action.
    """

    __slots__ = (
        "_means",
        "_slots",
        "_untried",
        "_widths",
        "actions",
        "availability",
        "offers",
        "seat",
        "totals",
        "visits",
    )

    def __init__(self, seat: int, legal: list[int], order: list[int]) -> None:
        """``legal`` is ascending; ``order`` lists its slots as they are to be tried first, the last one
        first.
        """
        count = len(legal)
        self.seat = seat
        self.actions = legal
        self.visits = [0] * count
        self.totals = [0] * count
        self.offers = 0
        self.availability: list[int] | None = None
        self._untried = order
        self._slots: dict[int, int] = {}
        self._means = [0.0] * count
        self._widths = [0.0] * count  # 1 / sqrt(visits)

    def pick(self, legal: list[int], exploration: float) -> int:
        """The slot to try now: an untried action if there is one, else the highest upper confidence bound.

        The bound is ``mean + exploration * sqrt(ln(availability) / visits)``, in units of utility, and the
        availability counts this offer. Equal bounds go to the lower action.
        """
        if self.availability is not None or legal != self.actions:
            return self._pick_available(legal, exploration)
        self.offers = offers = self.offers + 1
        if self._untried:
            return self._untried.pop()
        scale = exploration * sqrt(log(offers))
        bounds = [mean + scale * width for mean, width in zip(self._means, self._widths, strict=True)]
        return bounds.index(max(bounds))

    def reward(self, slot: int, utility: int) -> None:
        """Adds the outcome of one visit."""
        self.visits[slot] = visits = self.visits[slot] + 1
        self.totals[slot] = total = self.totals[slot] + utility
        self._means[slot] = total / visits
        self._widths[slot] = 1.0 / sqrt(visits)

    def available(self, slot: int) -> int:
        """How many visits offered the action."""
        return self.offers if self.availability is None else self.availability[slot]

    def most_visited(self, legal: list[int]) -> int | None:
        """The most visited of these, then the higher mean, then the lower number; ``None`` if none is."""
        slots = [slot for slot, action in enumerate(self.actions) if self.visits[slot] and action in legal]
        if not slots:
            return None
        best = min(slots, key=lambda slot: (-self.visits[slot], -self._means[slot], self.actions[slot]))
        return self.actions[best]

    def rows(self) -> list[tuple[int, int, int, int]]:
        """(action, visits, availability, total utility) of every action, by action."""
        slots = range(len(self.actions))
        return sorted((self.actions[i], self.visits[i], self.available(i), self.totals[i]) for i in slots)

    def _pick_available(self, legal: list[int], exploration: float) -> int:
        """The same choice, among the actions of this offer only."""
        availability = self._count(legal)
        slots = [self._slots[action] for action in legal]
        offered = set(slots)
        for slot in reversed(self._untried):
            if slot in offered:
                self._untried.remove(slot)
                return slot
        best, best_bound = -1, float("-inf")
        for slot in slots:
            bound = self._means[slot] + exploration * sqrt(log(availability[slot])) * self._widths[slot]
            if bound > best_bound:
                best, best_bound = slot, bound
        return best

    def _count(self, legal: list[int]) -> list[int]:
        """Counts an offer that may differ from earlier ones, taking in actions not seen before."""
        if self.availability is None:
            self.availability = [self.offers] * len(self.actions)
            self.actions = list(self.actions)
            self._slots = {action: slot for slot, action in enumerate(self.actions)}
        for action in legal:
            if action not in self._slots:
                self._take_in(action)
                self.availability.append(0)
            self.availability[self._slots[action]] += 1
        self.offers += 1
        return self.availability

    def _take_in(self, action: int) -> None:
        """A slot for an action first offered now; it is tried before all others."""
        self._slots[action] = slot = len(self.actions)
        self._untried.append(slot)
        self.actions.append(action)
        self.visits.append(0)
        self.totals.append(0)
        self._means.append(0.0)
        self._widths.append(0.0)
