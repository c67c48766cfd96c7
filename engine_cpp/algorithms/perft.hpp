// Counts the leaves of the game tree to a depth: the standard proof that two move generators agree.
#pragma once

#include <cstdint>

#include "core/game_state.hpp"

namespace kingsbridge {

enum class Chance : std::uint8_t {
  kFixed,    // a chance node is settled by its lowest outcome and costs no depth
  kExpanded  // every outcome is a child and costs one
};

// Leaves `depth` events below; a game that ends above the depth counts as one leaf.
template <GameState S>
std::uint64_t perft(S state, int depth, Chance chance) {
  OutcomeList outcomes;
  while (chance == Chance::kFixed && state.current_player() == kChance) {
    outcomes.clear();
    state.chance_outcomes(outcomes);
    state.apply(outcomes[0].action);
  }
  if (depth == 0 || is_terminal(state)) return 1;

  std::uint64_t leaves = 0;
  const auto descend = [&](Action action) {
    S child = state;
    child.apply(action);
    leaves += perft(child, depth - 1, chance);
  };
  if (state.current_player() == kChance) {
    outcomes.clear();
    state.chance_outcomes(outcomes);
    for (const Outcome& outcome : outcomes) descend(outcome.action);
    return leaves;
  }
  ActionList actions;
  state.legal_actions(actions);
  if (depth == 1) return actions.size();
  for (const Action action : actions) descend(action);
  return leaves;
}

}  // namespace kingsbridge
