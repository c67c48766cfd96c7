// The fields of a View as a tree, as a frontend would send them: written and read back through visit_fields.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/fields.hpp"

namespace kingsbridge::tests {

struct Field {
  std::string_view name;
  const Domain* domain = nullptr;              // of component indices
  bool free = false;                           // a list of any length
  std::vector<std::int64_t> values = {};       // numbers, or indices
  std::vector<std::vector<Field>> items = {};  // of a group
};

using Fields = std::vector<Field>;

class TreeWriter {
 public:
  static constexpr bool kReads = false;

  template <class T>
  void number(std::string_view name, const T& value) {
    fields_.push_back({.name = name, .values = {static_cast<std::int64_t>(value)}});
  }
  template <class T, std::size_t N>
  void numbers(std::string_view name, const std::array<T, N>& values) {
    fields_.push_back({.name = name, .values = {values.begin(), values.end()}});
  }
  template <class T, std::size_t N>
  void list(std::string_view name, const FixedVector<T, N>& values) {
    fields_.push_back({.name = name, .free = true, .values = {values.begin(), values.end()}});
  }
  void flag(std::string_view name, std::uint8_t value) { number(name, value); }
  template <std::size_t N>
  void flags(std::string_view name, const std::array<std::uint8_t, N>& values) {
    numbers(name, values);
  }
  template <class T>
  void choice(std::string_view name, std::span<const std::string_view>, const T& value) {
    number(name, static_cast<int>(value));
  }
  void component(std::string_view name, const Domain& domain, std::uint8_t id) {
    fields_.push_back({.name = name, .domain = &domain, .values = {id}});
  }
  void components(std::string_view name, const Domain& domain, const IdList& ids) {
    fields_.push_back({.name = name, .domain = &domain, .free = true, .values = {ids.begin(), ids.end()}});
  }
  template <class T, std::size_t N, class F>
  void group(std::string_view name, FixedVector<T, N>& items, F&& f) {
    Field field{.name = name};
    for (T& item : items) {
      TreeWriter inner;
      f(inner, item);
      field.items.push_back(inner.take());
    }
    fields_.push_back(std::move(field));
  }
  void derived_number(std::string_view, int) {}
  template <class T, std::size_t N>
  void derived_numbers(std::string_view, const std::array<T, N>&) {}
  void derived_flag(std::string_view, bool) {}

  Fields take() { return std::move(fields_); }

 private:
  Fields fields_;
};

// A reader's refusal.
struct Refused : std::runtime_error {
  using runtime_error::runtime_error;
};

// Reads with the strictness of a border: values in their types and domains, lists within their bounds. What is derived it does not
// compare, so that a changed field gets as far as State::check.
class TreeReader {
 public:
  static constexpr bool kReads = true;

  explicit TreeReader(const Fields& fields) : fields_(fields) {}

  template <class T>
  void number(std::string_view name, T& value) {
    value = integer<T>(single(name));
  }
  template <class T, std::size_t N>
  void numbers(std::string_view name, std::array<T, N>& values) {
    const Field& field = next(name);
    if (field.values.size() != N) refuse(name, "length");
    for (std::size_t i = 0; i < N; ++i) values[i] = integer<T>(field.values[i]);
  }
  template <class T, std::size_t N>
  void list(std::string_view name, FixedVector<T, N>& values) {
    const Field& field = next(name);
    if (field.values.size() > N) refuse(name, "length");
    values.clear();
    // The bound is repeated for GCC, which else warns of a list longer than the one refused above.
    for (std::size_t i = 0; i < field.values.size() && i < N; ++i) values.push_back(integer<T>(field.values[i]));
  }
  void flag(std::string_view name, std::uint8_t& value) { value = truth(name, single(name)); }
  template <std::size_t N>
  void flags(std::string_view name, std::array<std::uint8_t, N>& values) {
    const Field& field = next(name);
    if (field.values.size() != N) refuse(name, "length");
    for (std::size_t i = 0; i < N; ++i) values[i] = truth(name, field.values[i]);
  }
  template <class T>
  void choice(std::string_view name, std::span<const std::string_view> labels, T& value) {
    const std::int64_t given = single(name);
    if (given < 0 || given >= static_cast<std::int64_t>(labels.size())) refuse(name, "choice");
    value = static_cast<T>(given);
  }
  void component(std::string_view name, const Domain& domain, std::uint8_t& id) {
    if (domain.count > kNone) refuse(name, "a domain with room for no component");
    const std::int64_t given = single(name);
    id = given == kNone ? kNone : index(domain, given);
  }
  void components(std::string_view name, const Domain& domain, IdList& ids) {
    std::array<std::uint8_t, 256> seen{};
    ids.clear();
    for (const std::int64_t given : next(name).values) {
      const std::uint8_t id = index(domain, given);
      if (++seen[id] > domain.copies[id] || ids.size() == IdList::capacity()) refuse(name, "copies");
      ids.push_back(id);
    }
  }
  template <class T, std::size_t N, class F>
  void group(std::string_view name, FixedVector<T, N>& items, F&& f) {
    const Field& field = next(name);
    if (field.items.size() > N) refuse(name, "length");
    items.clear();
    for (std::size_t i = 0; i < field.items.size(); ++i) {
      TreeReader inner(field.items[i]);
      items.push_back(T{});
      f(inner, items[i]);
    }
  }
  void derived_number(std::string_view, int) {}
  template <class T, std::size_t N>
  void derived_numbers(std::string_view, const std::array<T, N>&) {}
  void derived_flag(std::string_view, bool) {}

  [[noreturn]] void refuse(std::string_view name, const std::string& rule) const { throw Refused(std::string(name) + ": " + rule); }

 private:
  const Field& next(std::string_view name) {
    if (at_ == fields_.size() || fields_[at_].name != name) throw std::logic_error("visit_fields reads and writes different lists");
    return fields_[at_++];
  }
  std::int64_t single(std::string_view name) {
    const Field& field = next(name);
    if (field.values.size() != 1) refuse(name, "one value");
    return field.values[0];
  }
  std::uint8_t truth(std::string_view name, std::int64_t given) const {
    if (given != 0 && given != 1) refuse(name, "flag");
    return static_cast<std::uint8_t>(given);
  }
  template <class T>
  T integer(std::int64_t given) const {
    if (given < std::numeric_limits<T>::min() || given > std::numeric_limits<T>::max()) refuse("number", "range");
    return static_cast<T>(given);
  }
  std::uint8_t index(const Domain& domain, std::int64_t given) const {
    if (given < 0 || given >= domain.count) refuse(domain.name, "domain");
    return static_cast<std::uint8_t>(given);
  }

  const Fields& fields_;
  std::size_t at_ = 0;
};

template <class View>
Fields fields_of(const View& view) {
  TreeWriter writer;
  view.visit_fields(writer);
  return writer.take();
}

// The View that the fields describe, unchecked; throws Refused.
template <class View>
View read_view(const Fields& fields) {
  View view{};
  TreeReader reader(fields);
  view.visit_fields(reader);
  return view;
}

}  // namespace kingsbridge::tests
