"""The dealer: luck that belongs to the deal, whatever the players do."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingsbridge.pyengine import (
    Dealer,
    GameInfo,
    Rng,
    State,
    arguments,
    describe,
    kind_of,
    load_game,
    new_seed,
)
from tests.conformance.walks import TABLES, Table, at_every_table, law
from tests.statistics import misfit


def play(state: State, dealer: Dealer, rng: Rng, policy: str) -> list[tuple[str, str]]:
    """Plays to the end, and returns the (deck, card) of each draw in order; a card that is first looked at
    and later shown is one draw. Decks of one kind that lie side by side are told apart by their cards.
    """
    info, draws = describe(state.game), []
    last: dict[str, tuple[int, str]] = {}
    decks: dict[str, str] = {}
    while not state.is_terminal:
        if state.is_chance:
            outcome = dealer.outcome(state)
            deck = info.kinds[kind_of(outcome)].deck
            card = _card(info, outcome)
            kind, seen = last.get(deck, (kind_of(outcome), ""))
            shown_again = seen == card and kind != kind_of(outcome) and len(state.chance_outcomes()) == 1
            for other, _ in state.chance_outcomes():
                decks.setdefault(_card(info, other), f"{deck} with {card}")
            if deck and not shown_again:
                draws.append((decks[card], card))
                last[deck] = (kind_of(outcome), card)
            state.apply(outcome)
        else:
            state.apply(state.sample_action(rng, policy))
    return draws


def _card(info: GameInfo, outcome: int) -> str:
    return str(list(arguments(info, outcome).values())[-1]) if arguments(info, outcome) else ""


def by_deck(draws: list[tuple[str, str]]) -> dict[str, list[str]]:
    decks: dict[str, list[str]] = {}
    for deck, card in draws:
        decks.setdefault(deck, []).append(card)
    return decks


@at_every_table
@law
@given(seed=st.integers(0, 2**128 - 1), first=st.integers(0, 2**64 - 1), second=st.integers(0, 2**64 - 1))
def test_a_deck_keeps_one_order_whatever_the_players_do(
    table: Table, seed: int, first: int, second: int
) -> None:
    one = by_deck(play(load_game(table.game, table.players), Dealer(seed), Rng(first), "light"))
    other = by_deck(play(load_game(table.game, table.players), Dealer(seed), Rng(second), "uniform"))
    assert set(one) == set(other)
    for deck, cards in one.items():
        shared = min(len(cards), len(other[deck]))
        assert cards[:shared] == other[deck][:shared]


@at_every_table
def test_the_same_seed_deals_the_same_and_another_seed_another(table: Table) -> None:
    def deal(seed: int) -> list[int]:
        return Dealer(seed).settle(load_game(table.game, table.players))

    assert deal(77) == deal(77)
    assert len({tuple(deal(seed)) for seed in range(50)}) > 40


@at_every_table
def test_settling_ends_where_a_seat_is_to_move_and_replays(table: Table) -> None:
    state = load_game(table.game, table.players)
    replay = state.copy()
    for outcome in Dealer(5).settle(state):
        replay.apply(outcome)
    assert state == replay
    assert not state.is_chance


@at_every_table
def test_every_chance_node_has_the_distribution_of_its_weights_over_many_seeds(table: Table) -> None:
    """The path to the node is fixed, so only its own noise decides: a fresh dealer each time."""
    state = load_game(table.game, table.players)
    rng = Rng(31)
    for _ in range(40):
        if state.is_chance and len(state.chance_outcomes()) > 1:
            drawn = Counter(Dealer(seed).outcome(state) for seed in range(500))
            # A fresh dealer does not know which copy is gone: for such decks see the test of two copies.
            if _is_whole(state):
                assert misfit(drawn, dict(state.chance_outcomes())) < 4
        state.apply(state.sample_chance(rng) if state.is_chance else state.sample_action(rng))


def test_the_second_card_of_a_deck_is_uniform_over_those_left() -> None:
    """Averaged over first cards, each pair is as likely as drawing without replacement makes it."""
    table = TABLES[0]
    pairs: Counter[tuple[str, str]] = Counter()
    for seed in range(2000):
        state, dealer = load_game(table.game, table.players), Dealer(seed)
        deck: dict[str, list[str]] = by_deck(_deal(state, dealer))
        first, second = next(cards for cards in deck.values() if len(cards) > 1)[:2]
        pairs[first, second] += 1
    cards = {card for pair in pairs for card in pair}
    weights = {(first, second): 1.0 for first in cards for second in cards if first != second}
    assert misfit(pairs, weights) < 4


def test_two_copies_of_a_card_lie_in_a_deck_as_two_cards_do() -> None:
    """The double card lies on top twice as often as another, and its copies lie anywhere, each by itself."""
    table = next((table for table in reversed(TABLES) if _doubles(table)), None)
    if table is None:
        pytest.skip("no game has a card twice in a deck")
    tops: Counter[bool] = Counter()
    ranks: Counter[int] = Counter()
    gaps: Counter[int] = Counter()
    for seed in range(300):
        order = _whole_deck(table, Dealer(seed), _doubles(table))
        places = [place for place, card in enumerate(order) if card in _doubles(table)]
        tops[0 in places] += 1
        ranks.update(place // 2 for place in places)
        gaps[(places[1] - places[0]) // 4] += 1
    size = len(order)
    assert size % 2 == 0
    assert misfit(tops, {True: 2, False: size - 2}) < 4
    assert misfit(ranks, dict.fromkeys(range(size // 2), 1)) < 4
    distances = Counter((b - a) // 4 for a in range(size) for b in range(a + 1, size))
    assert misfit(gaps, distances) < 4


def test_rolls_depend_on_their_number_and_not_on_what_happened_between() -> None:
    """A node that is no draw from a deck: its n-th occurrence falls alike, and different ones differ."""
    for table in TABLES:
        state = load_game(table.game, table.players)
        if state.is_chance and not _deck_of(state):
            faces = [[dealer.outcome(state) for _ in range(8)] for dealer in map(Dealer, range(200))]
            again = [[dealer.outcome(state) for _ in range(8)] for dealer in map(Dealer, range(200))]
            assert faces == again
            assert any(len(set(rolls)) > 1 for rolls in faces)
            for n in range(8):
                assert misfit(Counter(rolls[n] for rolls in faces), dict(state.chance_outcomes())) < 4
            return
    pytest.skip("no game starts with a roll")


@dataclass(frozen=True)
class Roll:
    """A chance node of our own making: outcomes of one kind without a deck, of any weights."""

    game: str
    outcomes: tuple[tuple[int, int], ...]

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return list(self.outcomes)


def test_a_roll_has_the_weights_of_its_outcomes() -> None:
    table = next(table for table in TABLES if not _deck_of(load_game(table.game, table.players)))
    faces = [outcome for outcome, _ in load_game(table.game, table.players).chance_outcomes()]
    weights = {face: 1 + 4 * place for place, face in enumerate(faces)}
    roll = cast("State", Roll(table.game, tuple(weights.items())))
    assert misfit(Counter(Dealer(seed).outcome(roll) for seed in range(2000)), weights) < 4
    one = Dealer(1)
    assert misfit(Counter(one.outcome(roll) for _ in range(2000)), weights) < 4


@at_every_table
def test_a_dealer_settles_chance_nodes_only(table: Table) -> None:
    state, dealer = load_game(table.game, table.players), Dealer(1)
    dealer.settle(state)
    with pytest.raises(ValueError, match="chance"):
        dealer.outcome(state)
    assert dealer.settle(state) == []


@at_every_table
def test_asking_for_an_outcome_leaves_the_state(table: Table) -> None:
    state = load_game(table.game, table.players)
    before = state.copy()
    assert state.is_legal(Dealer(1).outcome(state))
    assert state == before


@pytest.mark.parametrize("seed", [-1, 2**128])
def test_a_seed_of_more_than_128_bits_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="128"):
        Dealer(seed)


def test_new_seeds_are_wide_and_never_the_same() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(0 <= seed < 2**128 for seed in seeds)
    assert max(seeds) > 2**100


def _deck_of(state: State) -> str:
    info = describe(state.game)
    return info.kinds[kind_of(state.chance_outcomes()[0][0])].deck


def _is_whole(state: State) -> bool:
    """Whether every card left in the deck has all its copies, or it is no deck."""
    if not _deck_of(state):
        return True
    info = describe(state.game)
    for outcome, left in state.chance_outcomes():
        for argument in info.kinds[kind_of(outcome)].arguments:
            domain = info.domain_by_name[argument.domain]
            if domain.symbols:
                symbol = str(arguments(info, outcome)[argument.name])
                if domain.copies[domain.symbols.index(symbol)] != left:
                    return False
    return True


def _deal(state: State, dealer: Dealer) -> list[tuple[str, str]]:
    info, draws = describe(state.game), []
    for outcome in dealer.settle(state):
        deck = info.kinds[kind_of(outcome)].deck
        if deck:
            draws.append((deck, _card(info, outcome)))
    return draws


def _doubles(table: Table) -> set[str]:
    """Cards that lie twice in some deck."""
    drawn = {each.domain for kind in table.info.kinds if kind.deck for each in kind.arguments}
    return {
        symbol
        for domain in table.info.domains
        for symbol, copies in zip(domain.symbols, domain.copies, strict=bool(domain.symbols))
        if copies > 1 and domain.name in drawn
    }


def _whole_deck(table: Table, dealer: Dealer, wanted: set[str]) -> list[str]:
    """The order of the deck that holds the wanted cards, from a game as long as options make it."""
    longest = {option.name: option.max for option in table.info.options}
    draws = play(State.initial(table.game, table.players, longest), dealer, Rng(3), "uniform")
    return next(cards for cards in by_deck(draws).values() if wanted & set(cards))
