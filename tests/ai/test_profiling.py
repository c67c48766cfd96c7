"""The profile of a search: counts that are exact, and costs that add up to the whole."""

from __future__ import annotations

import pytest

from kingsbridge.ai.bench import STAGES, position_at
from kingsbridge.ai.profiling import PARAMS, run_profile, search_once
from kingsbridge.ai.search import horizon
from kingsbridge.ai.watching import watch
from kingsbridge.pyengine import OptionError, describe, game_names

FEW = 150
every_game = pytest.mark.parametrize("game", game_names())


@every_game
@pytest.mark.parametrize("stage", STAGES)
def test_phases_add_up_to_the_whole(game: str, stage: str) -> None:
    profile = run_profile(game, 2, stage, FEW)
    assert (profile.game, profile.players, profile.stage, profile.iterations) == (game, 2, stage, FEW)
    names = [phase.name for phase in profile.phases]
    assert names == ["imagine", "way down", "expand", "rollout", "tree"]
    total = sum(phase.count * phase.nanoseconds for phase in profile.phases)
    assert total == pytest.approx(FEW * profile.nanoseconds)
    assert profile.nanoseconds > 0


@every_game
def test_counts_are_those_of_the_native_search(game: str) -> None:
    profile = run_profile(game, 3, "middle", FEW)
    assert profile.nodes == search_once(position_at(game, 3, "middle"), FEW)
    counts = {phase.name: phase.count for phase in profile.phases}
    assert counts["imagine"] == FEW >= counts["rollout"] > 0
    assert counts["expand"] >= profile.nodes
    assert counts["way down"] == sum(kind.count for kind in profile.kinds) >= FEW
    kinds = {kind.name: kind.chance for kind in describe(game).kinds}
    for kind in profile.kinds:
        assert min(kind.apply, kind.choices, kind.heuristic) >= 0
        assert not (kinds[kind.kind] and kind.heuristic)


@every_game
def test_a_watched_search_notes_positions_and_rollouts_as_they_were(game: str) -> None:
    state = position_at(game, 2, "start").state
    info = state.information_set(state.current_player)
    journal = watch(info, PARAMS, 1, FEW)
    for kind, played in journal.played.items():
        for position, action in played:
            assert action >> 24 == kind
            assert position.is_legal(action)
    assert all(len(position.legal_actions()) > 1 for position in journal.rated)
    assert {leaf[1:] for leaf in journal.leaves} == {
        (PARAMS.policy, *horizon(info, PARAMS), PARAMS.margin, PARAMS.reach)
    }
    assert len(journal.leaves) <= journal.iterations == FEW


def test_a_number_of_players_that_cannot_play_is_refused() -> None:
    with pytest.raises(OptionError):
        run_profile(game_names()[0], 9, "start", FEW)
