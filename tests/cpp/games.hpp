// The games under test, and random games of them for the laws to look at.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "algorithms/rollout.hpp"
#include "core/notation.hpp"
#include "games/all_games.hpp"
#include "kuhn.hpp"

namespace kingsbridge::tests {

template <class Variant>
struct StatesOf;
template <class... States>
struct StatesOf<std::variant<States...>> {
  using type = std::tuple<kuhn::State, States...>;
};
// Every game of the engine, and the toy.
using Games = StatesOf<AnyState>::type;

// Random games a law looks at for each number of players. KINGSBRIDGE_GAMES sets it: `make soak` takes 10,000.
inline int games_per_players() {
  const char* given = std::getenv("KINGSBRIDGE_GAMES");
  return given != nullptr ? static_cast<int>(std::strtol(given, nullptr, 10)) : 90;
}

// The standard options and every combination of their ends, for a number of players.
template <GameState S>
std::vector<typename S::Options> option_corners(int players) {
  std::vector<typename S::Options> corners;
  const auto number = 1u << S::kInfo.options.size();
  for (unsigned corner = 0; corner <= number; ++corner) {
    typename S::Options options;
    options.players = static_cast<decltype(options.players)>(players);
    unsigned bit = 0;
    options.visit([&](const OptionInfo& option, auto& value) {
      const int end = (corner >> bit++ & 1) != 0 ? option.maximum : option.minimum;
      if (corner < number) value = static_cast<std::remove_reference_t<decltype(value)>>(end);
    });
    corners.push_back(options);
  }
  return corners;
}

enum class Style : std::uint8_t { kUniform, kLight, kMixed };

// Where a law is looked at. std::source_location is not in Clang 14, which fuzzes.
struct Place {
  const char* file;
  int line;
  static constexpr Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
};

// A random game under way, and how it came to where it stands.
template <GameState S>
class Game {
 public:
  Game(typename S::Options options, std::uint64_t seed, Style style)
      : options_(options), seed_(seed), style_(style), rng_(seed, 1), state_(S::initial(options)) {}

  const S& state() const { return state_; }
  typename S::Options options() const { return options_; }
  int players() const { return options_.players; }
  const std::vector<Action>& record() const { return record_; }
  bool over() const { return is_terminal(state_); }
  // Numbers for a law's own use; they do not change the game.
  Rng fork() const { return Rng(seed_ ^ record_.size() << 32, 2); }

  // Plays the next event.
  void step() {
    const Action action = state_.current_player() == kChance ? state_.sample_chance(rng_) : sample_action(state_, rng_, policy());
    state_.apply(action);
    record_.push_back(action);
  }

  // Fails the test with the way to this position, unless the law holds.
  void require(bool holds, std::string_view law, Place at = Place::here()) const {
    if (!holds) FAIL((std::string(law) + "\n  " + at.file + ":" + std::to_string(at.line) + "\n  " + story()));
  }
  // Likewise, for a check that returns the broken law.
  void require(const std::string& broken, Place at = Place::here()) const {
    if (!broken.empty()) require(false, broken, at);
  }

 private:
  Policy policy() {
    if (style_ == Style::kMixed) return rng_.below(4) == 0 ? Policy::kUniform : Policy::kLight;
    return style_ == Style::kLight ? Policy::kLight : Policy::kUniform;
  }
  // A record from the start, but for its head.
  std::string story() const {
    std::string text = std::string(S::kInfo.name) + ", " + std::to_string(players()) + " players, game " + std::to_string(seed_);
    auto options = options_;
    options.visit([&](const OptionInfo& option, auto& value) {
      text += ", " + std::string(option.name) + "=" + std::to_string(static_cast<int>(value));
    });
    for (const Action action : record_) text += "\n  " + action_text(S::kInfo, action);
    return text;
  }

  typename S::Options options_;
  std::uint64_t seed_;
  Style style_;
  Rng rng_;
  S state_;
  std::vector<Action> record_;
};

// Calls law(game) at the start of games for every number of players, over all option corners and styles of play.
template <GameState S, class Law>
void for_each_start(int games, Law&& law) {
  for (int players = S::kInfo.min_players; players <= S::kInfo.max_players; ++players) {
    const auto corners = option_corners<S>(players);
    for (int i = 0; i < games; ++i) {
      const auto corner = static_cast<std::size_t>(i) % corners.size();
      const auto style = static_cast<Style>(static_cast<std::size_t>(i) / corners.size() % 3);
      Game<S> game(corners[corner], static_cast<std::uint64_t>(i), style);
      law(game);
    }
  }
}

// Calls law(game) at every node of those games, the first and the last included.
template <GameState S, class Law>
void for_each_node(int games, Law&& law) {
  for_each_start<S>(games, [&](Game<S>& game) {
    law(std::as_const(game));
    while (!game.over()) {
      game.step();
      law(std::as_const(game));
    }
  });
}

template <GameState S, class Law>
void for_each_node(Law&& law) {
  for_each_node<S>(games_per_players(), law);
}

// Calls f(viewer) for each seat and the spectator.
template <GameState S, class F>
void for_each_viewer(const S& state, F&& f) {
  for (Player viewer = kSpectator; viewer < state.options().players; ++viewer) f(viewer);
}

}  // namespace kingsbridge::tests
