// A fixed piece of work, for its instructions to be counted: `engine_work GAME PART` does one part once; without an argument it names its
// compiler and lists all parts. tests/bench/instructions.py runs it.
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <variant>

#include "algorithms/ismcts.hpp"
#include "algorithms/perft.hpp"
#include "algorithms/rollout.hpp"
#include "games/all_games.hpp"

namespace kingsbridge::work {
namespace {

constexpr std::uint64_t kSeed = 1;

template <GameState S>
S start_of(int players) {
  typename S::Options options;
  options.players = static_cast<decltype(options.players)>(players);
  return S::initial(options);
}

// The first decision after so many by the light policy; chance nodes are played with the same numbers.
template <GameState S>
S decision_after(int players, int decisions) {
  S state = start_of<S>(players);
  Rng rng(kSeed);
  play_out_unless(state, rng, Policy::kLight, {.decisions = static_cast<std::uint32_t>(decisions)}, [] { return false; });
  return state;
}

// At positions all along a game.
template <GameState S>
std::uint64_t count_leaves() {
  std::uint64_t leaves = 0;
  for (int players = S::kInfo.min_players; players <= S::kInfo.max_players; ++players)
    for (int decisions = 0; decisions < 60; decisions += 5) leaves += perft(decision_after<S>(players, decisions), 4, Chance::kFixed);
  return leaves;
}

template <GameState S>
std::uint64_t play_games(Policy policy) {
  Rng rng(kSeed);
  std::uint64_t decisions = 0;
  for (int players = S::kInfo.min_players; players <= S::kInfo.max_players; ++players)
    for (int games = 0; games < 200; ++games) {
      S state = start_of<S>(players);
      decisions += play_out(state, rng, policy);
    }
  return decisions;
}

// Nodes of a tree for the first decision and of one for a later decision, rollouts as the bots play them.
template <GameState S>
std::uint64_t grow_trees(int players) {
  std::uint64_t nodes = 0;
  for (const int decisions : {0, 20}) {
    const S state = decision_after<S>(players, decisions);
    const SearchParams params{.rule = S::kSelection, .horizon = S::kHorizon};
    Ismcts<S> search(state.view(state.current_player()), params, kSeed);
    search.run(3000, [] { return false; });
    nodes += search.nodes();
  }
  return nodes;
}

template <GameState S>
struct Part {
  std::string_view name;
  std::uint64_t (*run)();
};

template <GameState S>
constexpr Part<S> kParts[] = {
    {"perft", count_leaves<S>},
    {"uniform", [] { return play_games<S>(Policy::kUniform); }},
    {"light", [] { return play_games<S>(Policy::kLight); }},
    {"search2", [] { return grow_trees<S>(S::kInfo.min_players); }},
    {"search4", [] { return grow_trees<S>(S::kInfo.max_players); }},
};

// Calls f(game, part) for each.
template <std::size_t I = 0, class F>
void for_each_part(F&& f) {
  if constexpr (I < std::variant_size_v<AnyState>) {
    using S = std::variant_alternative_t<I, AnyState>;
    for (const Part<S>& part : kParts<S>) f(S::kInfo.name, part);
    for_each_part<I + 1>(f);
  }
}

}  // namespace
}  // namespace kingsbridge::work

int main(int argc, char** argv) {
  using namespace kingsbridge::work;
  if (argc != 1 && argc != 3) return 2;
  bool found = argc == 1;
  if (found) std::cout << __VERSION__ << '\n';
  for_each_part([&](std::string_view game, const auto& part) {
    if (argc == 1)
      std::cout << game << ' ' << part.name << '\n';
    else if (game == argv[1] && part.name == argv[2])
      std::cout << part.run() << '\n', found = true;
  });
  return found ? 0 : 2;
}
