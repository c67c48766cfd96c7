// The laws of play, for every game: legal actions, chance, apply, bounds, equality. Those of views are in information.cpp.
#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <unordered_map>

#include "laws.hpp"
#include "statistics.hpp"

namespace kingsbridge::tests {
namespace {

TEST_CASE_TEMPLATE_DEFINE("A State is plain bytes without virtual functions", S, plain) {
  static_assert(!std::is_polymorphic_v<S> && !std::is_polymorphic_v<typename S::View>);
  static_assert(std::is_trivially_copyable_v<S> && std::has_unique_object_representations_v<S>);
  static_assert(sizeof(S) % 16 == 0);
  static_assert(sizeof(typename S::Options) <= 8);
}
TEST_CASE_TEMPLATE_APPLY(plain, Games);

TEST_CASE_TEMPLATE_DEFINE("Legal actions are decisions in ascending order, never none", S, legal) {
  std::size_t longest = 0;
  for_each_node<S>([&](const Game<S>& game) {
    game.require(broken_legal_list(game.state()));
    ActionList actions;
    game.state().legal_actions(actions);
    longest = std::max(longest, actions.size());
  });
  CHECK(longest > 1);
  // The list is ascending, so it never holds more than all decisions of the game.
  CHECK(action_count(S::kInfo) <= static_cast<int>(ActionList::capacity()));
}
TEST_CASE_TEMPLATE_APPLY(legal, Games);

TEST_CASE_TEMPLATE_DEFINE("Chance outcomes ascend and have positive weights", S, outcomes) {
  for_each_node<S>([](const Game<S>& game) { game.require(broken_outcomes(game.state())); });
}
TEST_CASE_TEMPLATE_APPLY(outcomes, Games);

// The original must stay, and nothing but state and action may decide: the copies lie in memory full of two different bytes.
TEST_CASE_TEMPLATE_DEFINE("Applying an event is a pure function of state and action", S, pure) {
  for_each_start<S>(games_per_players(), [](Game<S>& game) {
    alignas(S) std::array<std::array<unsigned char, sizeof(S)>, 2> memory;
    for (std::size_t i = 0; i < 2; ++i) memory[i].fill(i == 0 ? 0x00 : 0xFF);
    S& first = *new (memory[0].data()) S(game.state());
    S& second = *new (memory[1].data()) S(game.state());
    while (!game.over()) {
      game.step();
      first.apply(game.record().back());
      second = first;
      game.require(same_bytes(first, game.state()) && same_bytes(second, game.state()), "apply gave different bytes");
    }
    S replayed = S::initial(game.options());
    for (const Action action : game.record()) replayed.apply(action);
    game.require(same_bytes(replayed, game.state()), "a replay gave different bytes");
  });
}
TEST_CASE_TEMPLATE_APPLY(pure, Games);

TEST_CASE_TEMPLATE_DEFINE("Copies, bytes, equality and key agree", S, values) {
  for_each_start<S>(games_per_players(), [](Game<S>& game) {
    for (S before = game.state(); !game.over(); before = game.state()) {
      game.step();
      std::array<unsigned char, sizeof(S)> bytes;
      std::memcpy(bytes.data(), &game.state(), sizeof(S));
      S copy = S::initial(game.options());
      std::memcpy(&copy, bytes.data(), sizeof(S));
      game.require(copy == game.state() && key(copy) == key(game.state()), "equal bytes, unequal states or keys");
      game.require(same_bytes(before, copy) == (before == copy), "equality is not that of the bytes");
      game.require((before == copy) == (key(before) == key(copy)), "different states have one key");
    }
  });
}
TEST_CASE_TEMPLATE_APPLY(values, Games);

TEST_CASE_TEMPLATE_DEFINE("Games end within max_length and score within max_score", S, bounds) {
  for_each_start<S>(games_per_players(), [](Game<S>& game) {
    while (!game.over()) {
      game.require(game.record().size() < static_cast<std::size_t>(S::kInfo.max_length), "a game longer than max_length");
      game.step();
    }
    game.require(broken_returns(game.state()));
    const auto utility = worth_of(game.state().returns(), game.players()).utilities;
    for (std::size_t seat = 0; seat < kMaxSeats; ++seat) {
      game.require(utility[seat] >= 0 && utility[seat] <= kUtilityOne, "a utility outside 0..1");
      game.require(static_cast<int>(seat) < game.players() || utility[seat] == 0, "a utility for a seat that does not play");
    }
  });
}
TEST_CASE_TEMPLATE_APPLY(bounds, Games);

// Deviation of n draws from the weights; draws outside the outcomes are refused.
template <class Draw>
double deviation(const OutcomeList& outcomes, int draws_an_outcome, Draw&& draw) {
  std::map<Action, std::size_t> places;
  std::vector<double> observed(outcomes.size()), expected(outcomes.size());
  double sum = 0;
  for (const Outcome& outcome : outcomes) sum += outcome.weight;
  const auto draws = static_cast<int>(outcomes.size()) * draws_an_outcome;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    places[outcomes[i].action] = i;
    expected[i] = draws * outcomes[i].weight / sum;
  }
  for (int i = 0; i < draws; ++i) {
    const auto place = places.find(draw());
    if (place == places.end()) return INFINITY;
    ++observed[place->second];
  }
  return chi_square_deviation(observed, expected);
}

TEST_CASE_TEMPLATE_DEFINE("Sampled chance has the distribution of the weights", S, sampling) {
  std::map<std::pair<unsigned, std::size_t>, int> done;  // nodes per kind and number of outcomes
  for_each_node<S>([&](const Game<S>& game) {
    if (game.state().current_player() != kChance) return;
    OutcomeList outcomes;
    game.state().chance_outcomes(outcomes);
    Rng rng = game.fork();
    const Action drawn = game.state().sample_chance(rng);
    game.require(std::ranges::any_of(outcomes, [&](const Outcome& outcome) { return outcome.action == drawn; }), "drew no outcome");
    if (done[{kind_of(outcomes[0].action), outcomes.size()}]++ >= 5) return;
    game.require(deviation(outcomes, 300, [&] { return game.state().sample_chance(rng); }) < kRefused, "sample_chance is not by weight");
  });
  CHECK_FALSE(done.empty());
}
TEST_CASE_TEMPLATE_APPLY(sampling, Games);

TEST_CASE_TEMPLATE_DEFINE("The uniform policy draws every legal action alike", S, uniform) {
  std::map<std::size_t, int> done;  // nodes per number of actions
  for_each_node<S>([&](const Game<S>& game) {
    if (game.state().current_player() < 0) return;
    ActionList actions;
    game.state().legal_actions(actions);
    if (actions.size() > OutcomeList::capacity() || done[actions.size()]++ >= 5) return;
    OutcomeList alike;
    for (const Action action : actions) alike.push_back({action, 1});
    Rng rng = game.fork();
    game.require(deviation(alike, 200, [&] { return game.state().sample_uniform(rng); }) < kRefused, "sample_uniform is not uniform");
  });
  CHECK(done.size() > 0);
}
TEST_CASE_TEMPLATE_APPLY(uniform, Games);

TEST_CASE_TEMPLATE_DEFINE("The light policy plays legal actions and the heuristic values them all", S, policies) {
  for_each_node<S>([](const Game<S>& game) {
    if (game.state().current_player() < 0) return;
    ActionList actions;
    game.state().legal_actions(actions);
    Rng rng = game.fork();
    for (int i = 0; i < 4; ++i)
      game.require(std::ranges::binary_search(actions, game.state().sample_light(rng)), "the light policy played an illegal action");
    for (const Action action : actions)
      game.require(game.state().heuristic(action) == game.state().heuristic(action), "the heuristic is no function");
  });
}
TEST_CASE_TEMPLATE_APPLY(policies, Games);

TEST_CASE_TEMPLATE_DEFINE("The evaluation is a function of the position, and fair to every seat", S, evaluating) {
  for_each_node<S>([](const Game<S>& game) {
    game.require(game.state().outlook() == game.state().outlook(), "the evaluation is no function");
    game.require(game.state().outlook_lead().utility > 0 && game.state().outlook_lead().share > 0, "a lead of nothing makes odds");
    const auto utility = worth(game.state(), {}).utilities;
    for (int seat = 0; seat < kMaxSeats; ++seat) {
      const Utility value = utility[static_cast<std::size_t>(seat)];
      game.require(seat < game.players() ? value >= 0 && value <= kUtilityOne : value == 0, "a utility out of bounds");
    }
    if (is_terminal(game.state()))
      game.require(utility == worth_of(game.state().returns(), game.players()).utilities, "a finished game is not evaluated");
  });
}
TEST_CASE_TEMPLATE_APPLY(evaluating, Games);

TEST_CASE_TEMPLATE_DEFINE("A rollout takes so many decisions and no more", S, cutting) {
  for_each_node<S>([](const Game<S>& game) {
    for (const std::uint32_t decisions : {0u, 1u, 7u}) {
      S cut = game.state(), stepped = game.state();
      Rng one = game.fork(), other = game.fork();
      game.require(play_out_unless(cut, one, Policy::kLight, {.decisions = decisions}, [] { return false; }), "nobody stopped it");
      for (std::uint32_t left = decisions; !is_terminal(stepped);) {
        if (stepped.current_player() == kChance)
          stepped.apply(stepped.sample_chance(other));
        else if (left-- == 0)
          break;
        else
          stepped.apply(stepped.sample_light(other));
      }
      game.require(cut == stepped, "another rollout");
    }
  });
}
TEST_CASE_TEMPLATE_APPLY(cutting, Games);

// A few events out of one position in every order, with a few of the outcomes that come between.
template <GameState S>
std::vector<S> orders(const S& root, Rng& rng) {
  ActionList actions;
  root.legal_actions(actions);
  std::array<Action, 6> chosen;
  for (Action& action : chosen) action = actions[rng.below(static_cast<std::uint32_t>(actions.size()))];
  std::vector<S> found{root}, level{root};
  for (int depth = 0; depth < 7 && !level.empty(); ++depth) {
    std::vector<S> next;
    const auto reach = [&](S state, Action action) {
      state.apply(action);
      if (next.size() < 60 && std::ranges::find(next, state) == next.end()) next.push_back(state);
    };
    for (const S& state : level) {
      OutcomeList outcomes;
      state.chance_outcomes(outcomes);
      for (std::size_t i = 0; i < std::min<std::size_t>(outcomes.size(), 2); ++i) reach(state, outcomes[i].action);
      actions.clear();
      state.legal_actions(actions);
      for (const Action action : chosen)
        if (std::ranges::binary_search(actions, action)) reach(state, action);
    }
    found.insert(found.end(), next.begin(), next.end());
    level = std::move(next);
  }
  return found;
}

TEST_CASE_TEMPLATE_DEFINE("Positions that look equal to all seats have equal bytes, in whatever order they came about", S, canonical) {
  std::unordered_map<Key, Key> bytes_of_views;
  std::size_t nodes = 0;
  for_each_node<S>([&](const Game<S>& game) {
    if (game.state().current_player() < 0 || nodes++ % 100 != 0) return;
    if (bytes_of_views.size() > 2'000'000) bytes_of_views.clear();
    Rng rng = game.fork();
    for (const S& state : orders(game.state(), rng)) {
      const auto [known, added] = bytes_of_views.try_emplace(all_views_key(state), plain_hash(state));
      game.require(known->second == plain_hash(state), "two states near this one look equal and have different bytes");
    }
  });
  CHECK(bytes_of_views.size() > 5);
}
TEST_CASE_TEMPLATE_APPLY(canonical, Games);

TEST_CASE_TEMPLATE_DEFINE("No two different states have one key", S, keys) {
  struct Seen {
    Key key, check;
    auto operator<=>(const Seen&) const = default;
  };
  std::vector<Seen> seen;
  for_each_node<S>([&](const Game<S>& game) {
    if (seen.size() < 4'000'000) seen.push_back({key(game.state()), plain_hash(game.state())});
  });
  std::ranges::sort(seen);
  seen.erase(std::ranges::unique(seen).begin(), seen.end());
  const auto same_key = [](const Seen& a, const Seen& b) { return a.key == b.key; };
  CHECK(std::ranges::adjacent_find(seen, same_key) == seen.end());
  CHECK(seen.size() > 10);
}
TEST_CASE_TEMPLATE_APPLY(keys, Games);

}  // namespace
}  // namespace kingsbridge::tests
