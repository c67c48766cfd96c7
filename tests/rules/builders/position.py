"""Positions of The Builders for tests, said in few words.

A test names only the cards it is about; the others are laid out by rule, so that every position is one of the
whole box: lowest numbers first fill the rows to five and then the tops, the rest are the unseen cards.
"""

from collections import Counter
from typing import Any

from kingsbridge.pyengine import (
    SPECTATOR,
    IllegalActionError,
    InformationSet,
    Rng,
    State,
    action_text,
    parse_action,
)
from tests.oracle.builders import in_order
from tests.oracle.builders_cards import APPRENTICES, BUILDINGS, CARDS, MACHINES, WORKERS, face

GAME = "builders"
View = dict[str, Any]


def seat(
    *,
    coins: int = 10,
    idle: str = "",
    sites: dict[str, str] | None = None,
    sent: dict[str, int] | None = None,
    completed: str = "",
) -> View:
    """What lies in front of one player; cards are words: ``idle="W21 M05"``, ``sites={"B31": "W25 W32"}``.

    ``sent`` counts the workers sent to a site in the turn under way.
    """
    done = completed.split()
    return {
        "coins": coins,
        "points": sum(CARDS[card].points for card in done),
        "idle": in_order(idle.split()),
        "sites": [
            _site(site, (sites or {})[site].split(), (sent or {}).get(site, 0))
            for site in in_order(sites or {})
        ],
        "completed": in_order(done),
    }


def _site(site: str, workers: list[str], sent: int) -> View:
    needs = CARDS[site].needs
    return {
        "site": site,
        "workers": in_order(workers),
        "sent": sent,
        "missing": [max(0, needs[r] - sum(CARDS[worker].makes[r] for worker in workers)) for r in range(4)],
    }


def view(
    *seats: View,
    buildings: str = "",
    workers: str = "",
    building_top: str = "",
    worker_top: str = "",
    building_deck: str | None = None,
    worker_deck: str | None = None,
    **facts: int,
) -> View:
    """A spectator's view: the first seat begins its twentieth turn, unless ``facts`` say otherwise.

    ``buildings`` and ``workers`` start the rows. A deck given (the top card not among it) is the whole deck;
    then the cards nobody named lie as open sites, or idle workers, before the last seat. A seat without an
    apprentice is given its own.
    """
    position: View = {
        "players": len(seats),
        "max_rounds": 40,
        "visible_tops": True,
        "cumulative_coins": False,
        "viewer": SPECTATOR,
        "phase": "play",
        "round": 20,
        "start_player": 0,
        "mover": 0,
        "actions": 3,
        "coins_sold": 0,
        "final_round": False,
    }
    position |= facts | {"seats": [dict(one) for one in seats]}
    position["final_round"] |= position["round"] == position["max_rounds"]
    for name in ("visible_tops", "cumulative_coins", "final_round"):
        position[name] = bool(position[name])
    _give_apprentices(position["seats"], workers)
    owned = _owned(position["seats"])
    tops = bool(position["visible_tops"])
    last = position["seats"][-1]

    box = Counter(card.id for card in BUILDINGS + MACHINES)
    lay = _lay_out(box - owned, buildings, building_top, building_deck, tops)
    position["building_row"], position["building_top"], position["unseen_buildings"], rest = lay
    last["sites"] = sorted(
        last["sites"] + [_site(card, [], 0) for card in rest], key=lambda site: str(site["site"])
    )

    box = Counter(face(card.id) for card in WORKERS)
    lay = _lay_out(box - owned, workers, worker_top, worker_deck, tops)
    position["worker_row"], position["worker_top"], position["unseen_workers"], rest = lay
    last["idle"] = in_order(last["idle"] + rest)
    return position


def _give_apprentices(seats: list[View], row: str) -> None:
    taken = set(_owned(seats)) | set(row.split())
    spare = [card for card in APPRENTICES if card not in taken]
    for one in seats:
        if not set(_owned([one])) & set(APPRENTICES):
            one["idle"] = in_order([*one["idle"], spare.pop(0)])


def _owned(seats: list[View]) -> Counter[str]:
    """All cards before the seats; a machine that works is counted once, as completed."""
    cards: Counter[str] = Counter()
    for one in seats:
        cards.update(card for card in one["idle"] if card[0] == "W")
        for site in one["sites"]:
            cards[site["site"]] += 1
            cards.update(card for card in site["workers"] if card[0] == "W")
        cards.update(one["completed"])
    return cards


def _lay_out(
    left: Counter[str], row: str, top: str, deck: str | None, tops: bool
) -> tuple[list[str], str, list[str], list[str]]:
    """Row, top, unseen cards, and what is left over for the last seat."""
    named = row.split()
    left = left - Counter(named) - Counter([top] if top else [])
    spare = in_order(left.elements())
    if deck is not None:
        unseen = in_order(deck.split())
        rest = in_order((Counter(spare) - Counter(unseen)).elements())
        return in_order(named), top, unseen, rest
    while len(named) < 5 and spare:
        named.append(spare.pop(0))
    if tops and not top and spare:
        top = spare.pop(0)
    return in_order(named), top, spare, []


def state(position: View) -> State:
    """The position of a view; the order of the decks is no part of a position."""
    return InformationSet.from_view(GAME, position).imagine(Rng(1))


def position(*seats: View, **facts: Any) -> State:
    """``state(view(...))``."""
    return state(view(*seats, **facts))


def look(position: State) -> View:
    """What everyone sees."""
    return position.information_set(SPECTATOR).view()


def legal(position: State) -> set[str]:
    """Legal actions as texts."""
    return {action_text(GAME, action) for action in position.legal_actions()}


def outcomes(position: State) -> dict[str, int]:
    """Chance outcomes as texts, with their weights."""
    return {action_text(GAME, outcome): weight for outcome, weight in position.chance_outcomes()}


def play(position: State, *actions: str) -> State:
    """The position after these actions or outcomes, each of which must be legal."""
    after = position.copy()
    for action in actions:
        after.apply(parse_action(GAME, action))
    return after


def settle(position: State) -> State:
    """The position after the lowest outcomes of all pending chance events."""
    after = position.copy()
    while after.is_chance:
        after.apply(after.chance_outcomes()[0][0])
    return after


def refused(position: State, action: str) -> bool:
    """Whether the engine refuses an action and leaves the position as it was."""
    before = position.copy()
    try:
        position.apply(parse_action(GAME, action))
    except IllegalActionError:
        return position == before and not position.is_legal(parse_action(GAME, action))
    return False


def pass_turn(position: State) -> State:
    """The position at the next seat's turn: the mover sells what actions he has and ends his turn."""
    after = position.copy()
    actions = int(look(after)["actions"])
    while actions > 0:
        sold = min(3, actions)
        after.apply(parse_action(GAME, f"coins(actions={sold})"))
        actions -= sold
    after.apply(parse_action(GAME, "end()"))
    return after
