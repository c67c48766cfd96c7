"""The Builders in lockstep where random games do not go."""

from random import Random

import pytest

from tests.oracle.builders import Builders, read
from tests.oracle.builders_cards import CARDS
from tests.oracle.lockstep import Lockstep, Options, Style, Twins
from tests.oracle.subjects import BUILDERS


def save_up(oracle: Builders) -> str:
    """What a player does who saves for one turn in which all his workers go to one large site."""
    seat, legal = oracle.seats[oracle.mover], oracle.legal_actions()
    opens, recruits, sends = (
        [action for action in legal if read(action)[0] == kind] for kind in ("open", "recruit", "send")
    )
    if not seat.sites and opens:
        return max(opens, key=lambda action: sum(CARDS[read(action)[1]["site"]].needs))
    if seat.idle.total() < 5 and not seat.sent and recruits:
        return recruits[0]
    if 3 <= oracle.actions < 15 and not seat.sent and seat.coins >= (80 if oracle.actions == 3 else 20):
        return "buy()"
    if (oracle.actions >= 10 or seat.sent) and sends:
        return sends[0]
    return "end()" if oracle.actions == 0 else f"coins(actions={min(3, oracle.actions)})"


@pytest.mark.parametrize("options", [{}, {"cumulative_coins": 1}], ids=["printed", "cumulative"])
def test_engine_and_oracle_agree_on_players_who_send_all_their_workers_at_once(options: Options) -> None:
    """Random players never save what a fourth worker in a turn costs."""
    game, random, twins, most = Lockstep.start(BUILDERS, 2, options), Random(3), Twins(), 0
    while not game.oracle.over and game.oracle.round < 30:
        game.compare()
        twins.add(game.state, game.oracle)
        game.try_the_view_from_outside(-1)
        chance = list(game.oracle.chance_outcomes())
        game.apply(random.choice(chance) if chance else save_up(game.oracle))
        most = max(most, *(sent for seat in game.oracle.seats for sent in [0, *seat.sent.values()]))
    assert most >= 4


@pytest.mark.parametrize(
    "options", [{}, {"visible_tops": 0, "cumulative_coins": 1}], ids=["printed", "variant"]
)
def test_all_orders_of_a_turn_lead_to_equal_values_exactly_where_the_oracle_says_so(options: Options) -> None:
    """Walks the whole tree of a turn, where most positions are reached by many orders of the same actions."""
    game = Lockstep.start(BUILDERS, 2, options)
    random = Random(5)
    style = Style.draw(random, "builders", 0.9)
    while game.oracle.round < 4:
        game.apply(game.choose(random, style))
    while game.oracle.pending:
        game.apply(game.oracle.events()[0])
    twins = Twins()
    mover, paths, layer = game.oracle.mover, 0, [game]
    while layer:
        following: dict[str, Lockstep[Builders]] = {}
        for node in layer:
            for event in node.oracle.events()[:14]:
                if read(event)[0] == "end":
                    continue
                child = node.copy()
                child.apply(event)
                twins.add(child.state, child.oracle)
                following.setdefault(child.oracle.identity(), child)
                paths += 1
        layer = [child for child in following.values() if child.oracle.actions or child.oracle.pending][:120]
        assert all(child.oracle.mover == mover for child in layer)
    assert len(twins.values) < paths
