// The laws of information, for every game: what a seat sees, and what it can imagine from it.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "field_tree.hpp"
#include "laws.hpp"
#include "statistics.hpp"

namespace kingsbridge::tests {
namespace {

TEST_CASE_TEMPLATE_DEFINE("Every seat can imagine a State with its view and its legal actions", S, imagining) {
  for_each_node<S>([](const Game<S>& game) {
    Rng rng = game.fork();
    for_each_viewer(game.state(), [&](Player viewer) { game.require(broken_view(game.state(), viewer, rng)); });
  });
}
TEST_CASE_TEMPLATE_APPLY(imagining, Games);

// visit_fields is the whole of a View: what it does not list cannot be sent, and a reader restores the View from it.
TEST_CASE_TEMPLATE_DEFINE("A view read back from its fields is the same view", S, read_back) {
  for_each_node<S>([](const Game<S>& game) {
    if (game.record().size() > 20 && game.fork().below(20) != 0) return;
    for_each_viewer(game.state(), [&](Player viewer) {
      const auto view = game.state().view(viewer);
      game.require(read_view<typename S::View>(fields_of(view)) == view, "reading the fields gave another view");
    });
  });
}
TEST_CASE_TEMPLATE_APPLY(read_back, Games);

TEST_CASE_TEMPLATE_DEFINE("Equal views have equal keys and different views different keys", S, view_keys) {
  for_each_start<S>(games_per_players() / 2 + 1, [](Game<S>& game) {
    std::map<Player, std::pair<typename S::View, Key>> last;
    while (!game.over()) {
      for_each_viewer(game.state(), [&](Player viewer) {
        const auto view = game.state().view(viewer);
        const Key seen = info_key(view);
        game.require(seen == info_key(game.state().view(viewer)), "one view has two keys");
        if (const auto before = last.find(viewer); before != last.end())
          game.require((before->second.first == view) == (before->second.second == seen), "views and their keys disagree");
        last.insert_or_assign(viewer, std::pair(view, seen));
      });
      game.step();
    }
  });
}
TEST_CASE_TEMPLATE_APPLY(view_keys, Games);

// Pooled kinds are left out: they merge what a seat sees on purpose. So are the ends of games, when hidden cards are shown.
TEST_CASE_TEMPLATE_DEFINE("Events that a seat cannot tell apart leave it the same view", S, observing) {
  for_each_node<S>([](const Game<S>& game) {
    if (game.fork().below(4) != 0) return;
    ActionList events;
    OutcomeList outcomes;
    game.state().legal_actions(events);
    game.state().chance_outcomes(outcomes);
    for (const Outcome& outcome : outcomes) events.push_back(outcome.action);
    for_each_viewer(game.state(), [&](Player viewer) {
      std::map<Action, Key> views;
      for (const Action event : events) {
        const Action seen = observed(S::kInfo, event, viewer);
        if (seen == event || S::kInfo.kinds[kind_of(event)].pooled) continue;
        S next = game.state();
        next.apply(event);
        if (is_terminal(next)) continue;
        const Key key = info_key(next.view(viewer));
        game.require(views.try_emplace(seen, key).first->second == key, "a view shows what the seat did not observe");
      }
    });
  });
}
TEST_CASE_TEMPLATE_APPLY(observing, Games);

// In how many ways the hidden cards of a view can lie so that this State results, but for a factor of the view. Where all hidden cards
// have faces of their own it is always the same.
template <GameState S>
double ways(const S&, const typename S::View&) {
  return 1;
}

// Tiles of one kind look alike: each seat's part of a kind can be any of its copies.
double ways(const column::State& state, const column::View& view) {
  double product = 1;
  for (unsigned tile = 0; tile < column::kTileKinds; ++tile) {
    unsigned left = view.table().stack[tile];
    for (unsigned seat = 0; seat < state.table.options.players; ++seat) {
      if (static_cast<Player>(seat) == view.viewer()) continue;
      for (unsigned of_seat = 1; of_seat <= state.table.seats[seat].tiles[tile]; ++of_seat)
        product *= static_cast<double>(left--) / of_seat;
    }
  }
  return product;
}

struct Imagined {
  double count = 0;
  double ways = 0;
};

// States a seat imagines at a node, how often each, and in how many ways each can be.
template <GameState S>
std::unordered_map<Key, Imagined> imagined_states(const typename S::View& view, int draws, Rng& rng) {
  std::unordered_map<Key, Imagined> states;
  for (int i = 0; i < draws; ++i) {
    const S state = S::imagine(view, rng);
    Imagined& imagined = states[plain_hash(state)];
    ++imagined.count;
    imagined.ways = ways(state, view);
  }
  return states;
}

// Where a view leaves so few states possible that all are drawn often. Different hidden cards count as different states.
TEST_CASE_TEMPLATE_DEFINE("Imagined States are as likely as the ways that the view leaves them", S, uniform_imagining) {
  constexpr int kProbe = 40, kDraws = 6000;
  int probes = 0, tests = 0;
  for_each_node<S>([&](const Game<S>& game) {
    Rng rng = game.fork();
    if ((game.record().size() > 8 && rng.below(40) != 0) || probes > 4000 || tests > 400) return;
    for_each_viewer(game.state(), [&](Player viewer) {
      const auto view = game.state().view(viewer);
      const auto few = imagined_states<S>(view, kProbe, rng);
      ++probes;
      if (few.size() == 1) game.require(few.contains(plain_hash(game.state())), "another state than the only possible one");
      if (few.size() == 1 || few.size() > kProbe * 9 / 10) return;  // nothing hidden, or too much to count
      const auto counts = imagined_states<S>(view, kDraws, rng);
      if (counts.size() > kDraws / 60) return;
      ++tests;
      game.require(counts.contains(plain_hash(game.state())), "the true state is never imagined");
      double all_ways = 0;
      for (const auto& [state, imagined] : counts) all_ways += imagined.ways;
      std::vector<double> observed, expected;
      for (const auto& [state, imagined] : counts) {
        observed.push_back(imagined.count);
        expected.push_back(kDraws * imagined.ways / all_ways);
      }
      if (*std::min_element(expected.begin(), expected.end()) < 10) return;
      game.require(chi_square_deviation(observed, expected) < kRefused, "imagine is not uniform over the hidden cards");
    });
  });
  CHECK(probes > 0);
}
TEST_CASE_TEMPLATE_APPLY(uniform_imagining, Games);

}  // namespace
}  // namespace kingsbridge::tests
