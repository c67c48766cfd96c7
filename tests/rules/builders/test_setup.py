"""The Builders: what the box becomes before the first turn."""

import pytest

from kingsbridge.pyengine import CHANCE, Rng, State
from tests.rules.builders.position import look, outcomes, play, settle

APPRENTICES = ["W01", "W02", "W03", "W04", "W05", "W06"]
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


def opened_box(players: int, **options: int) -> State:
    return State.initial("builders", players, options)


def after_the_apprentices(players: int, **options: int) -> State:
    deal = [f"apprentice(seat={seat}, worker=W0{seat + 1})" for seat in range(players)]
    return play(opened_box(players, **options), "start(seat=0)", *deal)


@PLAYERS
def test_every_seat_is_equally_likely_to_begin(players: int) -> None:
    assert outcomes(opened_box(players)) == {f"start(seat={seat})": 1 for seat in range(players)}


@PLAYERS
def test_each_player_gets_one_of_the_six_apprentices_at_random(players: int) -> None:
    position = play(opened_box(players), "start(seat=1)")
    for seat in range(players):
        left = APPRENTICES[seat:]
        assert outcomes(position) == {f"apprentice(seat={seat}, worker={card})": 1 for card in left}
        position = play(position, f"apprentice(seat={seat}, worker={left[0]})")
    assert [one["idle"] for one in look(position)["seats"]] == [[card] for card in APPRENTICES[:players]]


@PLAYERS
def test_the_apprentices_left_over_go_back_into_the_worker_deck(players: int) -> None:
    assert look(after_the_apprentices(players))["unseen_workers"][: 6 - players] == APPRENTICES[players:]


@pytest.mark.parametrize(("players", "deck"), [(2, 35), (3, 34), (4, 33)])
def test_five_buildings_and_five_workers_lie_open_and_the_rest_are_the_decks(players: int, deck: int) -> None:
    dealt = look(settle(after_the_apprentices(players)))
    assert len(dealt["building_row"]) == 5
    assert len(dealt["worker_row"]) == 5
    assert len([dealt["building_top"], *dealt["unseen_buildings"]]) == 37
    assert len([dealt["worker_top"], *dealt["unseen_workers"]]) == deck


def test_the_building_row_is_laid_out_before_the_worker_row_and_the_tops_last() -> None:
    buildings = [f"reveal_site(site=B0{number})" for number in range(1, 6)]
    workers = [f"reveal_worker(worker=W{number})" for number in range(11, 16)]
    tops = ["reveal_site(site=M08)", "reveal_worker(worker=W42)"]
    dealt = play(after_the_apprentices(2), *buildings, *workers, *tops)
    assert dealt.current_player == 0
    seen = look(dealt)
    assert seen["building_row"] == ["B01", "B02", "B03", "B04", "B05"]
    assert seen["worker_row"] == ["W11", "W12", "W13", "W14", "W15"]
    assert (seen["building_top"], seen["worker_top"]) == ("M08", "W42")


def test_all_42_buildings_and_machines_are_equally_likely_to_be_the_first_in_the_row() -> None:
    chances = outcomes(after_the_apprentices(2))
    expected = [f"B{number:02}" for number in range(1, 35)] + [f"M0{number}" for number in range(1, 9)]
    assert chances == {f"reveal_site(site={card})": 1 for card in expected}


def test_the_two_workers_with_one_face_are_one_outcome_of_double_weight() -> None:
    position = after_the_apprentices(2)
    for _ in range(5):
        position = play(position, next(iter(outcomes(position))))
    chances = outcomes(position)
    assert sum(chances.values()) == 40
    assert len(chances) == 39
    assert {text for text, weight in chances.items() if weight != 1} == {"reveal_worker(worker=W19)"}
    assert chances["reveal_worker(worker=W19)"] == 2
    assert "reveal_worker(worker=W30)" not in chances


def test_both_workers_with_one_face_can_lie_in_the_row_under_one_name() -> None:
    position = after_the_apprentices(2)
    for _ in range(5):
        position = play(position, next(iter(outcomes(position))))
    once = play(position, "reveal_worker(worker=W19)")
    assert outcomes(once)["reveal_worker(worker=W19)"] == 1
    twice = play(once, "reveal_worker(worker=W19)")
    assert "reveal_worker(worker=W19)" not in outcomes(twice)
    assert look(twice)["worker_row"] == ["W19", "W19"]


@PLAYERS
def test_every_player_begins_with_ten_coins_and_nothing_else(players: int) -> None:
    for one in look(settle(opened_box(players)))["seats"]:
        assert one["coins"] == 10
        assert one["points"] == 0
        assert one["sites"] == []
        assert one["completed"] == []
        assert len(one["idle"]) == 1


@PLAYERS
def test_the_start_player_moves_first_with_three_actions(players: int) -> None:
    for seat in range(players):
        dealt = settle(play(opened_box(players), f"start(seat={seat})"))
        assert dealt.current_player == seat
        assert look(dealt)["actions"] == 3
        assert look(dealt)["round"] == 1


def test_with_hidden_tops_play_begins_when_the_rows_lie_open() -> None:
    position = after_the_apprentices(2, visible_tops=0)
    for _ in range(10):
        assert position.current_player == CHANCE
        position = play(position, next(iter(outcomes(position))))
    assert position.current_player == 0
    seen = look(position)
    assert (seen["building_top"], seen["worker_top"]) == ("", "")
    assert (len(seen["unseen_buildings"]), len(seen["unseen_workers"])) == (37, 35)


@PLAYERS
def test_nothing_but_the_order_of_the_decks_is_hidden(players: int) -> None:
    dealt = settle(opened_box(players))
    seen = look(dealt)
    for seat in range(players):
        assert dealt.information_set(seat).view() == seen | {"viewer": seat}
        assert dealt.information_set(seat).imagine(Rng(seat)) == dealt
