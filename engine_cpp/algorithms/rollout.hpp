// Plays a state to its end.
#pragma once

#include "core/game_state.hpp"

namespace kingsbridge {

template <GameState S>
Action sample_action(const S& state, Rng& rng, Policy policy) {
  return policy == Policy::kLight ? state.sample_light(rng) : state.sample_uniform(rng);
}

// Plays on until the game is over; returns the number of decisions.
template <GameState S>
std::uint64_t play_out(S& state, Rng& rng, Policy policy) {
  for (std::uint64_t decisions = 0;;) {
    const Player player = state.current_player();
    if (player == kTerminal) return decisions;
    if (player == kChance) {
      state.apply(state.sample_chance(rng));
    } else {
      state.apply(sample_action(state, rng, policy));
      ++decisions;
    }
  }
}

// Result of one playout of a copy.
template <GameState S>
Returns rollout(S state, Rng& rng, Policy policy) {
  play_out(state, rng, policy);
  return state.returns();
}

}  // namespace kingsbridge
