// The Python module kingsbridge.pyengine._core: names and signatures only. The contract of each name is in pyengine/_core.pyi.
// This is the one translation unit that reads pybind11's headers.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "bindings/errors.hpp"
#include "bindings/information_set.hpp"
#include "bindings/search.hpp"
#include "bindings/state.hpp"
#include "bindings/static_data.hpp"

namespace kingsbridge::bindings {
namespace {

std::uint64_t modulo64(const py::int_& value) { return PyLong_AsUnsignedLongLongMask(value.ptr()); }

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
      .def("utilities", [](const State& s) { return seats_tuple(worth_of(s.returns(), s.players()).utilities, s.players()); })
      .def("win_shares", &win_shares)
      .def(
          "observed",
          [](const State& s, const py::int_& action, int seat) {
            const Action number = to_action(action);
            if (!is_action(s.info(), number)) throw IllegalActionError("the number is no action of the game");
            return observed(s.info(), number, seat);
          },
          py::arg("action"), py::arg("seat"))
      .def("rollout", &one_rollout, py::arg("rng"), py::arg("policy") = "light", py::arg("length") = py::none(),
           py::arg("rounds") = py::none(), py::arg("margin") = 0.5, py::arg("reach") = UtilityRule{}.reach)
      .def_property_readonly("round", [](const State& s) { return s.visit([](const auto& state) { return state.round(); }); })
      .def("outlook", [](const State& s) { return seats_tuple(s.outlook(), s.players()); })
      .def("outlook_leads",
           [](const State& s) {
             const OutlookLead lead = s.visit([](const auto& state) { return state.outlook_lead(); });
             return std::pair(lead.utility, lead.share);
           })
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
      .def_property_readonly("heuristic_point", &State::heuristic_point)
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
      .def_property_readonly("horizon", [](const InformationSet& i) { return bounds(i.horizon()); })
      .def_property_readonly("rule", [](const InformationSet& i) { return kSelectionRules[static_cast<std::size_t>(i.selection())].first; })
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

void bind_search(py::module_& m) {
  const SearchParams standard;
  py::class_<Search>(m, "Search", py::is_final(), py::release_gil_before_calling_cpp_dtor())  // a large tree takes 0.1 s to free
      .def(py::init([](const InformationSet& info, const py::int_& seed, const std::string& rule, double c, double caution, double bias,
                       double trust, double temperature, double widening, const std::string& opponents, double margin,
                       const py::int_& reach, const std::string& policy, const std::optional<std::int64_t>& length,
                       const std::optional<std::int64_t>& rounds, const std::string& order, const std::string& worlds,
                       const py::int_& nodes, const py::int_& memory, bool reuse, const std::optional<py::iterable>& among) {
             SearchParams params;
             params.rule = choice_of<SelectionRule>("rule", rule, kSelectionRules);
             params.c = not_negative("c", c);
             params.caution = finite("caution", caution);
             params.bias = not_negative("bias", bias);
             params.trust = not_negative("trust", trust);
             params.temperature = positive("temperature", temperature);
             params.widening = not_negative("widening", widening);
             params.opponents = choice_of<Opponents>(
                 "opponents", opponents, {{"max_n", Opponents::kMaxN}, {"paranoid", Opponents::kParanoid}, {"policy", Opponents::kPolicy}});
             params.utility = utility_of(margin, reach);
             params.policy = policy_of(policy);
             params.horizon = horizon_of(length, rounds);
             params.order = choice_of<TrialRule>("order", order, {{"heuristic", TrialRule::kHeuristic}, {"random", TrialRule::kRandom}});
             params.worlds = choice_of<Worlds>("worlds", worlds, {{"fresh", Worlds::kFresh}, {"fixed", Worlds::kFixed}});
             params.nodes = at_least("nodes", nodes, 1);
             params.memory = at_least("memory", memory, kLeastMemory);
             params.reuse = reuse;
             if (reuse && params.worlds == Worlds::kFixed) throw py::value_error("reuse: it needs fresh worlds");
             return std::make_unique<Search>(info, params, modulo64(seed), among);
           }),
           py::arg("info"), py::arg("seed"), py::kw_only(), py::arg("rule") = "ucb1", py::arg("c") = standard.c,
           py::arg("caution") = standard.caution, py::arg("bias") = standard.bias, py::arg("trust") = standard.trust,
           py::arg("temperature") = standard.temperature, py::arg("widening") = standard.widening, py::arg("opponents") = "max_n",
           py::arg("margin") = 0.5, py::arg("reach") = UtilityRule{}.reach, py::arg("policy") = "light", py::arg("length") = py::none(),
           py::arg("rounds") = py::none(), py::arg("order") = "heuristic", py::arg("worlds") = "fresh", py::arg("nodes") = standard.nodes,
           py::arg("memory") = standard.memory, py::arg("reuse") = standard.reuse, py::arg("among") = py::none())
      .def(
          "run",
          [](Search& search, const std::optional<py::int_>& iterations, const std::optional<double>& seconds,
             const std::optional<py::buffer>& flag) {
            return to_str(search.run(iterations ? at_least("iterations", *iterations, 0) : UINT64_MAX, seconds, flag));
          },
          py::arg("iterations") = py::none(), py::arg("seconds") = py::none(), py::arg("flag") = py::none())
      .def(
          "go_on",
          [](Search& search, const InformationSet& info, const py::int_& seed, const std::optional<py::iterable>& among) {
            return search.go_on(info, modulo64(seed), among);
          },
          py::arg("info"), py::arg("seed"), py::kw_only(), py::arg("among") = py::none())
      .def("stop", &Search::stop)
      .def_property_readonly("stopped", &Search::stopped)
      .def_property_readonly("iterations", [](Search& search) { return search.read([](const auto& s) { return s.iterations(); }); })
      .def_property_readonly("kept", [](Search& search) { return search.read([](const auto& s) { return s.kept(); }); })
      .def_property_readonly("nodes", [](Search& search) { return search.read([](const auto& s) { return s.nodes(); }); })
      .def_property_readonly("bytes", [](Search& search) { return search.read([](const auto& s) { return s.bytes(); }); })
      .def("root_statistics", &root_statistics)
      .def("line", &principal_line, py::arg("action"))
      .def("trace", &trace);
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
  m.attr("OUTLOOK_POINT") = kOutlookPoint;
  m.attr("MOST_REACH") = kMostReach;
  py::dict rules;
  for (const auto& [name, rule] : kSelectionRules) {
    const Exploration exploration = exploration_of(rule);
    rules[name] = py::make_tuple(exploration.c, exploration.caution);
  }
  m.attr("SELECTION_RULES") = rules;
  m.attr("ENGINE_VERSION") = KINGSBRIDGE_VERSION;
  bind_errors(m);
  bind_rng(m);
  bind_state(m);
  bind_information_set(m);
  bind_search(m);
  m.def("_restore_state", &restore_state);
  m.def("_restore_information_set", &from_view);
  m.def("game_names", &game_names);
  m.def("game_info", &game_info, py::arg("name"));
  m.def("action_text", &text_of, py::arg("game"), py::arg("action"));
  m.def("parse_action", &parse, py::arg("game"), py::arg("text"));
  m.def("action_index", &index_of, py::arg("game"), py::arg("action"));
  m.def("action_at", &at_index, py::arg("game"), py::arg("index"));
}
