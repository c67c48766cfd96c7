// One State over all games. Checks what comes in, releases the GIL where work is long.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/perft.hpp"
#include "algorithms/rollout.hpp"
#include "bindings/games.hpp"
#include "core/notation.hpp"

namespace kingsbridge::bindings {

namespace py = pybind11;

class State {
 public:
  explicit State(const AnyState& state) : state_(state) {}

  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), state_);
  }

  const GameInfo& info() const {
    return visit([]<class S>(const S&) -> const GameInfo& { return S::kInfo; });
  }
  int players() const {
    return visit([](const auto& s) { return static_cast<int>(s.options().players); });
  }
  Outlook outlook() const {
    return visit([](const auto& s) { return s.outlook(); });
  }
  std::int32_t heuristic_point() const {
    return visit([]<class S>(const S&) { return S::kHeuristicPoint; });
  }
  Player current_player() const {
    return visit([](const auto& s) { return s.current_player(); });
  }
  Key key() const {
    return visit([](const auto& s) { return kingsbridge::key(s); });
  }
  Returns returns() const {
    return visit([](const auto& s) { return s.returns(); });
  }
  ActionList legal() const {
    ActionList actions;
    visit([&](const auto& s) { s.legal_actions(actions); });
    return actions;
  }
  OutcomeList outcomes() const {
    OutcomeList outcomes;
    visit([&](const auto& s) { s.chance_outcomes(outcomes); });
    return outcomes;
  }

  bool is_legal(Action action) const {
    return visit([&](const auto& s) { return allows(s, action); });
  }

  void require_legal(Action action) const {
    if (is_legal(action)) return;
    const std::string text = is_action(info(), action) ? action_text(info(), action) : "action " + std::to_string(action);
    const Player player = current_player();
    if (player == kTerminal) throw IllegalActionError(text + " is not legal: the game is over");
    if (player == kChance) throw IllegalActionError(text + " is no outcome of this chance node");
    throw IllegalActionError(text + " is not legal for seat " + std::to_string(player));
  }

  void apply(Action action) {
    require_legal(action);
    std::visit([&](auto& s) { s.apply(action); }, state_);
  }

  bool operator==(const State& other) const = default;

 private:
  AnyState state_;
};

// Numbers that are no 32-bit unsigned are illegal actions like any other.
inline Action to_action(const py::int_& value) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  return overflow != 0 || number < 0 || number > 0xFFFFFFFFll ? kNoAction : static_cast<Action>(number);
}

inline int to_players(const GameInfo& info, int players) {
  if (players < info.min_players || players > info.max_players)
    throw OptionError("players=" + std::to_string(players) + " is out of range: " + std::string(info.name) + " takes " +
                      std::to_string(info.min_players) + " to " + std::to_string(info.max_players));
  return players;
}

inline int to_option(const OptionInfo& option, const py::object& given) {
  int overflow = 0;
  const bool number = PyLong_Check(given.ptr()) != 0;
  const long long value = number ? PyLong_AsLongLongAndOverflow(given.ptr(), &overflow) : 0;
  if (!number || overflow != 0 || value < option.minimum || value > option.maximum)
    throw OptionError(std::string(option.name) + " is out of range: a whole number from " + std::to_string(option.minimum) + " to " +
                      std::to_string(option.maximum));
  return static_cast<int>(value);
}

template <GameState S>
typename S::Options to_options(int players, const py::dict& given) {
  typename S::Options options;
  options.players = static_cast<decltype(options.players)>(to_players(S::kInfo, players));
  py::dict left = given.attr("copy")();
  std::string known;
  options.visit([&](const OptionInfo& option, auto& value) {
    known += (known.empty() ? "" : ", ") + std::string(option.name);
    const py::str name = to_str(option.name);
    if (!left.contains(name)) return;
    value = static_cast<std::remove_reference_t<decltype(value)>>(to_option(option, left.attr("pop")(name)));
  });
  if (left.size() > 0)
    throw OptionError("unknown option '" + clipped(utf8(py::str(left.begin()->first))) + "' of " + std::string(S::kInfo.name) +
                      "; known: " + known);
  return options;
}

inline State initial(const py::str& game, const py::int_& players, const py::dict& options) {
  return with_game<State>(utf8(game), [&]<class S>() { return State(S::initial(to_options<S>(to_int(players), options))); });
}

inline py::dict options_dict(const State& state) {
  py::dict result;
  state.visit([&](const auto& s) {
    auto options = s.options();
    options.visit([&](const OptionInfo& option, auto& value) { result[to_str(option.name)] = static_cast<int>(value); });
  });
  return result;
}

inline py::array_t<bool> legal_mask(const State& state) {
  const GameInfo& info = state.info();
  py::array_t<bool> mask(action_count(info));
  std::memset(mask.mutable_data(), 0, static_cast<std::size_t>(mask.nbytes()));
  for (const Action action : state.legal()) mask.mutable_at(action_index(info, action)) = true;
  return mask;
}

inline py::list outcome_list(const State& state) {
  py::list result;
  for (const Outcome& outcome : state.outcomes()) result.append(py::make_tuple(outcome.action, outcome.weight));
  return result;
}

inline Action sample_chance(const State& state, Rng& rng) {
  if (state.current_player() != kChance) throw IllegalActionError("not a chance node");
  return state.visit([&](const auto& s) { return s.sample_chance(rng); });
}

inline Action sample_decision(const State& state, Rng& rng, const std::string& policy) {
  const Policy by = policy_of(policy);
  if (state.current_player() < 0) throw IllegalActionError("nobody decides here");
  return state.visit([&](const auto& s) { return sample_action(s, rng, by); });
}

inline py::tuple win_shares(const State& state) {
  const Returns returns = state.returns();
  const int players = state.players(), first = winners(returns, players);
  const std::int32_t best = *std::max_element(returns.rank.begin(), returns.rank.begin() + players);
  std::array<double, kMaxSeats> shares{};
  for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p) shares[p] = returns.rank[p] == best ? 1.0 / first : 0.0;
  return seats_tuple(shares, players);
}

inline std::uint32_t bound_of(const char* name, const std::optional<std::int64_t>& value) {
  if (value && *value < 0) throw py::value_error(std::string(name) + " is negative");
  return value && *value < kToTheEnd ? static_cast<std::uint32_t>(*value) : kToTheEnd;
}
inline Horizon horizon_of(const std::optional<std::int64_t>& length, const std::optional<std::int64_t>& rounds) {
  return {bound_of("length", length), bound_of("rounds", rounds)};
}
// Bounds as Python has them.
inline py::tuple bounds(const Horizon& horizon) {
  const auto bound = [](std::uint32_t value) { return value == kToTheEnd ? std::nullopt : std::optional(value); };
  return py::make_tuple(bound(horizon.decisions), bound(horizon.rounds));
}

inline constexpr std::int32_t kMostReach = 1000;

inline UtilityRule utility_of(double margin, const py::int_& reach) {
  const int points = to_int(reach);
  if (!(margin >= 0 && margin <= 1)) throw py::value_error("margin is not from 0 to 1");
  if (points < 1 || points > kMostReach) throw py::value_error("reach is not from 1 to " + std::to_string(kMostReach));
  return {static_cast<Utility>(std::lround(margin * kUtilityOne)), points};
}

inline py::tuple one_rollout(const State& state, Rng& rng, const std::string& policy, const std::optional<std::int64_t>& length,
                             const std::optional<std::int64_t>& rounds, double margin, const py::int_& reach) {
  const Policy by = policy_of(policy);
  const Horizon horizon = horizon_of(length, rounds);
  const UtilityRule rule = utility_of(margin, reach);
  Worth result;
  {
    py::gil_scoped_release release;
    result = state.visit([&](auto s) {
      play_out_unless(s, rng, by, horizon, [] { return false; });
      return worth(s, rule);
    });
  }
  return py::make_tuple(seats_tuple(result.utilities, state.players()), seats_tuple(result.shares, state.players()),
                        seats_tuple(result.scores, state.players()));
}

inline py::array_t<std::int32_t> many_rollouts(const State& state, std::uint64_t seed, py::ssize_t count, const std::string& policy) {
  const Policy by = policy_of(policy);
  if (count < 0) throw py::value_error("count is negative");
  const int players = state.players();
  py::array_t<std::int32_t> result({count, static_cast<py::ssize_t>(players), static_cast<py::ssize_t>(2)});
  std::int32_t* out = result.mutable_data();
  {
    py::gil_scoped_release release;
    Rng rng(seed);
    state.visit([&](const auto& s) {
      for (py::ssize_t i = 0; i < count; ++i) {
        const Returns returns = rollout(s, rng, by);
        const auto utility = worth_of(returns, players).utilities;
        for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p) {
          *out++ = returns.score[p];
          *out++ = utility[p];
        }
      }
    });
  }
  return result;
}

inline std::uint64_t rollout_nodes(const State& state, std::uint64_t seed, std::int64_t count, const std::string& policy) {
  const Policy by = policy_of(policy);
  py::gil_scoped_release release;
  Rng rng(seed);
  return state.visit([&](const auto& s) {
    std::uint64_t decisions = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      auto copy = s;
      decisions += play_out(copy, rng, by);
    }
    return decisions;
  });
}

inline py::list heuristic(const State& state) {
  py::list result;
  state.visit([&](const auto& s) {
    for (const Action action : state.legal()) result.append(s.heuristic(action));
  });
  return result;
}

inline std::uint64_t count_leaves(const State& state, const py::int_& wanted_depth, bool expand_chance) {
  const int depth = to_int(wanted_depth);
  if (depth < 0) throw py::value_error("depth is negative");
  py::gil_scoped_release release;
  return state.visit([&](const auto& s) { return perft(s, depth, expand_chance ? Chance::kExpanded : Chance::kFixed); });
}

// A State travels as its bytes with their hash, and is believed no more than a view from outside: what is not a position that a game can
// come to is refused.
inline py::tuple reduce_state(const State& state) {
  const py::bytes bytes = state.visit([](const auto& s) { return py::bytes(reinterpret_cast<const char*>(&s), sizeof s); });
  const GameInfo& info = state.info();
  const auto restore = py::module_::import("kingsbridge.pyengine._core").attr("_restore_state");
  return py::make_tuple(restore, py::make_tuple(to_str(info.name), to_str(hex(rules_hash(info))), bytes));
}

inline State restore_state(const py::str& game_name, const std::string& hash, const py::bytes& bytes) {
  const std::string game = utf8(game_name);
  return with_game<State>(game, [&]<class S>() {
    if (hash != hex(rules_hash(S::kInfo))) throw py::value_error("the state was pickled under other rules of " + game);
    const std::string_view raw = bytes;
    if (raw.size() != sizeof(S)) throw py::value_error("not the bytes of a state of " + game);
    S state;
    std::memcpy(&state, raw.data(), sizeof(S));
    for (Player seat = kSpectator; seat < S::kInfo.max_players; ++seat) {
      if (seat >= state.options().players) break;
      if (const Violation violation = S::check(state.view(seat))) throw ViewError(violation.field, violation.rule);
    }
    return State(state);
  });
}

}  // namespace kingsbridge::bindings
