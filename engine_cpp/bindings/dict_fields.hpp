// Visitors that turn a View into a Python dict and back.
#pragma once

#include <pybind11/pybind11.h>

#include <limits>
#include <string>

#include "bindings/errors.hpp"
#include "bindings/games.hpp"
#include "core/fields.hpp"

namespace kingsbridge::bindings {

namespace py = pybind11;

class DictWriter {
 public:
  static constexpr bool kReads = false;

  template <class T>
  void number(std::string_view name, const T& value) {
    dict_[to_str(name)] = static_cast<std::int64_t>(value);
  }
  template <class T, std::size_t N>
  void numbers(std::string_view name, const std::array<T, N>& values) {
    py::list list(N);
    for (std::size_t i = 0; i < N; ++i) list[i] = py::int_(static_cast<std::int64_t>(values[i]));
    dict_[to_str(name)] = std::move(list);
  }
  template <class T, std::size_t N>
  void list(std::string_view name, const FixedVector<T, N>& values) {
    py::list list(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) list[i] = py::int_(static_cast<std::int64_t>(values[i]));
    dict_[to_str(name)] = std::move(list);
  }
  void flag(std::string_view name, std::uint8_t value) { dict_[to_str(name)] = py::bool_(value != 0); }
  template <std::size_t N>
  void flags(std::string_view name, const std::array<std::uint8_t, N>& values) {
    py::list list(N);
    for (std::size_t i = 0; i < N; ++i) list[i] = py::bool_(values[i] != 0);
    dict_[to_str(name)] = std::move(list);
  }
  template <class T>
  void choice(std::string_view name, std::span<const std::string_view> labels, const T& value) {
    dict_[to_str(name)] = to_str(labels[static_cast<std::size_t>(value)]);
  }
  void component(std::string_view name, const Domain& domain, std::uint8_t id) {
    dict_[to_str(name)] = id == kNone ? py::str("") : to_str(domain.symbols[id]);
  }
  void components(std::string_view name, const Domain& domain, const IdList& ids) {
    py::list list(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) list[i] = to_str(domain.symbols[ids[i]]);
    dict_[to_str(name)] = std::move(list);
  }
  template <class T, std::size_t N, class F>
  void group(std::string_view name, FixedVector<T, N>& items, F&& f) {
    py::list list(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      DictWriter inner;
      f(inner, items[i]);
      list[i] = std::move(inner.dict_);
    }
    dict_[to_str(name)] = std::move(list);
  }
  void derived_number(std::string_view name, int value) { number(name, value); }
  template <class T, std::size_t N>
  void derived_numbers(std::string_view name, const std::array<T, N>& values) {
    numbers(name, values);
  }
  void derived_flag(std::string_view name, bool value) { flag(name, value); }

  py::dict take() { return std::move(dict_); }

 private:
  py::dict dict_;
};

// Reads a dict strictly: every field there, of its type, and no other. Throws ViewError with the path of the field.
class DictReader {
 public:
  static constexpr bool kReads = true;

  explicit DictReader(py::handle source, std::string path = {}) : path_(std::move(path)) {
    if (!py::isinstance<py::dict>(source)) throw ViewError(path_.empty() ? "view" : path_, "a group of named fields");
    dict_ = py::reinterpret_borrow<py::dict>(source);
  }

  template <class T>
  void number(std::string_view name, T& value) {
    value = integer<T>(get(name), at(name));
  }
  template <class T, std::size_t N>
  void numbers(std::string_view name, std::array<T, N>& values) {
    const py::list list = sequence(name);
    if (list.size() != N) refuse(name, "a list of " + std::to_string(N) + " numbers");
    for (std::size_t i = 0; i < N; ++i) values[i] = integer<T>(list[i], at(name));
  }
  template <class T, std::size_t N>
  void list(std::string_view name, FixedVector<T, N>& values) {
    const py::list list = sequence(name);
    if (list.size() > N) refuse(name, "at most " + std::to_string(N) + " numbers");
    values.clear();
    for (const py::handle item : list) values.push_back(integer<T>(item, at(name)));
  }
  void flag(std::string_view name, std::uint8_t& value) { value = truth(get(name), at(name)); }
  template <std::size_t N>
  void flags(std::string_view name, std::array<std::uint8_t, N>& values) {
    const py::list list = sequence(name);
    if (list.size() != N) refuse(name, "a list of " + std::to_string(N) + " times true or false");
    for (std::size_t i = 0; i < N; ++i) values[i] = truth(list[i], at(name));
  }
  template <class T>
  void choice(std::string_view name, std::span<const std::string_view> labels, T& value) {
    const std::string word = text(get(name), at(name));
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == word) {
        value = static_cast<T>(i);
        return;
      }
    std::string known;
    for (const auto label : labels) known += (known.empty() ? "" : ", ") + std::string(label);
    refuse(name, "one of " + known);
  }
  void component(std::string_view name, const Domain& domain, std::uint8_t& id) {
    const std::string word = text(get(name), at(name));
    id = word.empty() ? kNone : index(name, domain, word);
  }
  void components(std::string_view name, const Domain& domain, IdList& ids) {
    const py::list list = sequence(name);
    ids.clear();
    std::array<std::uint8_t, 256> seen{};
    for (const py::handle item : list) {
      const std::uint8_t id = index(name, domain, text(item, at(name)));
      if (++seen[id] > domain.copies[id] || ids.size() == IdList::capacity())
        refuse(name, std::string(domain.symbols[id]) + " is listed more often than there are cards");
      ids.push_back(id);
    }
  }
  template <class T, std::size_t N, class F>
  void group(std::string_view name, FixedVector<T, N>& items, F&& f) {
    const py::list list = sequence(name);
    if (list.size() > N) refuse(name, "at most " + std::to_string(N) + " entries");
    items.clear();
    for (std::size_t i = 0; i < list.size(); ++i) {
      DictReader inner(list[i], at(name) + "[" + std::to_string(i) + "]");
      items.push_back(T{});
      f(inner, items[i]);
      inner.finish();
    }
  }
  void derived_number(std::string_view name, int value) {
    int given = 0;
    number(name, given);
    if (given != value) refuse(name, "follows from the other fields: " + std::to_string(value));
  }
  template <class T, std::size_t N>
  void derived_numbers(std::string_view name, const std::array<T, N>& values) {
    std::array<T, N> given{};
    numbers(name, given);
    if (given == values) return;
    std::string text;
    for (const T& value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
    refuse(name, "follows from the other fields: " + text);
  }
  void derived_flag(std::string_view name, bool value) {
    std::uint8_t given = 0;
    flag(name, given);
    if ((given != 0) != value) refuse(name, std::string("follows from the other fields: ") + (value ? "true" : "false"));
  }
  [[noreturn]] void refuse(std::string_view name, const std::string& rule) const { throw ViewError(at(name), rule); }

  // After the last field: nothing else may be there.
  void finish() const {
    if (dict_.size() == read_) return;
    for (const auto& [key, value] : dict_)
      if (!read_names_.contains(key)) throw ViewError(at(clipped(utf8(py::str(key)))), "no such field");
  }

 private:
  std::string at(std::string_view name) const { return path_.empty() ? std::string(name) : path_ + "." + std::string(name); }

  py::object get(std::string_view name) {
    const py::str key = to_str(name);
    if (!dict_.contains(key)) refuse(name, "is missing");
    ++read_;
    read_names_.add(key);
    return dict_[key];
  }
  py::list sequence(std::string_view name) {
    const py::object item = get(name);
    if (!py::isinstance<py::list>(item) && !py::isinstance<py::tuple>(item)) refuse(name, "a list");
    return py::list(item);
  }
  static std::string text(py::handle item, const std::string& field) {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_Check(item.ptr()) != 0 ? PyUnicode_AsUTF8AndSize(item.ptr(), &size) : nullptr;
    if (text != nullptr) return {text, static_cast<std::size_t>(size)};
    PyErr_Clear();  // half a surrogate pair has no UTF-8
    throw ViewError(field, "a text");
  }
  static std::uint8_t truth(py::handle item, const std::string& field) {
    if (!py::isinstance<py::bool_>(item)) throw ViewError(field, "true or false");
    return item.cast<bool>() ? 1 : 0;
  }
  template <class T>
  static T integer(py::handle item, const std::string& field) {
    const bool number = PyLong_Check(item.ptr()) != 0 && !py::isinstance<py::bool_>(item);
    int overflow = 0;
    const long long value = number ? PyLong_AsLongLongAndOverflow(item.ptr(), &overflow) : 0;
    constexpr long long low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    if (!number || overflow != 0 || value < low || value > high)
      throw ViewError(field, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    return static_cast<T>(value);
  }
  std::uint8_t index(std::string_view name, const Domain& domain, const std::string& word) const {
    for (std::size_t i = 0; i < domain.symbols.size(); ++i)
      if (domain.symbols[i] == word) return static_cast<std::uint8_t>(i);
    refuse(name, "'" + clipped(word) + "' is no " + std::string(domain.name));
  }

  py::dict dict_;
  std::string path_;
  std::size_t read_ = 0;
  py::set read_names_;
};

}  // namespace kingsbridge::bindings
