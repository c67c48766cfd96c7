// The Python module kingsbridge.pyengine._core: one State, one InformationSet, over the closed list of games. Checks what comes in,
// raises named exceptions, releases the GIL where work is long. The contract of each name is in pyengine/_core.pyi.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "algorithms/perft.hpp"
#include "algorithms/rollout.hpp"
#include "bindings/dict_fields.hpp"
#include "core/notation.hpp"
#include "games/all_games.hpp"

namespace kingsbridge::bindings {
namespace {

struct IllegalActionError : std::invalid_argument {
  using invalid_argument::invalid_argument;
};
struct ParseError : std::invalid_argument {
  using invalid_argument::invalid_argument;
};
struct OptionError : std::invalid_argument {
  using invalid_argument::invalid_argument;
};
struct UnknownGameError : std::out_of_range {
  using out_of_range::out_of_range;
};

// Applies f.operator()<S>() to each game's State type.
template <std::size_t I = 0, class F>
void for_each_game(F&& f) {
  if constexpr (I < std::variant_size_v<AnyState>) {
    f.template operator()<std::variant_alternative_t<I, AnyState>>();
    for_each_game<I + 1>(f);
  }
}

// Result of f.operator()<S>() for the game of that name.
template <class R, class F>
R with_game(const std::string& name, F&& f) {
  std::optional<R> result;
  std::string known;
  for_each_game([&]<class S>() {
    known += (known.empty() ? "" : ", ") + std::string(S::kInfo.name);
    if (S::kInfo.name == name) result = f.template operator()<S>();
  });
  if (!result) throw UnknownGameError("unknown game '" + name.substr(0, 40) + "'; known: " + known);
  return *std::move(result);
}

const GameInfo& info_of(const std::string& name) {
  return *with_game<const GameInfo*>(name, []<class S>() { return &S::kInfo; });
}

template <class T>
struct ViewsOf;
template <class... States>
struct ViewsOf<std::variant<States...>> {
  using type = std::variant<typename States::View...>;
};
using AnyView = ViewsOf<AnyState>::type;

Policy policy_of(const std::string& name) {
  if (name == "light") return Policy::kLight;
  if (name == "uniform") return Policy::kUniform;
  throw py::value_error("unknown policy '" + name.substr(0, 40) + "'; known: light, uniform");
}

template <class T>
py::tuple seats_tuple(const std::array<T, kMaxSeats>& values, int players) {
  py::tuple result(static_cast<std::size_t>(players));
  for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p) result[p] = values[p];
  return result;
}

// A list built by hand: half the cost of the general caster.
py::list action_list(const ActionList& actions) {
  py::list result(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i)
    PyList_SET_ITEM(result.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromUnsignedLong(actions[i]));
  return result;
}

std::string hex(Key key) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; key >>= 4) text[i] = "0123456789abcdef"[key & 15];
  return text;
}

// ---------------------------------------------------------------------------------------------------------------- State

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
    if (current_player() == kChance) {
      const OutcomeList list = outcomes();
      return std::any_of(list.begin(), list.end(), [&](const Outcome& outcome) { return outcome.action == action; });
    }
    const ActionList actions = legal();
    return std::binary_search(actions.begin(), actions.end(), action);
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
Action to_action(const py::int_& value) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  return overflow != 0 || number < 0 || number > 0xFFFFFFFFll ? kNoAction : static_cast<Action>(number);
}

int to_players(const GameInfo& info, int players) {
  if (players < info.min_players || players > info.max_players)
    throw OptionError("players=" + std::to_string(players) + " is out of range: " + std::string(info.name) + " takes " +
                      std::to_string(info.min_players) + " to " + std::to_string(info.max_players));
  return players;
}

template <GameState S>
typename S::Options to_options(int players, const py::dict& given) {
  typename S::Options options;
  options.players = static_cast<decltype(options.players)>(to_players(S::kInfo, players));
  std::size_t used = 0;
  std::string known;
  options.visit([&](const OptionInfo& option, auto& value) {
    const py::str name = to_str(option.name);
    known += (known.empty() ? "" : ", ") + std::string(option.name);
    if (!given.contains(name)) return;
    ++used;
    const py::object item = given[name];
    int overflow = 0;
    const bool number = PyLong_Check(item.ptr()) != 0;
    const long long wanted = number ? PyLong_AsLongLongAndOverflow(item.ptr(), &overflow) : 0;
    if (!number || overflow != 0 || wanted < option.minimum || wanted > option.maximum)
      throw OptionError(std::string(option.name) + " is out of range: a whole number from " + std::to_string(option.minimum) + " to " +
                        std::to_string(option.maximum));
    value = static_cast<std::remove_reference_t<decltype(value)>>(wanted);
  });
  if (used != given.size()) {
    for (const auto& [key, value] : given)
      if (known.find(py::str(key).cast<std::string>()) == std::string::npos)
        throw OptionError("unknown option '" + py::str(key).cast<std::string>().substr(0, 40) + "' of " + std::string(S::kInfo.name) +
                          "; known: " + known);
    throw OptionError("unknown option of " + std::string(S::kInfo.name) + "; known: " + known);
  }
  return options;
}

State initial(const std::string& game, int players, const py::dict& options) {
  return with_game<State>(game, [&]<class S>() { return State(S::initial(to_options<S>(players, options))); });
}

py::dict options_dict(const State& state) {
  py::dict result;
  state.visit([&](const auto& s) {
    auto options = s.options();
    options.visit([&](const OptionInfo& option, auto& value) { result[to_str(option.name)] = static_cast<int>(value); });
  });
  return result;
}

py::array_t<bool> legal_mask(const State& state) {
  const GameInfo& info = state.info();
  py::array_t<bool> mask(action_count(info));
  std::memset(mask.mutable_data(), 0, static_cast<std::size_t>(mask.nbytes()));
  for (const Action action : state.legal()) mask.mutable_at(action_index(info, action)) = true;
  return mask;
}

py::list outcome_list(const State& state) {
  py::list result;
  for (const Outcome& outcome : state.outcomes()) result.append(py::make_tuple(outcome.action, outcome.weight));
  return result;
}

Action sample_chance(const State& state, Rng& rng) {
  if (state.current_player() != kChance) throw IllegalActionError("not a chance node");
  return state.visit([&](const auto& s) { return s.sample_chance(rng); });
}

Action sample_decision(const State& state, Rng& rng, const std::string& policy) {
  const Policy by = policy_of(policy);
  if (state.current_player() < 0) throw IllegalActionError("nobody decides here");
  return state.visit([&](const auto& s) { return sample_action(s, rng, by); });
}

py::tuple win_shares(const State& state) {
  const Returns returns = state.returns();
  const int players = state.players(), first = winners(returns, players);
  const std::int32_t best = *std::max_element(returns.rank.begin(), returns.rank.begin() + players);
  std::array<double, kMaxSeats> shares{};
  for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p) shares[p] = returns.rank[p] == best ? 1.0 / first : 0.0;
  return seats_tuple(shares, players);
}

py::tuple one_rollout(const State& state, Rng& rng, const std::string& policy) {
  const Policy by = policy_of(policy);
  const int players = state.players();
  std::array<Utility, kMaxSeats> result;
  {
    py::gil_scoped_release release;
    result = state.visit([&](const auto& s) { return utilities(rollout(s, rng, by), players); });
  }
  return seats_tuple(result, players);
}

py::array_t<std::int32_t> many_rollouts(const State& state, std::uint64_t seed, py::ssize_t count, const std::string& policy) {
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
        const auto utility = utilities(returns, players);
        for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p) {
          *out++ = returns.score[p];
          *out++ = utility[p];
        }
      }
    });
  }
  return result;
}

std::uint64_t rollout_nodes(const State& state, std::uint64_t seed, std::int64_t count, const std::string& policy) {
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

py::list heuristic(const State& state) {
  py::list result;
  state.visit([&](const auto& s) {
    for (const Action action : state.legal()) result.append(s.heuristic(action));
  });
  return result;
}

std::uint64_t count_leaves(const State& state, int depth, bool expand_chance) {
  if (depth < 0) throw py::value_error("depth is negative");
  py::gil_scoped_release release;
  return state.visit([&](const auto& s) { return perft(s, depth, expand_chance ? Chance::kExpanded : Chance::kFixed); });
}

// ------------------------------------------------------------------------------------------------------- InformationSet

class InformationSet {
 public:
  explicit InformationSet(const AnyView& view) : view_(view) {}

  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), view_);
  }
  Player seat() const {
    return visit([](const auto& view) { return view.viewer(); });
  }
  Key key() const {
    return visit([](const auto& view) { return info_key(view); });
  }
  bool operator==(const InformationSet& other) const = default;

  State imagine(Rng& rng) const {
    std::optional<State> state;
    for_each_game([&]<class S>() {
      if (const auto* view = std::get_if<typename S::View>(&view_)) state.emplace(S::imagine(*view, rng));
    });
    return *state;
  }
  // Any determinization does for what all of them share: who moves, and what the mover may do.
  State any_state() const {
    Rng rng(0);
    return imagine(rng);
  }

 private:
  AnyView view_;
};

InformationSet information_set(const State& state, int seat) {
  if (seat < kSpectator || seat >= state.players())
    throw py::value_error("seat " + std::to_string(seat) + " is out of range: 0 to " + std::to_string(state.players() - 1) +
                          ", or -1 for a spectator");
  return state.visit([&](const auto& s) { return InformationSet(s.view(seat)); });
}

InformationSet from_view(const std::string& game, const py::dict& dict) {
  return with_game<InformationSet>(game, [&]<class S>() {
    typename S::View view;
    DictReader reader(dict);
    view.visit_fields(reader);
    reader.finish();
    if (const Violation violation = S::check(view)) throw ViewError(violation.field, violation.rule);
    return InformationSet(view);
  });
}

py::dict view_dict(const InformationSet& info) {
  DictWriter writer;
  info.visit([&](const auto& view) { view.visit_fields(writer); });
  return writer.take();
}

std::string view_text(const InformationSet& info) {
  TextFields text;
  info.visit([&](const auto& view) { view.visit_fields(text); });
  return text.text();
}

py::list own_actions(const InformationSet& info) {
  const State state = info.any_state();
  return state.current_player() == info.seat() && info.seat() >= 0 ? action_list(state.legal()) : py::list();
}

// ------------------------------------------------------------------------------------------------------------- Pickling

// A State travels as its bytes with their hash, and is believed no more than a view from outside: what is not a position that a game can
// come to is refused.
py::tuple reduce_state(const State& state) {
  const py::bytes bytes = state.visit([](const auto& s) { return py::bytes(reinterpret_cast<const char*>(&s), sizeof s); });
  const GameInfo& info = state.info();
  const auto restore = py::module_::import("kingsbridge.pyengine._core").attr("_restore_state");
  return py::make_tuple(restore, py::make_tuple(to_str(info.name), to_str(hex(rules_hash(info))), bytes));
}

State restore_state(const std::string& game, const std::string& hash, const py::bytes& bytes) {
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

// An InformationSet travels as the dict of its view.
py::tuple reduce_information_set(const InformationSet& info) {
  const auto from = py::module_::import("kingsbridge.pyengine._core").attr("_restore_information_set");
  return py::make_tuple(from, py::make_tuple(to_str(info.any_state().info().name), view_dict(info)));
}

// ------------------------------------------------------------------------------------------------------- Static data

py::dict text_dict(const Text& text) {
  py::dict result;
  result["en"] = to_str(text.en);
  result["fr"] = to_str(text.fr);
  result["ja"] = to_str(text.ja);
  return result;
}

py::dict option_dict(const OptionInfo& option) {
  py::dict result;
  result["name"] = to_str(option.name);
  result["default"] = option.standard;
  result["min"] = option.minimum;
  result["max"] = option.maximum;
  result["text"] = to_str(option.text);
  return result;
}

py::dict kind_dict(const GameInfo& info, const ActionKind& kind) {
  py::list arguments;
  for (const Argument& argument : kind.arguments) {
    py::dict item;
    item["name"] = to_str(argument.name);
    item["domain"] = to_str(info.domains[argument.domain].name);
    arguments.append(std::move(item));
  }
  py::dict result;
  result["name"] = to_str(kind.name);
  result["arguments"] = std::move(arguments);
  result["chance"] = kind.chance;
  result["deck"] = to_str(kind.deck);
  result["pooled"] = kind.pooled;
  result["phrase"] = text_dict(kind.phrase);
  return result;
}

py::dict domain_dict(const Domain& domain) {
  py::list symbols, copies;
  for (const auto symbol : domain.symbols) symbols.append(to_str(symbol));
  for (const int number : domain.copies) copies.append(number);
  py::dict result;
  result["name"] = to_str(domain.name);
  result["first"] = domain.first;
  result["count"] = domain.count;
  result["symbols"] = std::move(symbols);
  result["copies"] = std::move(copies);
  return result;
}

py::dict component_dict(const Component& component) {
  py::dict attributes;
  for (const Attribute& attribute : component.attributes)
    if (!attribute.name.empty()) attributes[to_str(attribute.name)] = attribute.value;
  py::dict provenance;
  provenance["names"] = text_dict(component.provenance.names);
  provenance["values"] = to_str(component.provenance.values);
  provenance["sources"] = to_str(component.provenance.sources);
  py::dict result;
  result["id"] = to_str(component.id);
  result["set"] = to_str(component.set);
  result["face"] = to_str(component.face);
  result["names"] = text_dict(component.names);
  result["provenance"] = std::move(provenance);
  result["attributes"] = std::move(attributes);
  return result;
}

py::dict game_info(const std::string& name) {
  const GameInfo& info = info_of(name);
  py::list options, kinds, domains, components;
  for (const auto& option : info.options) options.append(option_dict(option));
  for (const auto& kind : info.kinds) kinds.append(kind_dict(info, kind));
  for (const auto& domain : info.domains) domains.append(domain_dict(domain));
  for (const auto& component : info.components) components.append(component_dict(component));
  py::dict result;
  result["name"] = to_str(info.name);
  result["title"] = text_dict(info.title);
  result["min_players"] = info.min_players;
  result["max_players"] = info.max_players;
  result["rules_hash"] = hex(rules_hash(info));
  result["max_score"] = info.max_score;
  result["max_length"] = info.max_length;
  result["action_count"] = action_count(info);
  result["options"] = std::move(options);
  result["kinds"] = std::move(kinds);
  result["domains"] = std::move(domains);
  result["components"] = std::move(components);
  return result;
}

py::list game_names() {
  py::list names;
  for_each_game([&]<class S>() { names.append(to_str(S::kInfo.name)); });
  return names;
}

std::string text_of(const std::string& game, const py::int_& number) {
  const GameInfo& info = info_of(game);
  const Action action = to_action(number);
  if (!is_action(info, action)) throw ParseError("the number is no action of " + game);
  return action_text(info, action);
}

Action parse(const std::string& game, const std::string& text) {
  const Parsed parsed = parse_action(info_of(game), std::string_view(text).substr(0, 200));
  if (!parsed.error.empty()) throw ParseError(parsed.error);
  return parsed.action;
}

int index_of(const std::string& game, const py::int_& number) {
  const GameInfo& info = info_of(game);
  const Action action = to_action(number);
  if (!is_action(info, action) || info.kinds[kind_of(action)].chance) throw ParseError("the number is no decision of " + game);
  return action_index(info, action);
}

Action at_index(const std::string& game, int index) {
  const GameInfo& info = info_of(game);
  if (index < 0 || index >= action_count(info))
    throw py::index_error("index " + std::to_string(index) + " is not in 0 .. " + std::to_string(action_count(info) - 1));
  return action_at(info, index);
}

std::uint64_t modulo64(const py::int_& value) { return PyLong_AsUnsignedLongLongMask(value.ptr()); }

// ------------------------------------------------------------------------------------------------------------ Bindings

void bind_errors(py::module_& m) {
  py::register_exception<IllegalActionError>(m, "IllegalActionError", PyExc_ValueError);
  py::register_exception<ParseError>(m, "ParseError", PyExc_ValueError);
  py::register_exception<OptionError>(m, "OptionError", PyExc_ValueError);
  py::register_exception<UnknownGameError>(m, "UnknownGameError", PyExc_LookupError);
  // ViewError carries field and rule beside its message.
  static PYBIND11_CONSTINIT py::gil_safe_call_once_and_store<py::object> view_error;
  view_error.call_once_and_store_result([&]() -> py::object { return py::exception<ViewError>(m, "ViewError", PyExc_ValueError); });
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const ViewError& error) {
      py::set_error(view_error.get_stored(), py::make_tuple(error.what(), error.field(), error.rule()));
    }
  });
}

void bind_rng(py::module_& m) {
  py::class_<Rng>(m, "Rng", py::is_final())
      .def(py::init([](const py::int_& seed, const py::int_& stream) { return Rng(modulo64(seed), modulo64(stream)); }), py::arg("seed"),
           py::arg("stream") = 0)
      .def("next", &Rng::next)
      .def(
          "below",
          [](Rng& rng, std::int64_t bound) {
            if (bound < 1 || bound > 0xFFFFFFFFll) throw py::value_error("bound is not in 1 .. 2**32 - 1");
            return rng.below(static_cast<std::uint32_t>(bound));
          },
          py::arg("bound"));
}

void bind_state(py::module_& m) {
  py::class_<State>(m, "State", py::is_final())
      .def_static("initial", &initial, py::arg("game"), py::arg("players"), py::arg("options") = py::dict())
      .def_property_readonly("game", [](const State& s) { return to_str(s.info().name); })
      .def_property_readonly("options", &options_dict)
      .def_property_readonly("players", &State::players)
      .def_property_readonly("current_player", &State::current_player)
      .def_property_readonly("is_chance", [](const State& s) { return s.current_player() == kChance; })
      .def_property_readonly("is_terminal", [](const State& s) { return s.current_player() == kTerminal; })
      .def_property_readonly("key", &State::key)
      .def("legal_actions", [](const State& s) { return action_list(s.legal()); })
      .def(
          "is_legal", [](const State& s, const py::int_& action) { return s.is_legal(to_action(action)); }, py::arg("action"))
      .def("legal_mask", &legal_mask)
      .def("chance_outcomes", &outcome_list)
      .def("sample_chance", &sample_chance, py::arg("rng"))
      .def("sample_action", &sample_decision, py::arg("rng"), py::arg("policy") = "light")
      .def(
          "apply", [](State& s, const py::int_& action) { s.apply(to_action(action)); }, py::arg("action"))
      .def(
          "child",
          [](const State& s, const py::int_& action) {
            State copy = s;
            copy.apply(to_action(action));
            return copy;
          },
          py::arg("action"))
      .def("copy", [](const State& s) { return s; })
      .def("scores", [](const State& s) { return seats_tuple(s.returns().score, s.players()); })
      .def("ranks", [](const State& s) { return seats_tuple(s.returns().rank, s.players()); })
      .def("utilities", [](const State& s) { return seats_tuple(utilities(s.returns(), s.players()), s.players()); })
      .def("win_shares", &win_shares)
      .def(
          "observed",
          [](const State& s, const py::int_& action, int) {
            const Action number = to_action(action);
            if (!is_action(s.info(), number)) throw IllegalActionError("the number is no action of the game");
            return observed(s.info(), number);
          },
          py::arg("action"), py::arg("seat"))
      .def("rollout", &one_rollout, py::arg("rng"), py::arg("policy") = "light")
      .def(
          "rollouts",
          [](const State& s, const py::int_& seed, py::ssize_t count, const std::string& policy) {
            return many_rollouts(s, modulo64(seed), count, policy);
          },
          py::arg("seed"), py::arg("count"), py::arg("policy") = "light")
      .def(
          "rollout_nodes",
          [](const State& s, const py::int_& seed, std::int64_t count, const std::string& policy) {
            return rollout_nodes(s, modulo64(seed), count, policy);
          },
          py::arg("seed"), py::arg("count"), py::arg("policy") = "light")
      .def("heuristic", &heuristic)
      .def("perft", &count_leaves, py::arg("depth"), py::arg("expand_chance") = false)
      .def("information_set", &information_set, py::arg("seat"))
      .def("__copy__", [](const State& s) { return s; })
      .def(
          "__deepcopy__", [](const State& s, const py::dict&) { return s; }, py::arg("memo"))
      .def("__eq__",
           [](const State& s, const py::object& other) { return py::isinstance<State>(other) && s == other.cast<const State&>(); })
      .def("__hash__", [](const State& s) { return static_cast<py::ssize_t>(s.key() >> 1); })
      .def("__reduce__", &reduce_state)
      .def("__repr__", [](const State& s) {
        const Player player = s.current_player();
        const std::string who = player == kTerminal ? "over" : player == kChance ? "chance" : "seat " + std::to_string(player) + " to move";
        return "<State " + std::string(s.info().name) + " " + std::to_string(s.players()) + " players, " + who + ", key " + hex(s.key()) +
               ">";
      });
}

void bind_information_set(py::module_& m) {
  py::class_<InformationSet>(m, "InformationSet", py::is_final())
      .def_static("from_view", &from_view, py::arg("game"), py::arg("view"))
      .def_property_readonly("game", [](const InformationSet& i) { return to_str(i.any_state().info().name); })
      .def_property_readonly("seat", &InformationSet::seat)
      .def_property_readonly("players", [](const InformationSet& i) { return i.any_state().players(); })
      .def_property_readonly("current_player", [](const InformationSet& i) { return i.any_state().current_player(); })
      .def_property_readonly("key", &InformationSet::key)
      .def("legal_actions", &own_actions)
      .def("view", &view_dict)
      .def("text", &view_text)
      .def("imagine", &InformationSet::imagine, py::arg("rng"))
      .def("__eq__",
           [](const InformationSet& i, const py::object& other) {
             return py::isinstance<InformationSet>(other) && i == other.cast<const InformationSet&>();
           })
      .def("__hash__", [](const InformationSet& i) { return static_cast<py::ssize_t>(i.key() >> 1); })
      .def("__reduce__", &reduce_information_set)
      .def("__repr__", [](const InformationSet& i) {
        return "<InformationSet " + std::string(i.any_state().info().name) + " seat " + std::to_string(i.seat()) + ", key " + hex(i.key()) +
               ">";
      });
}

}  // namespace
}  // namespace kingsbridge::bindings

PYBIND11_MODULE(_core, m, pybind11::mod_gil_not_used()) {
  using namespace kingsbridge;
  using namespace kingsbridge::bindings;
  m.attr("CHANCE") = kChance;
  m.attr("TERMINAL") = kTerminal;
  m.attr("SPECTATOR") = kSpectator;
  m.attr("UTILITY_ONE") = kUtilityOne;
  m.attr("ENGINE_VERSION") = KINGSBRIDGE_VERSION;
  bind_errors(m);
  bind_rng(m);
  bind_state(m);
  bind_information_set(m);
  m.def("_restore_state", &restore_state);
  m.def("_restore_information_set", &from_view);
  m.def("game_names", &game_names);
  m.def("game_info", &game_info, py::arg("name"));
  m.def("action_text", &text_of, py::arg("game"), py::arg("action"));
  m.def("parse_action", &parse, py::arg("game"), py::arg("text"));
  m.def("action_index", &index_of, py::arg("game"), py::arg("action"));
  m.def("action_at", &at_index, py::arg("game"), py::arg("index"));
}
