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

// Pooled kinds are left out: they merge what a seat sees on purpose.
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
        const Key key = info_key(next.view(viewer));
        game.require(views.try_emplace(seen, key).first->second == key, "a view shows what the seat did not observe");
      }
    });
  });
}
TEST_CASE_TEMPLATE_APPLY(observing, Games);

// States a seat imagines at a node, and how often each.
template <GameState S>
std::unordered_map<Key, double> imagined_states(const typename S::View& view, int draws, Rng& rng) {
  std::unordered_map<Key, double> counts;
  for (int i = 0; i < draws; ++i) ++counts[plain_hash(S::imagine(view, rng))];
  return counts;
}

// Where a view leaves so few states possible that all are drawn often. Different hidden cards count as different states.
TEST_CASE_TEMPLATE_DEFINE("Imagined States are uniform over what the view leaves possible", S, uniform_imagining) {
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
      std::vector<double> observed, expected(counts.size(), kDraws / static_cast<double>(counts.size()));
      observed.reserve(counts.size());
      for (const auto& [state, count] : counts) observed.push_back(count);
      game.require(chi_square_deviation(observed, expected) < kRefused, "imagine is not uniform");
    });
  });
  CHECK(probes > 0);
}
TEST_CASE_TEMPLATE_APPLY(uniform_imagining, Games);

}  // namespace
}  // namespace kingsbridge::tests
