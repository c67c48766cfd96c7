// Visitors over a View's fields. A View lists its fields once, in visit_fields(visitor); each visitor makes something else of the list:
// HashFields the key of an information set, TextFields the lines of a playthrough, bindings/dict_fields.hpp the Python dict, read and
// written, and with it the proto message.
//
// A visitor has
//   number(name, T& value)              an integer
//   numbers(name, std::array<T, n>&)    a few of them
//   list(name, FixedVector<T, n>&)      any number of them, up to n
//   flag(name, std::uint8_t& value)     0 or 1
//   flags(name, std::array<std::uint8_t, n>&)
//   choice(name, labels, T& value)      an enumeration by label
//   component(name, domain, id)         index into the domain, or kNone
//   components(name, domain, IdList&)   a pile, ascending, copies repeated
//   group(name, FixedVector<T, n>&, f)  f(visitor, item) for each item
//   derived_number(name, value), derived_numbers, derived_flag   what follows from the fields before it; a reader compares
// and kReads: whether it writes into the references it is given. A reader also has refuse(field, rule), which does not return.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/bits.hpp"
#include "core/fixed_vector.hpp"
#include "core/game_info.hpp"
#include "core/hash.hpp"

namespace kingsbridge {

class HashFields {
 public:
  static constexpr bool kReads = false;

  template <class T>
  void number(std::string_view, const T& value) {
    add(static_cast<std::uint64_t>(value));
  }
  template <class T, std::size_t N>
  void numbers(std::string_view, const std::array<T, N>& values) {
    for (const T& value : values) add(static_cast<std::uint64_t>(value));
  }
  template <class T, std::size_t N>
  void list(std::string_view, const FixedVector<T, N>& values) {
    add(values.size());
    for (const T& value : values) add(static_cast<std::uint64_t>(value));
  }
  void flag(std::string_view, std::uint8_t value) { add(value); }
  template <std::size_t N>
  void flags(std::string_view, const std::array<std::uint8_t, N>& values) {
    for (const auto value : values) add(value);
  }
  template <class T>
  void choice(std::string_view, std::span<const std::string_view>, const T& value) {
    add(static_cast<std::uint64_t>(value));
  }
  void component(std::string_view, const Domain&, std::uint8_t id) { add(id); }
  void components(std::string_view, const Domain&, const IdList& ids) {
    add(ids.size());
    for (const auto id : ids) add(id);
  }
  template <class T, std::size_t N, class F>
  void group(std::string_view, FixedVector<T, N>& items, F&& f) {
    add(items.size());
    for (T& item : items) f(*this, item);
  }
  // What is derived adds nothing.
  void derived_number(std::string_view, int) {}
  template <class T, std::size_t N>
  void derived_numbers(std::string_view, const std::array<T, N>&) {}
  void derived_flag(std::string_view, bool) {}

  Key key() const { return key_; }

 private:
  void add(std::uint64_t value) { key_ = hash_step(key_, value); }
  Key key_ = 0x3F84D5B5B5470917u;
};

// One field a line, groups indented: "worker_row: W01 W07".
class TextFields {
 public:
  static constexpr bool kReads = false;

  template <class T>
  void number(std::string_view name, const T& value) {
    line(name, std::to_string(value));
  }
  template <class T, std::size_t N>
  void numbers(std::string_view name, const std::array<T, N>& values) {
    std::string text;
    for (const T& value : values) append(text, std::to_string(value));
    line(name, text);
  }
  template <class T, std::size_t N>
  void list(std::string_view name, const FixedVector<T, N>& values) {
    std::string text;
    for (const T& value : values) append(text, std::to_string(value));
    line(name, text.empty() ? std::string_view("-") : std::string_view(text));
  }
  void flag(std::string_view name, std::uint8_t value) { line(name, value != 0 ? "yes" : "no"); }
  template <std::size_t N>
  void flags(std::string_view name, const std::array<std::uint8_t, N>& values) {
    std::string text;
    for (const auto value : values) append(text, value != 0 ? "yes" : "no");
    line(name, text);
  }
  template <class T>
  void choice(std::string_view name, std::span<const std::string_view> labels, const T& value) {
    line(name, labels[static_cast<std::size_t>(value)]);
  }
  void component(std::string_view name, const Domain& domain, std::uint8_t id) {
    line(name, id == kNone ? std::string_view("-") : domain.symbols[id]);
  }
  void components(std::string_view name, const Domain& domain, const IdList& ids) {
    std::string text;
    for (const auto id : ids) append(text, domain.symbols[id]);
    line(name, text.empty() ? std::string_view("-") : std::string_view(text));
  }
  template <class T, std::size_t N, class F>
  void group(std::string_view name, FixedVector<T, N>& items, F&& f) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      line(std::string(name) + "[" + std::to_string(i) + "]", "");
      indent_ += 2;
      f(*this, items[i]);
      indent_ -= 2;
    }
  }
  void derived_number(std::string_view name, int value) { number(name, value); }
  template <class T, std::size_t N>
  void derived_numbers(std::string_view name, const std::array<T, N>& values) {
    numbers(name, values);
  }
  void derived_flag(std::string_view name, bool value) { flag(name, value); }

  const std::string& text() const { return text_; }

 private:
  static void append(std::string& text, std::string_view word) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  void line(std::string_view name, std::string_view value) {
    text_.append(indent_, ' ');
    text_ += name;
    text_ += ':';
    if (!value.empty()) text_ += ' ';
    text_ += value;
    text_ += '\n';
  }
  std::string text_;
  std::size_t indent_ = 0;
};

// A set of components that is kept as bits: each at most once, however many copies the box holds.
template <class F, class T>
void visit_set(F& fields, std::string_view name, const Domain& domain, T& set) {
  IdList ids;
  for_each(set, [&](unsigned id) { ids.push_back(static_cast<std::uint8_t>(id)); });
  fields.components(name, domain, ids);
  if constexpr (F::kReads) {
    set = 0;
    for (const auto id : ids) {
      if (contains(set, id)) fields.refuse(name, "each of them once");
      set = static_cast<T>(set | bit(id));
    }
  }
}

// The options of a game with their number of players; those from 0 are flags.
template <class F, class Options>
void visit_options(F& fields, Options& options) {
  fields.number("players", options.players);
  options.visit([&](const OptionInfo& option, auto& value) {
    if (option.minimum == 0)
      fields.flag(option.name, value);
    else
      fields.number(option.name, value);
  });
  if constexpr (F::kReads)
    if (options.players < 2 || options.players > kMaxSeats) fields.refuse("players", "2 to 4 play");
}

// The first broken invariant of a View from outside: where, and which rule. Both empty when the View is good.
struct Violation {
  std::string field = {};
  std::string rule = {};
  explicit operator bool() const { return !rule.empty(); }
};

}  // namespace kingsbridge
