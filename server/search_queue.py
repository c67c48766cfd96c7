"""Who gets the next free worker: an order of classes, and of callers within a class. It knows no worker.

A higher class goes before a lower one, whatever came first. So that none starves, a class that has waited for
``PATIENCE_SECONDS`` without a worker gets the next one, and then waits anew: under a flood of interactive
searches a tournament still makes one search in that time. Within a class the callers take turns; one who has
fewer searches in work goes before one who has more. The searches of one caller keep the order they came in.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from kingsbridge.server.search import Priority

PATIENCE_SECONDS = 10.0
"""How long a class waits for a worker while others get them."""


@dataclass(frozen=True, slots=True, eq=False)
class Ticket:
    """A search that waits or is in work, as far as the order minds it.

    ``since`` is when it came, ``stop_by`` when it is of no use any more, and ``seconds`` how long it is
    expected to keep a worker.
    """

    priority: Priority
    caller: str
    since: float
    seconds: float = 0.0
    stop_by: float = math.inf


class SearchQueue:
    """Tickets that wait, in the order of their turn."""

    def __init__(self, places: int, caller_places: int, patience: float = PATIENCE_SECONDS) -> None:
        """At most ``places`` tickets of a class wait, and ``caller_places`` of a caller in all classes.

        ``patience`` is in seconds.
        """
        self._places = places
        self._caller_places = caller_places
        self._classes = {priority: _Class(patience) for priority in sorted(Priority, reverse=True)}

    def __len__(self) -> int:
        return sum(map(len, self._classes.values()))

    def __iter__(self) -> Iterator[Ticket]:
        for waiting in self._classes.values():
            yield from waiting

    def shortage(self, ticket: Ticket) -> str:
        """Why there is no room for a ticket; empty if there is."""
        if len(self._classes[ticket.priority]) >= self._places:
            return f"{self._places} {ticket.priority.name.lower()} searches wait already"
        if sum(waiting.of(ticket.caller) for waiting in self._classes.values()) >= self._caller_places:
            return f"{self._caller_places} searches of this caller wait already"
        return ""

    def add(self, ticket: Ticket) -> None:
        """A ticket waits from now on, whether there is room or not."""
        self._classes[ticket.priority].add(ticket)

    def remove(self, ticket: Ticket) -> None:
        """A ticket waits no more; nothing happens if it did not."""
        self._classes[ticket.priority].remove(ticket)

    def take(self, now: float, running: Mapping[str, int]) -> Ticket | None:
        """The ticket whose turn it is; ``None`` if none waits. ``running``: searches in work, by caller.

        Tickets that are of no use any more are dropped on the way.
        """
        for waiting in self._classes.values():
            waiting.drop_late(now)
        return _take(self._classes.values(), now, running)

    def order(self, now: float, running: Mapping[str, int]) -> Iterator[Ticket]:
        """The tickets in the order of their turns, if none came or ended meanwhile."""
        rest, share = [waiting.twin() for waiting in self._classes.values()], Counter(running)
        for waiting in rest:
            waiting.drop_late(now)
        while (ticket := _take(rest, now, share)) is not None:
            share[ticket.caller] += 1
            yield ticket

    def waiting(self, priority: Priority) -> list[Ticket]:
        """The tickets of a class, caller by caller."""
        return list(self._classes[priority])


class _Class:
    """The tickets of one class: a ring of callers, each with a line of tickets."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._ring: dict[str, deque[Ticket]] = {}
        self._served = -math.inf

    def __bool__(self) -> bool:
        return bool(self._ring)

    def __len__(self) -> int:
        return sum(map(len, self._ring.values()))

    def __iter__(self) -> Iterator[Ticket]:
        for line in self._ring.values():
            yield from line

    @property
    def neglected_since(self) -> float:
        """The time from which on it has waited without getting a worker; infinite if none waits."""
        oldest = min((ticket.since for ticket in self), default=math.inf)
        return max(oldest, self._served)

    def overdue(self, now: float) -> bool:
        return now - self._served >= self._patience and now - self.neglected_since >= self._patience

    def of(self, caller: str) -> int:
        return len(self._ring.get(caller, ()))

    def add(self, ticket: Ticket) -> None:
        self._ring.setdefault(ticket.caller, deque()).append(ticket)

    def remove(self, ticket: Ticket) -> None:
        line = self._ring.get(ticket.caller, deque())
        if ticket in line:
            line.remove(ticket)
            self._forget_idle()

    def drop_late(self, now: float) -> None:
        for caller, line in self._ring.items():
            if any(ticket.stop_by <= now for ticket in line):
                self._ring[caller] = deque(ticket for ticket in line if ticket.stop_by > now)
        self._forget_idle()

    def take(self, now: float, running: Mapping[str, int]) -> Ticket:
        """The first ticket of the caller whose turn it is; he goes to the end of the ring."""
        idle = next((each for each in self._ring if not running.get(each)), None)
        caller = min(self._ring, key=lambda each: running.get(each, 0)) if idle is None else idle
        line = self._ring.pop(caller)
        ticket = line.popleft()
        if line:
            self._ring[caller] = line
        self._served = now
        return ticket

    def twin(self) -> _Class:
        other = _Class(self._patience)
        other._ring = {caller: deque(line) for caller, line in self._ring.items()}
        other._served = self._served
        return other

    def _forget_idle(self) -> None:
        self._ring = {caller: line for caller, line in self._ring.items() if line}


def _take(classes: Collection[_Class], now: float, running: Mapping[str, int]) -> Ticket | None:
    """The next ticket of some classes, highest first; none of them is late."""
    overdue = [waiting for waiting in classes if waiting.overdue(now)]
    if overdue:
        return min(overdue, key=lambda waiting: waiting.neglected_since).take(now, running)
    return next((waiting.take(now, running) for waiting in classes if waiting), None)
