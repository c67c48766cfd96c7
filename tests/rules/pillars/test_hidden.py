"""The Pillars of the Earth: the event that one seat has looked at, the only thing anyone hides."""

from collections import Counter

import pytest

from kingsbridge.pyengine import SPECTATOR, Rng, State
from tests.rules.pillars.position import go_on, legal, look, outcomes, phase, play, position, seat
from tests.statistics import misfit

OWNER = 1
OTHERS = (0, 2, SPECTATOR)


def to_look() -> State:
    """Seat 1 is about to look at the event of the third round."""
    table = position(seat(), seat(advantages="A4"), seat(), phase="absent", round=3)
    return play(table, "absent(quarry=sand2, quarry2=sand3)")


def looked(event: str) -> State:
    return play(to_look(), f"look(seat={OWNER}, event={event})")


UNSEEN = list(look(to_look())["unseen_events"])


def test_the_owner_of_the_card_looks_at_any_event_not_yet_revealed() -> None:
    assert len(UNSEEN) == 8
    assert outcomes(to_look()) == {f"look(seat={OWNER}, event={card})": 1 for card in UNSEEN}


def test_the_owner_sees_the_event_and_the_others_see_that_he_has_looked() -> None:
    table = looked("E7")
    assert look(table, OWNER)["event"] == "E7"
    for viewer in OTHERS:
        assert look(table, viewer)["event"] == ""
        assert look(table, viewer)["looked"] == OWNER
    assert not any(look(table, viewer)["event_known"] for viewer in (OWNER, *OTHERS))


def test_a_card_looked_at_is_still_among_the_unseen_events_for_all() -> None:
    table = looked("E7")
    assert all(look(table, viewer)["unseen_events"] == UNSEEN for viewer in (OWNER, *OTHERS))


def test_the_views_of_the_others_are_equal_whatever_the_event() -> None:
    """Down to the reveal, on one and the same line of play."""
    tables = [looked(event) for event in UNSEEN]
    while phase(tables[0]) != "reveal":
        for viewer in OTHERS:
            sets = {table.information_set(viewer) for table in tables}
            assert len(sets) == 1
            assert len({one.key for one in sets}) == 1
        assert len({table.information_set(OWNER) for table in tables}) == len(UNSEEN)
        event = [*outcomes(tables[0]), *legal(tables[0])][0]
        tables = [play(table, event) for table in tables]


@pytest.mark.parametrize("viewer", OTHERS)
def test_the_others_imagine_each_unseen_event_equally_often_the_true_one_too(viewer: int) -> None:
    information = looked("E7").information_set(viewer)
    drawn = Counter(look(information.imagine(Rng(seed)), OWNER)["event"] for seed in range(2_000))
    assert misfit(drawn, dict.fromkeys(UNSEEN, 1.0)) < 4


def test_the_owner_imagines_the_event_he_has_seen() -> None:
    table = looked("E7")
    assert all(table.information_set(OWNER).imagine(Rng(seed)) == table for seed in range(50))


def test_all_hands_imagine_states_with_their_own_view() -> None:
    table = looked("E2")
    for viewer in (OWNER, *OTHERS):
        information = table.information_set(viewer)
        assert all(
            information.imagine(Rng(seed)).information_set(viewer) == information for seed in range(20)
        )


def test_the_event_looked_at_is_the_one_revealed() -> None:
    table = go_on(looked("E7"), ["reveal"])
    assert outcomes(table) == {"reveal(event=E7)": 1}
    shown = play(table, "reveal(event=E7)")
    assert all(look(shown, viewer)["event"] == "E7" for viewer in (OWNER, *OTHERS))
    assert look(shown)["looked"] == -1
    assert "E7" not in look(shown)["unseen_events"]


def test_without_a_look_nobody_knows_and_all_unseen_events_can_come() -> None:
    table = go_on(position(seat(), seat(), phase="absent", round=3), ["reveal"])
    assert list(outcomes(table)) == [f"reveal(event={card})" for card in look(table)["unseen_events"]]


def test_the_owner_looks_in_every_later_round_and_never_at_a_revealed_event() -> None:
    table, seen = looked("E7"), ["E7"]
    for number in (4, 5, 6):
        table = go_on(table, ["look"])
        assert look(table)["round"] == number
        assert not {f"look(seat={OWNER}, event={card})" for card in seen} & set(outcomes(table))
        table = play(table, next(iter(outcomes(table))))
        seen.append(look(table, OWNER)["event"])
    assert len(set(seen)) == 4


def test_the_card_bought_in_a_round_looks_from_the_next_round_on() -> None:
    table = position(seat(), seat(), phase="reveal", round=2, builders={"A4": 0})
    table = go_on(table, ["look"])
    assert look(table)["round"] == 3
    assert {event.partition(",")[0] for event in outcomes(table)} == {"look(seat=0"}


def test_of_the_look_the_others_observe_that_it_happens_and_the_owner_the_card() -> None:
    table = to_look()
    looks = [outcome for outcome, _ in table.chance_outcomes()]
    for viewer in OTHERS:
        assert len({table.observed(outcome, viewer) for outcome in looks}) == 1
    assert [table.observed(outcome, OWNER) for outcome in looks] == looks


def test_of_the_reveal_all_observe_the_card() -> None:
    table = go_on(position(seat(), seat(), phase="absent", round=3), ["reveal"])
    reveals = [outcome for outcome, _ in table.chance_outcomes()]
    for viewer in (0, 1, SPECTATOR):
        assert len({table.observed(outcome, viewer) for outcome in reveals}) == len(reveals)
