// The search kernel: what it may know, how it is interrupted, what it allocates. That it visits what ai/search.py visits is tested from
// Python, tests/ai/test_native_search.py.
#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/ismcts.hpp"
#include "allocations.hpp"
#include "games.hpp"

namespace kingsbridge::tests {
namespace {

constexpr auto kNever = [] { return false; };

using Tree = std::vector<std::pair<Player, std::vector<ActionRow>>>;

template <GameState S>
Tree tree_of(const Ismcts<S>& search) {
  Tree tree;
  search.trace([&](Player seat, const std::vector<ActionRow>& rows) { tree.emplace_back(seat, rows); });
  return tree;
}

template <GameState S>
Tree grown(const S& state, std::uint64_t iterations, std::uint64_t seed, const SearchParams& params = {}) {
  Ismcts<S> search(state.view(state.current_player()), params, seed);
  CHECK(search.run(iterations, kNever) == iterations);
  return tree_of(search);
}

// Calls law(game) at decisions of random games, some way in.
template <GameState S, class Law>
void for_some_decisions(int games, Law&& law) {
  for_each_start<S>(games, [&](Game<S>& game) {
    Rng rng = game.fork();
    for (std::uint32_t steps = rng.below(static_cast<std::uint32_t>(std::min(150, S::kInfo.max_length))); steps > 0 && !game.over();
         --steps)
      game.step();
    while (game.state().current_player() == kChance) game.step();
    if (!game.over()) law(std::as_const(game));
  });
}

kuhn::State dealt(unsigned first, unsigned second, const std::vector<unsigned>& moves = {}) {
  kuhn::State state = kuhn::State::initial({});
  state.apply(pack(kuhn::kDeal, 0, first));
  state.apply(pack(kuhn::kDeal, 1, second));
  for (const unsigned move : moves) state.apply(pack(move));
  return state;
}

template <GameState S>
Action most_visited(const Ismcts<S>& search) {
  ActionRow best{};
  for (const RootRow& each : search.root_statistics())
    if (each.row.visits > best.visits) best = each.row;
  return best.action;
}

TEST_CASE("The lowest card never calls a bet and the highest never folds") {
  for (const auto& moves : {std::vector<unsigned>{kuhn::kBet}, std::vector<unsigned>{kuhn::kPass, kuhn::kBet}})
    for (unsigned own = 0; own < 3; own += 2)
      for (unsigned other = 0; other < 3; ++other) {
        if (other == own) continue;
        const bool second = moves.size() == 1;
        const kuhn::State state = dealt(second ? other : own, second ? own : other, moves);
        Ismcts<kuhn::State> search(state.view(state.current_player()), {}, own + 1);
        search.run(2000, kNever);
        CHECK(most_visited(search) == pack(own == 0 ? kuhn::kPass : kuhn::kBet));
      }
}

TEST_CASE("A seat's nodes are what it can tell apart") {
  // Seat 0 decides at the start and after pass-bet; seat 1, whatever it holds, after a pass and after a bet.
  const Tree tree = grown(dealt(1, 2), 5000, 3, {.caution = -9});
  std::map<Player, int> nodes;
  for (const auto& [seat, rows] : tree) ++nodes[seat];
  CHECK(nodes == std::map<Player, int>{{0, 2}, {1, 2}});
}

TEST_CASE_TEMPLATE_DEFINE("What a seat does not know changes no node of its search", S, blind) {
  for_some_decisions<S>(20, [](const Game<S>& game) {
    const S& truth = game.state();
    Rng rng = game.fork();
    const S other = S::imagine(truth.view(truth.current_player()), rng);
    for (const Worlds worlds : {Worlds::kFresh, Worlds::kFixed}) {
      const SearchParams params{.worlds = worlds};
      game.require(grown(truth, 60, 5, params) == grown(other, 60, 5, params), "two worlds that look alike gave two trees");
    }
  });
}
TEST_CASE_TEMPLATE_APPLY(blind, Games);

TEST_CASE_TEMPLATE_DEFINE("An iteration that is cut short leaves no mark, and is made again", S, interrupted) {
  std::uint64_t dropped = 0;
  for_some_decisions<S>(20, [&](const Game<S>& game) {
    for (const TrialRule order : {TrialRule::kHeuristic, TrialRule::kRandom}) {
      const auto view = game.state().view(game.state().current_player());
      Ismcts<S> whole(view, {.order = order}, 7), cut(view, {.order = order}, 7);
      whole.run(120, kNever);
      Rng rng = game.fork();
      while (cut.iterations() < 120) {
        // Every question is counted, those within rollouts too; one in three runs ends at its first, and some are long enough for any game.
        const std::uint32_t questions = rng.below(3) == 0 ? 0 : rng.below(64);
        const std::uint64_t before = cut.iterations();
        const Tree tree = tree_of(cut);
        std::uint32_t asked = 0;
        const std::uint64_t done = cut.run(120 - before, [&] { return asked++ >= questions; });
        game.require(cut.iterations() == before + done, "iterations miscounted");
        if (done == 0) game.require(tree_of(cut) == tree, "an iteration that was dropped left a mark");
        dropped += done == 0 && asked > 1;
      }
      game.require(tree_of(cut) == tree_of(whole), "interruptions changed the search");
      game.require(cut.nodes() == whole.nodes(), "interruptions changed the number of nodes");
    }
  });
  if (S::kInfo.max_length > static_cast<int>(kStopInterval)) CHECK(dropped > 0);
}
TEST_CASE_TEMPLATE_APPLY(interrupted, Games);

TEST_CASE_TEMPLATE_DEFINE("A search that is under way allocates only what its tree grows by", S, frugal) {
  for_each_start<S>(2, [](Game<S>& game) {
    while (game.state().current_player() < 0) game.step();
    Ismcts<S> search(game.state().view(game.state().current_player()), {.policy = Policy::kUniform}, 1);
    search.run(9000, kNever);  // the table of scales is full by then
    const std::size_t bytes = search.bytes();
    const std::uint64_t used = allocations_in([&] { search.run(500, kNever); });
    const std::uint64_t grown_by = (search.bytes() - bytes) / Arena::kChunk;
    // A chunk and its place in the list of chunks; the directory; lists of one iteration that is longer than any before.
    game.require(used <= 2 * grown_by + 4, "a search allocated");
    game.require(grown_by > 0 || used <= 3, "a search allocated without growing");
  });
}
TEST_CASE_TEMPLATE_APPLY(frugal, Games);

TEST_CASE("A path is found if it was put there, and no other") {
  Arena arena(std::size_t{1} << 24);
  PathTable<const int> table(arena);
  std::vector<int> values(30000);
  Rng rng(1);
  std::map<Key, const int*> known;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // One in three begins with the same 50 bits: they can only be told apart by the last.
    const Key path = i % 3 == 0 && i < 300 ? rng.next() >> 50 : rng.next();
    if (!known.emplace(path, &values[i]).second) continue;
    REQUIRE(table.find(path) == nullptr);
    REQUIRE(table.make_room(path, arena));
    table.insert(path, &values[i]);
  }
  for (const auto& [path, value] : known) {
    REQUIRE(table.find(path) == value);
    REQUIRE(table.find(path ^ 1) == (known.contains(path ^ 1) ? known[path ^ 1] : nullptr));
  }
}

TEST_CASE("A table that cannot tell paths apart stops at its memory") {
  Arena arena(std::size_t{1} << 20);
  PathTable<const int> table(arena);
  const int value = 0;
  Key path = 0;
  while (table.make_room(path, arena)) table.insert(path++, &value);
  CHECK(path > 100);
  CHECK(arena.bytes() <= std::size_t{1} << 20);
  for (Key each = 0; each < path; ++each) REQUIRE(table.find(each) == &value);
  CHECK(table.find(path) == nullptr);
}

TEST_CASE("An arena stays below its cap and uses again what was given back") {
  Arena arena(3 * Arena::kChunk);
  std::vector<void*> blocks;
  while (void* const block = arena.take_block(12)) blocks.push_back(block);
  CHECK(blocks.size() == 3 * Arena::kChunk >> 12);
  CHECK(arena.bytes() == 3 * Arena::kChunk);
  for (void* const block : blocks) std::memset(block, 0xAB, std::size_t{1} << 12);
  for (void* const block : blocks) arena.give_back(block, 12);
  for (std::size_t i = 0; i < blocks.size(); ++i) CHECK(arena.take_block(12) != nullptr);
  CHECK(arena.take_block(12) == nullptr);
  CHECK(!arena.reserve(1));
  CHECK(!arena.charge(1));
}

}  // namespace
}  // namespace kingsbridge::tests
