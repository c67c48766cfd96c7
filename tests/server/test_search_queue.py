"""The order of searches that wait: by class, by turns of the callers, and so that none starves."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kingsbridge.server.search import Priority
from kingsbridge.server.search_queue import SearchQueue, Ticket

TOURNAMENT, ANALYSIS, INTERACTIVE = Priority.TOURNAMENT, Priority.ANALYSIS, Priority.INTERACTIVE


def queue(places: int = 100, caller_places: int = 100) -> SearchQueue:
    return SearchQueue(places, caller_places, patience=10.0)


def added(to: SearchQueue, *tickets: Ticket) -> list[Ticket]:
    for ticket in tickets:
        to.add(ticket)
    return list(tickets)


def drained(waiting: SearchQueue, now: float = 0.0, running: Counter[str] | None = None) -> list[Ticket]:
    """All tickets in their order, none of which ends meanwhile."""
    running, tickets = Counter(running), []
    while (ticket := waiting.take(now, running)) is not None:
        running[ticket.caller] += 1
        tickets.append(ticket)
    return tickets


def test_who_plays_goes_before_who_looks_and_who_looks_before_games_among_bots() -> None:
    assert INTERACTIVE > ANALYSIS > TOURNAMENT
    waiting = queue()
    bots, looks, plays = added(
        waiting, Ticket(TOURNAMENT, "a", 0.0), Ticket(ANALYSIS, "a", 1.0), Ticket(INTERACTIVE, "a", 2.0)
    )
    assert drained(waiting, now=3.0) == [plays, looks, bots]


def test_the_searches_of_one_caller_keep_the_order_they_came_in() -> None:
    waiting = queue()
    tickets = added(waiting, *(Ticket(ANALYSIS, "a", float(second)) for second in range(5)))
    assert drained(waiting, now=5.0) == tickets


def test_a_caller_who_floods_the_queue_does_not_delay_another_by_more_than_one_search() -> None:
    waiting = queue()
    flood = added(waiting, *(Ticket(INTERACTIVE, "flood", 0.0) for _ in range(6)))
    few = added(waiting, Ticket(INTERACTIVE, "few", 1.0), Ticket(INTERACTIVE, "few", 1.0))
    assert drained(waiting, now=1.0) == [flood[0], few[0], flood[1], few[1], *flood[2:]]


def test_a_caller_with_fewer_searches_in_work_goes_first() -> None:
    waiting = queue()
    one, two, three = added(
        waiting,
        Ticket(INTERACTIVE, "two in work", 0.0),
        Ticket(INTERACTIVE, "one in work", 1.0),
        Ticket(INTERACTIVE, "none in work", 2.0),
    )
    assert drained(waiting, 3.0, Counter({"two in work": 2, "one in work": 1})) == [three, two, one]


def test_searches_in_work_count_whatever_their_class() -> None:
    waiting = queue()
    busy, free = added(waiting, Ticket(TOURNAMENT, "busy", 0.0), Ticket(TOURNAMENT, "free", 1.0))
    assert waiting.take(2.0, {"busy": 1}) is free
    assert waiting.take(2.0, {"busy": 1}) is busy


def test_callers_take_turns_among_equals() -> None:
    waiting = queue()
    for _ in range(3):
        for caller in "abc":
            waiting.add(Ticket(ANALYSIS, caller, 0.0))
    callers = []
    while (ticket := waiting.take(0.0, {})) is not None:  # each search ends before the next begins
        callers.append(ticket.caller)
    assert "".join(callers) == "abcabcabc"


def test_a_class_that_waited_ten_seconds_gets_one_worker_and_then_waits_anew() -> None:
    waiting = queue()
    bots = added(waiting, Ticket(TOURNAMENT, "bots", 0.0), Ticket(TOURNAMENT, "bots", 0.0))
    added(waiting, *(Ticket(INTERACTIVE, "people", 9.0) for _ in range(30)))
    taken = {now: waiting.take(float(now), {}) for now in range(9, 25)}
    assert [now for now, ticket in taken.items() if ticket in bots] == [10, 20]


def test_a_class_that_gets_workers_is_not_overdue_however_old_its_searches_are() -> None:
    waiting = queue()
    added(waiting, *(Ticket(ANALYSIS, "a", 0.0) for _ in range(3)))
    assert waiting.take(8.0, {}) is not None
    (person,) = added(waiting, Ticket(INTERACTIVE, "b", 12.0))
    assert waiting.take(12.0, {}) is person


def test_of_two_neglected_classes_the_longer_neglected_goes_first() -> None:
    waiting = queue()
    look, bots = added(waiting, Ticket(ANALYSIS, "a", 3.0), Ticket(TOURNAMENT, "b", 2.0))
    assert drained(waiting, now=15.0) == [bots, look]


def test_a_search_whose_time_is_over_takes_no_worker() -> None:
    waiting = queue()
    added(waiting, Ticket(INTERACTIVE, "a", 0.0, stop_by=5.0))
    (useful,) = added(waiting, Ticket(INTERACTIVE, "a", 1.0, stop_by=5.1))
    assert waiting.take(5.0, {}) is useful
    assert waiting.take(5.0, {}) is None
    assert len(waiting) == 0


def test_a_search_that_is_withdrawn_is_skipped_and_can_be_withdrawn_again() -> None:
    waiting = queue()
    first, second = added(waiting, Ticket(INTERACTIVE, "a", 0.0), Ticket(INTERACTIVE, "a", 0.0))
    waiting.remove(first)
    waiting.remove(first)
    assert list(waiting) == [second]
    assert drained(waiting) == [second]


def test_there_is_no_room_for_more_of_a_class_than_it_has_places() -> None:
    waiting = queue(places=2)
    added(waiting, Ticket(ANALYSIS, "a", 0.0), Ticket(ANALYSIS, "b", 0.0))
    assert waiting.shortage(Ticket(ANALYSIS, "c", 0.0)) == "2 analysis searches wait already"
    assert waiting.shortage(Ticket(INTERACTIVE, "c", 0.0)) == ""


def test_there_is_no_room_for_more_of_a_caller_than_he_has_places_in_all_classes() -> None:
    waiting = queue(caller_places=2)
    added(waiting, Ticket(ANALYSIS, "a", 0.0), Ticket(TOURNAMENT, "a", 0.0))
    refusal = waiting.shortage(Ticket(INTERACTIVE, "a", 0.0))
    assert refusal == "2 searches of this caller wait already"
    assert waiting.shortage(Ticket(INTERACTIVE, "b", 0.0)) == ""


def test_to_ask_for_the_order_changes_nothing() -> None:
    waiting = queue()
    tickets = added(waiting, *(Ticket(ANALYSIS, caller, 0.0) for caller in "aab"))
    expected = [tickets[0], tickets[2], tickets[1]]
    assert list(waiting.order(0.0, {})) == list(waiting.order(0.0, {})) == expected
    assert drained(waiting) == expected


tickets_ = st.builds(
    Ticket,
    priority=st.sampled_from(Priority),
    caller=st.sampled_from("abc"),
    since=st.floats(0, 5),
    stop_by=st.floats(0, 20) | st.just(float("inf")),
)


@given(st.lists(tickets_, max_size=30), st.data())
def test_no_ticket_is_lost_or_taken_twice_and_no_late_one_is_taken(
    tickets: list[Ticket], data: st.DataObject
) -> None:
    waiting, now = queue(), data.draw(st.floats(5, 14))
    added(waiting, *tickets)
    gone = data.draw(st.lists(st.sampled_from(tickets), max_size=5) if tickets else st.just([]))
    for ticket in gone:
        waiting.remove(ticket)
    expected = [each for each in tickets if each not in gone and each.stop_by > now]
    taken = drained(waiting, now)
    assert Counter(map(id, taken)) == Counter(map(id, expected))
    assert len(waiting) == 0


@given(st.lists(tickets_, max_size=30), st.floats(5, 9.9))
def test_while_no_class_is_neglected_higher_classes_go_first_and_each_caller_keeps_his_order(
    tickets: list[Ticket], now: float
) -> None:
    waiting = queue()
    added(waiting, *tickets)
    taken = drained(waiting, now)
    assert all(one.priority >= other.priority for one, other in pairwise(taken))
    for priority in Priority:
        for caller in "abc":
            his = [each for each in tickets if (each.priority, each.caller) == (priority, caller)]
            assert [each for each in taken if each in his] == [each for each in his if each.stop_by > now]


@given(
    st.lists(tickets_, max_size=30),
    st.floats(5, 25),
    st.dictionaries(st.sampled_from("abc"), st.integers(0, 3)),
)
def test_the_order_told_before_is_the_order_taken(
    tickets: list[Ticket], now: float, running: dict[str, int]
) -> None:
    waiting = queue()
    added(waiting, *tickets)
    told = list(waiting.order(now, running))
    assert drained(waiting, now, Counter(running)) == told
