"""Views of A Column of Fire for tests, said in few words; what is not named lies as in a quiet year."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from kingsbridge.pyengine import (
    SPECTATOR,
    InformationSet,
    Rng,
    State,
    describe,
)
from tests.rules.column.cards import (
    BOX,
    COUNTRIES,
    DICE,
    GAME,
    GOODS,
    TILES,
    characters,
    deck,
    ship,
)

View = dict[str, Any]

POINTS: Final = {"use_card": "card", "recruit": "recruit", "track": "track", "use_space": "space"}
"""Where the question of a phase stands in a half-turn, if there is one place only."""
SEED_TILES: Final = (12, 11, 5, 0, 0, 0, 0, 0, 0, 0, 0)
"""The tiles with the option ``seed_tiles``."""


# Views


def seat(
    *,
    points: int = 10,
    religion: str = "catholic",
    religion_die: int = 3,
    protection: int = 0,
    space: str = "",
    houses: str = "",
    row: str = "",
    prison: str = "",
    rolled: str = "",
    tiles: str = "",
    held: int = 0,
    **goods: int,
) -> View:
    """What one player has; goods go by their names: ``seat(ore=2, houses="France3")``.

    ``tiles`` are face down and known to this seat; ``held`` counts face-down tiles the test does not know.
    """
    sites = dict(split(word) for word in houses.split())
    cards = [word.split("=") for word in row.split()]
    dice = [split(die) for _, die in cards] + [split(word) for word in (prison + " " + rolled).split()]
    faces = dict(dice)
    own = Counter(tiles.split())
    return {
        "points": points,
        "goods": [goods.pop(good, 0) for good in GOODS],
        "protection": protection,
        "religion": religion,
        "religion_die": religion_die,
        "space": space,
        "houses": [sites.get(country, 0) for country in COUNTRIES],
        "faces": [faces.get(die, 0) for die in DICE],
        "row": [{"card": card, "die": split(die)[0]} for card, die in cards],
        "prison": sorted((split(word)[0] for word in prison.split()), key=DICE.index),
        "held": max(held, own.total()),
        "tiles": [own[tile] for tile in TILES],
    } | goods


def split(word: str) -> tuple[str, int]:
    """``"white3"`` as die and face, ``"Spain4"`` as country and site."""
    return word[:-1], int(word[-1])


def view(
    *seats: View,
    phase: str,
    point: str | None = None,
    face_up: dict[str, str] | None = None,
    stones: dict[str, str] | None = None,
    unseen: dict[str, str] | None = None,
    gone: str = "",
    gone_tiles: str = "",
    **facts: Any,
) -> View:
    """A view of a phase, of the seat whose tiles are named, else of a spectator.

    Seat 0 begins the year and has the turn unless ``facts`` say otherwise. ``stones`` are letters:
    ``{"Spain": "CPN"}``. ``unseen`` names whole decks; of other decks all is unseen but what lies somewhere
    or is ``gone``. A country shows its first free character.
    """
    stands = point or POINTS[phase]
    position = _options(facts) | {
        "players": len(seats),
        "viewer": _viewer(seats),
        "phase": phase,
        "point": stands,
        "year": 3,
        "half": 1 if stands in ("cards", "card") else 2,
        "start_player": 0,
        "turn": facts.get("turn", 0),
        "mover": 0 if phase == "flip" else facts.get("turn", 0),
        "flipping": "",
        "event": "",
        "event_done": False,
        "die": "",
        "country": "",
        "cursor": 0,
        "space": "",
        "acting": "",
        "stones": [],
        "sold": [False] * 8,
        "seats": [dict(one) for one in seats],
    }
    position |= facts
    _place_disks(position)
    _show_dice(position)
    position["countries"] = [
        _country(
            position,
            country,
            face_up=face_up or {},
            stones=(stones or {}).get(country, ""),
            unseen=unseen or {},
            gone=gone,
        )
        for country in COUNTRIES
    ]
    position.setdefault("ending", _is_ending(position))
    box = SEED_TILES if position["seed_tiles"] else tuple(BOX[tile].copies for tile in TILES)
    known = Counter(gone_tiles.split())
    for one in seats:
        known.update(dict(zip(TILES, one["tiles"], strict=True)))
    position.setdefault("unseen_tiles", [count - known[tile] for tile, count in zip(TILES, box, strict=True)])
    return position


def _options(facts: View) -> View:
    chosen = {one.name: facts.pop(one.name, one.default) for one in describe(GAME).options}
    return {name: int(value) if name == "max_years" else bool(value) for name, value in chosen.items()}


def _viewer(seats: Iterable[View]) -> int:
    knowing = [number for number, one in enumerate(seats) if any(one["tiles"])]
    assert len(knowing) < 2, "a view knows the tiles of one seat"
    return knowing[0] if knowing else SPECTATOR


def _place_disks(position: View) -> None:
    """Disks not placed lie on the ship spaces nobody is on."""
    taken = {one["space"] for one in position["seats"]}
    free = [ship(country) for country in COUNTRIES if ship(country) not in taken]
    for one in position["seats"]:
        if not one["space"]:
            one["space"] = free.pop(0)
    if position["phase"] == "use_space" and not position["space"]:
        position["space"] = position["seats"][position["turn"]]["space"]


def _show_dice(position: View) -> None:
    """Before the recruiting choice all free dice of the turn's seat show a face: 1 if not named."""
    if position["phase"] == "recruit":
        one = position["seats"][position["turn"]]
        one["faces"] = [face or 1 for face in one["faces"]]


def _country(
    position: View,
    country: str,
    *,
    face_up: dict[str, str],
    stones: str,
    unseen: dict[str, str],
    gone: str,
) -> View:
    out = set(gone.split()) | {place["card"] for one in position["seats"] for place in one["row"]}
    out |= {position["event"], *unseen.get(country, "").split()}
    shown = face_up.get(country, "")
    if country not in face_up and position["flipping"] != country:
        shown = next(card for card in characters(country=country) if card not in out)
    left = [card for card in deck(country) if card not in out and card != shown]
    if country in unseen:
        left = [card for card in deck(country) if card in unseen[country].split()]
    elif not shown and position["flipping"] != country:
        left = []
    return {
        "face_up": shown,
        "stones": [stones.count(letter) for letter in "CPN"],
        "unseen": left,
    }


def _is_ending(position: View) -> bool:
    exhausted = any(
        not one["face_up"] and position["flipping"] != country
        for one, country in zip(position["countries"], COUNTRIES, strict=True)
    )
    return exhausted or any(one["points"] >= 50 for one in position["seats"])


def state(position: View) -> State:
    """The position of a view."""
    return InformationSet.from_view(GAME, position).imagine(Rng(1))


def position(*seats: View, **facts: Any) -> State:
    """``state(view(...))``."""
    return state(view(*seats, **facts))
