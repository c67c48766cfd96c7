"""The Builders: what is known of the decks, and decks that run out."""

from kingsbridge.pyengine import Rng
from tests.rules.builders.position import legal, look, outcomes, play, position, refused, seat, settle


def opens(actions: set[str]) -> set[str]:
    return {action for action in actions if action.startswith("open")}


# What is known


def test_the_first_refill_of_a_turn_is_known_and_the_second_is_not() -> None:
    before = position(seat(), seat(), buildings="B01 B02 B03 B04 B05", building_top="B34")
    first = play(before, "open(site=B01)")
    assert look(first)["building_row"] == ["B02", "B03", "B04", "B05", "B34"]
    rows = set()
    for outcome in outcomes(first):
        second = play(first, outcome, "open(site=B02)")
        rows.add(tuple(look(second)["building_row"]))
    assert len(rows) == 36


def test_every_unseen_card_is_equally_likely_to_show_next() -> None:
    before = position(
        seat(), seat(), buildings="B01 B02 B03 B04 B05", building_top="B06", building_deck="B34 M08 B12"
    )
    opened = play(before, "open(site=B01)")
    assert outcomes(opened) == {
        "reveal_site(site=B12)": 1,
        "reveal_site(site=B34)": 1,
        "reveal_site(site=M08)": 1,
    }


def test_two_unseen_workers_with_one_face_show_twice_as_often() -> None:
    before = position(
        seat(idle="W01"), seat(), workers="W07 W08 W09 W10 W11", worker_top="W12", worker_deck="W19 W19 W42"
    )
    recruited = play(before, "recruit(worker=W07)")
    assert outcomes(recruited) == {"reveal_worker(worker=W19)": 2, "reveal_worker(worker=W42)": 1}


def test_with_hidden_tops_the_card_that_fills_the_row_shows_by_chance() -> None:
    before = position(
        seat(), seat(), visible_tops=0, buildings="B01 B02 B03 B04 B05", building_deck="B31 B34"
    )
    opened = play(before, "open(site=B01)")
    assert look(opened)["building_row"] == ["B02", "B03", "B04", "B05"]
    assert outcomes(opened) == {"reveal_site(site=B31)": 1, "reveal_site(site=B34)": 1}
    filled = look(play(opened, "reveal_site(site=B34)"))
    assert filled["building_row"] == ["B02", "B03", "B04", "B05", "B34"]
    assert filled["building_top"] == ""
    assert filled["unseen_buildings"] == ["B31"]


def test_with_hidden_tops_a_recruited_worker_is_replaced_by_chance() -> None:
    before = position(
        seat(idle="W01"), seat(), visible_tops=0, workers="W07 W08 W09 W10 W11", worker_deck="W41 W42"
    )
    recruited = play(before, "recruit(worker=W07)")
    assert outcomes(recruited) == {"reveal_worker(worker=W41)": 1, "reveal_worker(worker=W42)": 1}
    assert look(play(recruited, "reveal_worker(worker=W41)"))["worker_row"] == [
        "W08",
        "W09",
        "W10",
        "W11",
        "W41",
    ]


def test_an_imagined_game_is_the_game_itself_since_only_chance_is_hidden() -> None:
    before = position(seat(), seat())
    for player in (0, 1):
        assert before.information_set(player).imagine(Rng(7)) == before


# Decks that run out


def test_the_last_card_of_the_deck_fills_the_row_and_nothing_is_left_to_show() -> None:
    before = position(seat(), seat(), buildings="B01 B02 B03 B04 B05", building_top="B34", building_deck="")
    opened = play(before, "open(site=B01)")
    assert not opened.is_chance
    assert look(opened)["building_row"] == ["B02", "B03", "B04", "B05", "B34"]
    assert look(opened)["building_top"] == ""


def test_with_an_empty_deck_the_row_of_buildings_gets_shorter() -> None:
    before = position(seat(), seat(), buildings="B01 B02 B03 B04 B05", building_deck="")
    opened = play(before, "open(site=B01)")
    assert not opened.is_chance
    assert look(opened)["building_row"] == ["B02", "B03", "B04", "B05"]
    assert opens(legal(opened)) == {f"open(site=B0{number})" for number in range(2, 6)}
    assert refused(opened, "open(site=B01)")


def test_with_an_empty_deck_the_row_of_workers_gets_shorter() -> None:
    before = position(seat(idle="W01"), seat(), workers="W07 W08", worker_deck="")
    recruited = play(before, "recruit(worker=W07)")
    assert not recruited.is_chance
    assert look(recruited)["worker_row"] == ["W08"]
    none_left = play(recruited, "recruit(worker=W08)")
    assert not none_left.is_chance
    assert not any(action.startswith("recruit") for action in legal(none_left))


def test_with_hidden_tops_the_last_cards_go_to_the_row_and_then_it_gets_shorter() -> None:
    before = position(seat(), seat(), visible_tops=0, buildings="B01 B02 B03 B04 B05", building_deck="B34")
    opened = play(before, "open(site=B01)")
    assert outcomes(opened) == {"reveal_site(site=B34)": 1}
    filled = play(opened, "reveal_site(site=B34)")
    shorter = play(filled, "open(site=B34)")
    assert not shorter.is_chance
    assert look(shorter)["building_row"] == ["B02", "B03", "B04", "B05"]


def test_with_empty_rows_and_no_idle_worker_actions_can_still_be_sold() -> None:
    before = position(
        seat(coins=4, sites={"B34": "W01"}),
        seat(),
        building_deck="",
        worker_deck="",
    )
    assert look(before)["building_row"] == look(before)["worker_row"] == []
    assert legal(before) == {f"coins(actions={number})" for number in (1, 2, 3)}


def test_nothing_is_put_back_into_a_deck() -> None:
    before = position(
        seat(coins=4, idle="W21", sites={"B31": "W05 W38"}), seat(), building_deck="", worker_deck=""
    )
    completed = settle(play(before, "send(worker=W21, site=B31)"))
    after = look(completed)
    assert after["unseen_buildings"] == after["building_row"] == []
    assert after["unseen_workers"] == after["worker_row"] == []
