// Speed of the core on one core, for every game: rollouts, copies, hashes, move lists, views, perft. Rates are per second of CPU time.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

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
    add_games<I + 1>();
  }
}

}  // namespace
}  // namespace kingsbridge::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  kingsbridge::bench::add_games();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
