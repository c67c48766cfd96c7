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

// Events between two questions whether to stop; they take some ten microseconds.
inline constexpr unsigned kStopInterval = 64;

// Plays on until the game is over or the horizon is reached, or until stop() says so: then the result is false.
template <GameState S, class Stop>
bool play_out_unless(S& state, Rng& rng, Policy policy, const Horizon& horizon, Stop&& stop) {
  std::uint32_t decisions = horizon.decisions;
  const std::uint64_t last = std::uint64_t{state.round()} + horizon.rounds;
  for (unsigned events = 1;; ++events) {
    const Player player = state.current_player();
    if (player == kTerminal) return true;
    if (events % kStopInterval == 0 && stop()) return false;
    if (player == kChance) {
      state.apply(state.sample_chance(rng));
      continue;
    }
    if (decisions == 0 || state.round() >= last) return true;
    if (decisions != kToTheEnd) --decisions;
    state.apply(sample_action(state, rng, policy));
  }
}

// Of a finished game, or by the evaluation of one that was cut off.
template <GameState S>
Worth worth(const S& state, const UtilityRule& rule) {
  const int players = state.options().players;
  if (is_terminal(state)) return worth_of(state.returns(), players, rule);
  return expected_worth(state.outlook(), players, state.outlook_lead(), rule);
}

// Result of one playout of a copy.
template <GameState S>
Returns rollout(S state, Rng& rng, Policy policy) {
  play_out(state, rng, policy);
  return state.returns();
}

}  // namespace kingsbridge
