// Laws of one position. Each check returns the broken law in words, or nothing.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "games.hpp"

namespace kingsbridge::tests {

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// At a decision the legal actions are decisions of the game, ascending, unique and never none; elsewhere there are none.
template <GameState S>
std::string broken_legal_list(const S& state) {
  ActionList actions;
  state.legal_actions(actions);
  if (state.current_player() < 0) return actions.empty() ? "" : "legal actions where nobody decides";
  if (actions.empty()) return "a decision without legal actions";
  if (actions.size() > ActionList::capacity()) return "more legal actions than the list holds";
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (!is_action(S::kInfo, actions[i])) return "a legal action outside the domains";
    if (S::kInfo.kinds[kind_of(actions[i])].chance) return "a chance event among the legal actions";
    if (i > 0 && actions[i - 1] >= actions[i]) return "legal actions not ascending";
  }
  return {};
}

// At a chance node the outcomes are chance events of the game, ascending, with positive weights; elsewhere there are none.
template <GameState S>
std::string broken_outcomes(const S& state) {
  OutcomeList outcomes;
  state.chance_outcomes(outcomes);
  if (state.current_player() != kChance) return outcomes.empty() ? "" : "outcomes where chance does not decide";
  if (outcomes.empty()) return "a chance node without outcomes";
  if (outcomes.size() > OutcomeList::capacity()) return "more outcomes than the list holds";
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (!is_action(S::kInfo, outcomes[i].action)) return "an outcome outside the domains";
    if (!S::kInfo.kinds[kind_of(outcomes[i].action)].chance) return "a decision among the outcomes";
    if (i > 0 && outcomes[i - 1].action >= outcomes[i].action) return "outcomes not ascending";
    if (outcomes[i].weight == 0) return "an impossible outcome";
    sum += outcomes[i].weight;
  }
  return sum <= UINT32_MAX ? "" : "weights whose sum overflows";
}

// A State imagined from a view has that view, and offers the seat to move the same actions.
template <GameState S>
std::string broken_view(const S& state, Player viewer, Rng& rng) {
  const auto view = state.view(viewer);
  if (view.viewer() != viewer) return "a view of another seat";
  if (const Violation violation = S::check(view)) return "check refuses a view of play: " + violation.field + ": " + violation.rule;
  const S imagined = S::imagine(view, rng);
  if (!(imagined.view(viewer) == view)) return "view(imagine(view)) differs from view";
  if (imagined.current_player() != state.current_player()) return "another player moves in the imagined state";
  if (!(imagined.options().players == state.options().players)) return "other options in the imagined state";
  if (viewer != state.current_player()) return {};
  ActionList real, possible;
  state.legal_actions(real);
  imagined.legal_actions(possible);
  return std::ranges::equal(real, possible) ? "" : "other actions are legal in the imagined state";
}

// Final scores and ranks are within the bounds, and seats that do not play have none.
template <GameState S>
std::string broken_returns(const S& state) {
  const Returns returns = state.returns();
  const auto players = static_cast<std::size_t>(state.options().players);
  for (std::size_t seat = 0; seat < kMaxSeats; ++seat) {
    if (returns.score[seat] > S::kInfo.max_score) return "a score above max_score";
    if (seat >= players && (returns.score[seat] != 0 || returns.rank[seat] != 0)) return "a score for a seat that does not play";
    for (std::size_t other = 0; other < players && seat < players; ++other)
      if (returns.rank[seat] > returns.rank[other] && returns.score[seat] < returns.score[other]) return "a better rank with a lower score";
  }
  return {};
}

template <GameState S>
std::string broken_law(const S& state, Rng& rng) {
  std::string broken = broken_legal_list(state);
  if (broken.empty()) broken = broken_outcomes(state);
  if (broken.empty()) broken = broken_returns(state);
  for_each_viewer(state, [&](Player viewer) {
    if (broken.empty()) broken = broken_view(state, viewer, rng);
  });
  return broken;
}

// What all seats together see, and who moves.
template <GameState S>
Key all_views_key(const S& state) {
  Key sum = hash_step(0, static_cast<std::uint64_t>(state.current_player()));
  for_each_viewer(state, [&](Player viewer) { sum = hash_step(sum, info_key(state.view(viewer))); });
  return sum;
}

// A second hash of the bytes, unlike the engine's (FNV-1a, a byte at a time).
template <class T>
Key plain_hash(const T& value) {
  Key hash = 0xCBF29CE484222325u;
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001B3u;
  return hash;
}

}  // namespace kingsbridge::tests
