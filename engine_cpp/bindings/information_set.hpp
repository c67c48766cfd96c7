// One InformationSet over the views of all games.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <variant>

#include "bindings/dict_fields.hpp"
#include "bindings/state.hpp"

namespace kingsbridge::bindings {

namespace py = pybind11;

template <class T>
struct ViewsOf;
template <class... States>
struct ViewsOf<std::variant<States...>> {
  using type = std::variant<typename States::View...>;
};
using AnyView = ViewsOf<AnyState>::type;

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
  Horizon horizon() const {
    Horizon horizon;
    for_each_game([&]<class S>() {
      if (std::holds_alternative<typename S::View>(view_)) horizon = S::kHorizon;
    });
    return horizon;
  }
  SelectionRule selection() const {
    SelectionRule rule{};
    for_each_game([&]<class S>() {
      if (std::holds_alternative<typename S::View>(view_)) rule = S::kSelection;
    });
    return rule;
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

inline InformationSet information_set(const State& state, const py::int_& wanted_seat) {
  const int seat = to_int(wanted_seat);
  if (seat < kSpectator || seat >= state.players())
    throw py::value_error("seat " + std::to_string(seat) + " is out of range: 0 to " + std::to_string(state.players() - 1) +
                          ", or -1 for a spectator");
  return state.visit([&](const auto& s) { return InformationSet(s.view(seat)); });
}

inline InformationSet from_view(const py::str& game, const py::dict& dict) {
  return with_game<InformationSet>(utf8(game), [&]<class S>() {
    typename S::View view;
    DictReader reader(dict);
    view.visit_fields(reader);
    reader.finish();
    if (const Violation violation = S::check(view)) throw ViewError(violation.field, violation.rule);
    return InformationSet(view);
  });
}

inline py::dict view_dict(const InformationSet& info) {
  DictWriter writer;
  info.visit([&](const auto& view) { view.visit_fields(writer); });
  return writer.take();
}

inline std::string view_text(const InformationSet& info) {
  TextFields text;
  info.visit([&](const auto& view) { view.visit_fields(text); });
  return text.text();
}

inline py::list own_actions(const InformationSet& info) {
  const State state = info.any_state();
  return state.current_player() == info.seat() && info.seat() >= 0 ? action_list(state.legal()) : py::list();
}

// An InformationSet travels as the dict of its view.
inline py::tuple reduce_information_set(const InformationSet& info) {
  const auto from = py::module_::import("kingsbridge.pyengine._core").attr("_restore_information_set");
  return py::make_tuple(from, py::make_tuple(to_str(info.any_state().info().name), view_dict(info)));
}

}  // namespace kingsbridge::bindings
