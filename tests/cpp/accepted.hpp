// What must hold of a View from outside that check accepts.
#pragma once

#include <string>

#include "field_tree.hpp"
#include "laws.hpp"

namespace kingsbridge::tests {

// At how many positions after a view the laws are looked at: the first ones, then one in so many.
struct Looks {
  int first = 30;
  int one_in = 8;
};

// Plays an accepted view out and looks at positions on the way. Returns the broken law in words, or nothing.
template <GameState S>
std::string broken_accepted(const typename S::View& view, Rng& rng, Looks looks = {}) {
  if (!(read_view<typename S::View>(fields_of(view)) == view)) return "check accepted bytes that the fields do not tell";
  S state = S::imagine(view, rng);
  if (!(state.view(view.viewer()) == view)) return "view(imagine(view)) differs from an accepted view";
  const auto policy = rng.below(2) == 0 ? Policy::kUniform : Policy::kLight;
  for (int length = 0;; ++length) {
    const bool look = length < looks.first || length % looks.one_in == 0 || is_terminal(state);
    if (const std::string broken = look ? broken_law(state, rng) : ""; !broken.empty()) return "after an accepted view: " + broken;
    if (is_terminal(state)) return {};
    if (length > S::kInfo.max_length) return "play from an accepted view exceeds max_length";
    state.apply(state.current_player() == kChance ? state.sample_chance(rng) : sample_action(state, rng, policy));
  }
}

}  // namespace kingsbridge::tests
