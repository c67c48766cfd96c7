// Perft against a plain count, and against the known tree of the toy.
#include "algorithms/perft.hpp"

#include "games.hpp"

namespace kingsbridge::tests {
namespace {

// Lists the histories of a length, or those that end before, one by one.
template <GameState S>
std::uint64_t count_histories(const S& state, int depth, Chance chance) {
  if (is_terminal(state)) return 1;
  const bool free = state.current_player() == kChance && chance == Chance::kFixed;
  if (depth == 0 && !free) return 1;
  std::vector<Action> events;
  ActionList actions;
  OutcomeList outcomes;
  state.legal_actions(actions);
  state.chance_outcomes(outcomes);
  for (const Action action : actions) events.push_back(action);
  for (const Outcome& outcome : outcomes) events.push_back(outcome.action);
  if (free) events.resize(1);
  std::uint64_t sum = 0;
  for (const Action event : events) {
    S child = state;
    child.apply(event);
    sum += count_histories(child, free ? depth : depth - 1, chance);
  }
  return sum;
}

// Three cards dealt to two seats in 6 ways; pass or bet gives 5 endings, after 2 or 3 moves.
TEST_CASE("Kuhn poker has 30 endings") {
  const auto start = kuhn::State::initial({});
  const std::uint64_t expanded[] = {1, 3, 6, 12, 24, 30, 30};
  const std::uint64_t fixed[] = {1, 2, 4, 5, 5};
  for (int depth = 0; depth < 7; ++depth) CHECK(perft(start, depth, Chance::kExpanded) == expanded[depth]);
  for (int depth = 0; depth < 5; ++depth) CHECK(perft(start, depth, Chance::kFixed) == fixed[depth]);
}

TEST_CASE_TEMPLATE_DEFINE("Perft counts every history once", S, histories) {
  for_each_start<S>(6, [](Game<S>& game) {
    for (int events = 0; events < 60 && !game.over(); ++events) game.step();
    for (const auto chance : {Chance::kFixed, Chance::kExpanded})
      for (int depth = 0; depth <= 2; ++depth)
        game.require(perft(game.state(), depth, chance) == count_histories(game.state(), depth, chance), "perft is wrong");
  });
}
TEST_CASE_TEMPLATE_APPLY(histories, Games);

}  // namespace
}  // namespace kingsbridge::tests
