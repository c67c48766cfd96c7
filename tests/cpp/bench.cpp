// Speed of the core on one core, for every game: rollouts, copies, hashes, move lists, views, perft, searches; and of the parts of a search
// that know no game. Rates are per second of CPU time.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "algorithms/ismcts.hpp"
#include "algorithms/perft.hpp"
#include "algorithms/rollout.hpp"
#include "games/all_games.hpp"

namespace kingsbridge::bench {
namespace {

template <GameState S>
S dealt(int players, std::uint64_t seed) {
  typename S::Options options;
  options.players = static_cast<decltype(options.players)>(players);
  S state = S::initial(options);
  Rng rng(seed);
  while (state.current_player() == kChance) state.apply(state.sample_chance(rng));
  return state;
}

// Positions of play, spread over games by the light policy.
template <GameState S>
std::vector<S> positions(int players, std::size_t number) {
  std::vector<S> list;
  Rng rng(11);
  while (list.size() < number) {
    S state = dealt<S>(players, rng.next());
    while (!is_terminal(state) && list.size() < number) {
      if (state.current_player() == kChance)
        state.apply(state.sample_chance(rng));
      else
        state.apply(state.sample_light(rng));
      if (state.current_player() >= 0 && rng.below(16) == 0) list.push_back(state);
    }
  }
  return list;
}

benchmark::Counter rate(std::uint64_t number) { return {static_cast<double>(number), benchmark::Counter::kIsRate}; }

// Whole games from a fresh deal: the setup is part of the game.
template <GameState S>
void rollouts(benchmark::State& run, int players, Policy policy) {
  Rng rng(1);
  typename S::Options options;
  options.players = static_cast<decltype(options.players)>(players);
  const S start = S::initial(options);
  std::uint64_t decisions = 0, games = 0;
  for (auto _ : run) {
    S state = start;
    decisions += play_out(state, rng, policy);
    ++games;
    benchmark::DoNotOptimize(state);
  }
  run.counters["decisions/s"] = rate(decisions);
  run.counters["games/s"] = rate(games);
}

// One position over and over, in the cache. The copy is written whole, since memory is clobbered on both sides.
template <GameState S>
void copy(benchmark::State& run) {
  S source = dealt<S>(S::kInfo.max_players, 1), target;
  for (auto _ : run) {
    benchmark::DoNotOptimize(&source);
    benchmark::ClobberMemory();
    target = source;
    benchmark::DoNotOptimize(&target);
    benchmark::ClobberMemory();
  }
  run.counters["bytes"] = sizeof(S);
}

// Runs f(position) over positions that fit the cache.
template <GameState S, class F>
void over_positions(benchmark::State& run, F&& f) {
  const auto list = positions<S>(S::kInfo.max_players, 64);
  std::size_t i = 0;
  for (auto _ : run) benchmark::DoNotOptimize(f(list[i++ % list.size()]));
}

template <GameState S>
void perft_nodes(benchmark::State& run) {
  const S start = dealt<S>(S::kInfo.min_players, 1);
  std::uint64_t leaves = 0;
  for (auto _ : run) leaves += perft(start, 4, Chance::kFixed);
  run.counters["leaves/s"] = rate(leaves);
}

// The first decision between several actions after so many decisions of a game by the light policy.
template <GameState S>
S decision_after(int players, int decisions) {
  S state = dealt<S>(players, 1);
  Rng rng(1);
  ActionList actions;
  for (;;) {
    actions.clear();
    state.legal_actions(actions);
    if (decisions-- <= 0 && actions.size() > 1) return state;
    play_out_unless(state, rng, Policy::kLight, {.decisions = 1}, [] { return false; });
  }
}

// Decisions of a whole game by the light policy.
template <GameState S>
int decisions_of_a_game(int players) {
  S state = dealt<S>(players, 1);
  Rng rng(1);
  return static_cast<int>(play_out(state, rng, Policy::kLight));
}

// A new tree of some thousand iterations in each turn, since a tree that has grown is slower.
template <GameState S>
void search(benchmark::State& run, int players, bool middle, bool cut) {
  constexpr std::uint64_t kIterations = 4000;
  const S state = decision_after<S>(players, middle ? decisions_of_a_game<S>(players) / 2 : 0);
  const auto view = state.view(state.current_player());
  SearchParams params{.rule = S::kSelection};
  if (cut) params.horizon = S::kHorizon;
  std::uint64_t iterations = 0;
  for (auto _ : run) {
    Ismcts<S> search(view, params, iterations);
    iterations += search.run(kIterations, [] { return false; });
    benchmark::DoNotOptimize(search.nodes());
  }
  run.counters["iterations/s"] = rate(iterations);
}

template <GameState S>
void add_searches() {
  const std::string name = std::string(S::kInfo.name) + "/search/";
  for (const int players : {S::kInfo.min_players, S::kInfo.max_players})
    for (const bool middle : {false, true})
      for (const bool cut : {true, false}) {
        const std::string where = std::to_string(players) + (middle ? "/middle/" : "/start/");
        const std::string how = cut ? "cut_off" : "to_the_end";
        benchmark::RegisterBenchmark((name + where + how).c_str(), search<S>, players, middle, cut);
      }
}

// A node that is offered the same actions each time, or now and then others, until it was rewarded some hundred times.
void choose(benchmark::State& run, std::uint32_t actions, bool pooled) {
  constexpr std::uint64_t kRewards = 300;
  Weighing weighing{Scales(SelectionRule::kUcb1, 0.3 * kUtilityOne), 0.2 * kUtilityOne, {0.03 * kUtilityOne, 0.5 * kUtilityOne, 30, 1}, 0};
  for (std::uint64_t i = 0; i < kRewards; ++i) weighing.scales.extend();
  ActionList offers[2];
  TrialOrder order{};
  Behind behind{};
  for (std::uint32_t i = 0; i < actions; ++i) {
    offers[0].push_back(i);
    offers[1].push_back(pooled ? i + actions / 4 : i);
    order[i] = static_cast<std::uint16_t>(i);
  }
  Bandit::Offered offered;
  Rng rng(1);
  std::uint64_t choices = 0;
  for (auto _ : run) {
    Arena arena(std::size_t{1} << 20);
    arena.reserve(Bandit::bytes_for(actions));
    Bandit* const node = Bandit::make(0, offers[0], order, behind, weighing, arena);
    Bandit::Choice choice{offers[0][0], 0};
    offered.clear();
    for (std::uint64_t i = 0; i < kRewards; ++i, ++choices) {
      node->reward(choice, static_cast<Utility>(rng.below(kUtilityOne)), offered, weighing);
      offered.clear();
      choice = node->choose(offers[i % 2], weighing, arena, offered, [&]() -> const Behind& { return behind; });
    }
    benchmark::DoNotOptimize(choice);
  }
  run.counters["choices/s"] = rate(choices);
}

// Blocks as nodes and their lists take them, given back now and then, until a tree of 16 MB is full and freed.
void fill_arena(benchmark::State& run) {
  std::uint64_t blocks = 0;
  for (auto _ : run) {
    Arena arena(std::size_t{1} << 24);
    void* kept = nullptr;
    for (unsigned i = 0; void* const block = arena.take_block(5 + i % 5); ++i, ++blocks) {
      if (i % 5 == 4) arena.give_back(block, 9);
      kept = block;
    }
    benchmark::DoNotOptimize(kept);
  }
  run.counters["blocks/s"] = rate(blocks);
}

void add_parts_of_a_search() {
  for (const std::uint32_t actions : {4u, 16u, 64u})
    for (const bool pooled : {false, true})
      benchmark::RegisterBenchmark(("bandit/" + std::string(pooled ? "pooled/" : "usual/") + std::to_string(actions)).c_str(), choose,
                                   actions, pooled);
  benchmark::RegisterBenchmark("arena/fill", fill_arena);
}

template <GameState S>
void add_benchmarks() {
  const std::string game(S::kInfo.name);
  for (const auto& [policy, name] : {std::pair(Policy::kLight, "/light/"), std::pair(Policy::kUniform, "/uniform/")})
    for (int players = S::kInfo.min_players; players <= S::kInfo.max_players; ++players)
      benchmark::RegisterBenchmark((game + name + std::to_string(players)).c_str(), rollouts<S>, players, policy);
  benchmark::RegisterBenchmark((game + "/copy").c_str(), copy<S>);
  benchmark::RegisterBenchmark((game + "/hash").c_str(),
                               [](benchmark::State& run) { over_positions<S>(run, [](const S& state) { return key(state); }); });
  benchmark::RegisterBenchmark((game + "/legal_actions").c_str(), [](benchmark::State& run) {
    ActionList actions;
    over_positions<S>(run, [&](const S& state) {
      actions.clear();
      state.legal_actions(actions);
      return actions.size();
    });
  });
  benchmark::RegisterBenchmark((game + "/view_imagine").c_str(), [](benchmark::State& run) {
    Rng rng(1);
    over_positions<S>(run, [&](const S& state) { return S::imagine(state.view(state.current_player()), rng); });
  });
  benchmark::RegisterBenchmark((game + "/info_key").c_str(), [](benchmark::State& run) {
    over_positions<S>(run, [](const S& state) { return info_key(state.view(state.current_player())); });
  });
  benchmark::RegisterBenchmark((game + "/perft").c_str(), perft_nodes<S>);
}

template <std::size_t I = 0>
void add_games() {
  if constexpr (I < std::variant_size_v<AnyState>) {
    add_benchmarks<std::variant_alternative_t<I, AnyState>>();
    add_searches<std::variant_alternative_t<I, AnyState>>();
    add_games<I + 1>();
  }
}

}  // namespace
}  // namespace kingsbridge::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  kingsbridge::bench::add_games();
  kingsbridge::bench::add_parts_of_a_search();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
