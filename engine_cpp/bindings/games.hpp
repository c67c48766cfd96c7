// The closed list of games, by name and as a whole; and the small conversions that all bindings share.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <climits>
#include <optional>
#include <string>
#include <variant>

#include "bindings/errors.hpp"
#include "games/all_games.hpp"

namespace kingsbridge::bindings {

namespace py = pybind11;

// Text from Python. What has no UTF-8 (half a surrogate pair) comes as question marks, and is then unknown by name.
inline std::string utf8(const py::str& text) { return py::bytes(text.attr("encode")("utf-8", "replace")); }

// The beginning of a text from outside, to be quoted: whole characters, without control characters.
inline std::string clipped(const std::string& text) {
  constexpr std::size_t kMost = 40;
  std::size_t size = std::min(text.size(), kMost);
  while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0u) == 0x80u) --size;
  std::string quote = text.substr(0, size);
  std::replace_if(quote.begin(), quote.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return size < text.size() ? quote + "..." : quote;
}

// A number from Python; what does not fit becomes the nearest that does, and is then out of range by name.
inline int to_int(const py::int_& value) {
  int overflow = 0;
  const long number = PyLong_AsLongAndOverflow(value.ptr(), &overflow);
  if (overflow != 0) return overflow < 0 ? INT_MIN : INT_MAX;
  return static_cast<int>(std::clamp<long>(number, INT_MIN, INT_MAX));
}

inline py::str to_str(std::string_view text) { return {text.data(), text.size()}; }

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
  if (!result) throw UnknownGameError("unknown game '" + clipped(name) + "'; known: " + known);
  return *std::move(result);
}

inline const GameInfo& info_of(const std::string& name) {
  return *with_game<const GameInfo*>(name, []<class S>() { return &S::kInfo; });
}

inline Policy policy_of(const std::string& name) {
  if (name == "light") return Policy::kLight;
  if (name == "uniform") return Policy::kUniform;
  throw py::value_error("unknown policy '" + clipped(name) + "'; known: light, uniform");
}

template <class T>
inline py::tuple seats_tuple(const std::array<T, kMaxSeats>& values, int players) {
  py::tuple result(static_cast<std::size_t>(players));
  for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p) result[p] = values[p];
  return result;
}

// A list built by hand: half the cost of the general caster.
inline py::list action_list(const ActionList& actions) {
  py::list result(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i)
    PyList_SET_ITEM(result.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromUnsignedLong(actions[i]));
  return result;
}

inline std::string hex(Key key) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; key >>= 4) text[i] = "0123456789abcdef"[key & 15];
  return text;
}

}  // namespace kingsbridge::bindings
