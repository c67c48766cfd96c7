// One Search over all games. Releases the GIL while it runs, and can be stopped from any thread, by the clock, or through shared memory.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "algorithms/ismcts.hpp"
#include "bindings/information_set.hpp"

namespace kingsbridge::bindings {

namespace py = pybind11;

template <class T>
struct SearchesOf;
template <class... States>
struct SearchesOf<std::variant<States...>> {
  using type = std::variant<std::unique_ptr<Ismcts<States>>...>;
};
using AnySearch = SearchesOf<AnyState>::type;

// Another process raises it by writing to the byte.
class SharedFlag {
 public:
  explicit SharedFlag(const std::optional<py::buffer>& buffer) {
    if (!buffer) return;
    info_.emplace(buffer->request(true));
    if (info_->size != 1 || info_->itemsize != 1) throw py::value_error("the flag is not one byte");
    byte_ = static_cast<unsigned char*>(info_->ptr);
  }
  bool raised() const { return byte_ != nullptr && std::atomic_ref<unsigned char>(*byte_).load(std::memory_order_relaxed) != 0; }

 private:
  std::optional<py::buffer_info> info_;
  unsigned char* byte_ = nullptr;
};

// Why a run ended, asked by the kernel as a yes or no.
class Limits {
 public:
  using Clock = std::chrono::steady_clock;

  Limits(const std::optional<double>& seconds, const std::atomic<bool>& stopped, const SharedFlag& flag)
      : stopped_(stopped), flag_(flag), started_(Clock::now()), seconds_(seconds.value_or(0)), timed_(seconds.has_value()) {
    if (std::isnan(seconds_) || seconds_ < 0) throw py::value_error("seconds must be a number and not negative");
  }
  bool operator()() {
    if (stopped_.load(std::memory_order_relaxed) || flag_.raised())
      reason_ = "stopped";
    else if (timed_ && std::chrono::duration<double>(Clock::now() - started_).count() >= seconds_)
      reason_ = "time";
    return reason_ != nullptr;
  }
  std::string_view reason() const { return reason_ != nullptr ? reason_ : "iterations"; }

 private:
  const std::atomic<bool>& stopped_;
  const SharedFlag& flag_;
  Clock::time_point started_;
  double seconds_;
  bool timed_;
  const char* reason_ = nullptr;
};

// The legal actions that are among these, ascending.
inline std::vector<Action> chosen_among(const py::iterable& wanted, const ActionList& legal) {
  std::set<Action> actions;
  for (const py::handle each : wanted) {
    if (!py::isinstance<py::int_>(each)) throw py::type_error("among: an action is an int");
    const Action action = to_action(py::reinterpret_borrow<py::int_>(each));
    if (!std::binary_search(legal.begin(), legal.end(), action))
      throw py::value_error("among: " + std::string(py::str(each)) + " is not legal");
    actions.insert(action);
  }
  if (actions.empty()) throw py::value_error("among: at least one action is needed");
  return {actions.begin(), actions.end()};
}

// What the root offers, none for every legal action; checked.
inline std::vector<Action> offered_by(const InformationSet& info, const std::optional<py::iterable>& among) {
  const State state = info.any_state();
  if (info.seat() < 0 || info.seat() != state.current_player())
    throw py::value_error("seat " + std::to_string(info.seat()) + " is not to move: " + std::to_string(state.current_player()) + " is");
  return among ? chosen_among(*among, state.legal()) : std::vector<Action>();
}

class Search {
 public:
  Search(const InformationSet& info, const SearchParams& params, std::uint64_t seed, const std::optional<py::iterable>& among) {
    const std::vector<Action> offered = offered_by(info, among);
    for_each_game([&]<class S>() {
      info.visit([&]<class View>(const View& view) {
        if constexpr (std::is_same_v<View, typename S::View>) search_ = std::make_unique<Ismcts<S>>(view, params, seed, offered);
      });
    });
  }

  // Whether the tree goes on with a later decision; else nothing changed.
  bool go_on(const InformationSet& info, std::uint64_t seed, const std::optional<py::iterable>& among) {
    const std::vector<Action> offered = offered_by(info, among);
    const Use use(*this);
    return std::visit(
        [&]<class S>(const std::unique_ptr<Ismcts<S>>& search) {
          return info.visit([&]<class View>(const View& view) {
            if constexpr (std::is_same_v<View, typename S::View>) return search->go_on(view, seed, offered);
            return false;
          });
        },
        search_);
  }

  // May be called from any thread at any time; all others are one at a time.
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  std::string_view run(std::uint64_t iterations, const std::optional<double>& seconds, const std::optional<py::buffer>& buffer) {
    const SharedFlag flag(buffer);
    const Use use(*this);
    Limits limits(seconds, stopped_, flag);
    py::gil_scoped_release release;
    std::visit([&](auto& search) { search->run(iterations, limits); }, search_);
    return limits.reason();
  }
  // Result of f(search), with nobody else at it.
  template <class F>
  auto read(F&& f) {
    const Use use(*this);
    return std::visit([&](const auto& search) { return f(std::as_const(*search)); }, search_);
  }

 private:
  class Use {
   public:
    explicit Use(Search& search) : used_(search.used_) {
      if (used_.exchange(true, std::memory_order_acquire)) throw SearchRunningError("the search is running in another thread");
    }
    ~Use() { used_.store(false, std::memory_order_release); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    std::atomic<bool>& used_;
  };

  AnySearch search_;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> used_ = false;
};

// The rules of selection, in their order, by name.
inline constexpr std::pair<const char*, SelectionRule> kSelectionRules[] = {{"ucb1", SelectionRule::kUcb1}, {"puct", SelectionRule::kPuct}};

// A word among those that are known.
template <class T, std::size_t N>
T choice_of(const std::string& what, const std::string& word, const std::pair<const char*, T> (&known)[N]) {
  std::string words;
  for (const auto& [name, value] : known) {
    if (word == name) return value;
    words += (words.empty() ? "" : ", ") + std::string(name);
  }
  throw py::value_error("unknown " + what + " '" + clipped(word) + "'; known: " + words);
}

inline std::uint64_t at_least(const char* name, const py::int_& value, std::uint64_t least) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow > 0) return INT64_MAX;
  if (overflow < 0 || number < static_cast<long long>(least))
    throw py::value_error(std::string(name) + " is less than " + std::to_string(least));
  return static_cast<std::uint64_t>(number);
}

inline double finite(const char* name, double value) {
  if (!std::isfinite(value)) throw py::value_error(std::string(name) + " is not a finite number");
  return value;
}

inline double not_negative(const char* name, double value) {
  if (finite(name, value) < 0) throw py::value_error(std::string(name) + " is negative");
  return value;
}

inline double positive(const char* name, double value) {
  if (finite(name, value) <= 0) throw py::value_error(std::string(name) + " is not positive");
  return value;
}

inline py::list root_statistics(Search& search) {
  return search.read([](const auto& s) {
    py::list result;
    for (const auto& [row, tally] : s.root_statistics())
      result.append(py::make_tuple(row.action, row.visits, row.availability, seats_tuple(tally.utilities, s.players()),
                                   seats_tuple(tally.shares, s.players()), seats_tuple(tally.scores, s.players()), tally.squares));
    return result;
  });
}

inline py::tuple principal_line(Search& search, const py::int_& number) {
  const Action action = to_action(number);
  const std::vector<Action> line = search.read([&](const auto& s) {
    const ActionList legal = s.legal_actions();
    if (!std::binary_search(legal.begin(), legal.end(), action)) throw IllegalActionError("the action is not legal at the root");
    return s.line(action);
  });
  py::tuple result(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) result[i] = line[i];
  return result;
}

inline py::list trace(Search& search) {
  return search.read([](const auto& s) {
    py::list result;
    s.trace([&](Player seat, const std::vector<ActionRow>& rows) {
      py::list list(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i)
        list[i] = py::make_tuple(rows[i].action, rows[i].visits, rows[i].availability, rows[i].total);
      result.append(py::make_tuple(seat, std::move(list)));
    });
    return result;
  });
}

}  // namespace kingsbridge::bindings
