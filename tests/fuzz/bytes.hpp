// What a fuzzer changes: bytes, read as whatever is needed next. Past their end stand zeros.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "field_tree.hpp"
#include "games.hpp"

namespace kingsbridge::fuzz {

using tests::Games;
using tests::Refused;

class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }
  std::span<const std::uint8_t> rest() const { return rest_; }

  template <class T>
  T take() {
    T value{};
    const std::size_t size = std::min(sizeof(T), rest_.size());
    if (size > 0) std::memcpy(&value, rest_.data(), size);
    rest_ = rest_.subspan(size);
    return value;
  }
  // A number below a bound; all are reached.
  unsigned below(std::size_t bound) { return static_cast<unsigned>((bound > 256 ? take<std::uint16_t>() : take<std::uint8_t>()) % bound); }

 private:
  std::span<const std::uint8_t> rest_;
};

// Reads a View's fields. As with the reader of dicts, what no View can hold gets no further: numbers beyond their type, symbols that do
// not exist, more copies than there are.
class ByteReader {
 public:
  static constexpr bool kReads = true;

  explicit ByteReader(Bytes& bytes) : bytes_(bytes) {}

  template <class T>
  void number(std::string_view, T& value) {
    value = bytes_.take<T>();
  }
  template <class T, std::size_t N>
  void numbers(std::string_view, std::array<T, N>& values) {
    for (T& value : values) value = bytes_.take<T>();
  }
  template <class T, std::size_t N>
  void list(std::string_view, FixedVector<T, N>& values) {
    values.clear();
    for (unsigned left = bytes_.below(N + 1); left > 0; --left) values.push_back(bytes_.take<T>());
  }
  void flag(std::string_view, std::uint8_t& value) { value = static_cast<std::uint8_t>(bytes_.below(2)); }
  template <std::size_t N>
  void flags(std::string_view name, std::array<std::uint8_t, N>& values) {
    for (auto& value : values) flag(name, value);
  }
  template <class T>
  void choice(std::string_view, std::span<const std::string_view> labels, T& value) {
    value = static_cast<T>(bytes_.below(labels.size()));
  }
  void component(std::string_view, const Domain& domain, std::uint8_t& id) {
    const auto given = bytes_.take<std::uint8_t>();
    id = given == kNone ? kNone : static_cast<std::uint8_t>(given % domain.count);
  }
  void components(std::string_view name, const Domain& domain, IdList& ids) {
    std::array<std::uint8_t, 256> seen{};
    ids.clear();
    for (unsigned left = bytes_.below(IdList::capacity() + 1); left > 0; --left) {
      const auto id = static_cast<std::uint8_t>(bytes_.below(static_cast<std::size_t>(domain.count)));
      if (++seen[id] > domain.copies[id]) refuse(name, "copies");
      ids.push_back(id);
    }
  }
  template <class T, std::size_t N, class F>
  void group(std::string_view, FixedVector<T, N>& items, F&& f) {
    items.clear();
    for (unsigned left = bytes_.below(N + 1); left > 0; --left) {
      items.push_back(T{});
      f(*this, items[items.size() - 1]);
    }
  }
  void derived_number(std::string_view, int) {}
  template <class T, std::size_t N>
  void derived_numbers(std::string_view, const std::array<T, N>&) {}
  void derived_flag(std::string_view, bool) {}

  [[noreturn]] void refuse(std::string_view name, const std::string& rule) const { throw Refused(std::string(name) + ": " + rule); }

 private:
  Bytes& bytes_;
};

// Writes what ByteReader reads.
class ByteWriter {
 public:
  static constexpr bool kReads = false;

  template <class T>
  void number(std::string_view, const T& value) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(T));
  }
  template <class T, std::size_t N>
  void numbers(std::string_view name, const std::array<T, N>& values) {
    for (const T& value : values) number(name, value);
  }
  template <class T, std::size_t N>
  void list(std::string_view name, const FixedVector<T, N>& values) {
    below(N + 1, values.size());
    for (const T& value : values) number(name, value);
  }
  void flag(std::string_view, std::uint8_t value) { bytes_.push_back(value); }
  template <std::size_t N>
  void flags(std::string_view name, const std::array<std::uint8_t, N>& values) {
    numbers(name, values);
  }
  template <class T>
  void choice(std::string_view, std::span<const std::string_view> labels, const T& value) {
    below(labels.size(), static_cast<std::size_t>(value));
  }
  void component(std::string_view, const Domain&, std::uint8_t id) { bytes_.push_back(id); }
  void components(std::string_view, const Domain& domain, const IdList& ids) {
    below(IdList::capacity() + 1, ids.size());
    for (const auto id : ids) below(static_cast<std::size_t>(domain.count), id);
  }
  template <class T, std::size_t N, class F>
  void group(std::string_view, FixedVector<T, N>& items, F&& f) {
    below(N + 1, items.size());
    for (T& item : items) f(*this, item);
  }
  void derived_number(std::string_view, int) {}
  template <class T, std::size_t N>
  void derived_numbers(std::string_view, const std::array<T, N>&) {}
  void derived_flag(std::string_view, bool) {}

  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  // As Bytes::below reads it.
  void below(std::size_t bound, std::size_t value) {
    bytes_.push_back(static_cast<std::uint8_t>(value & 0xFF));
    if (bound > 256) bytes_.push_back(static_cast<std::uint8_t>(value >> 8));
  }
  std::vector<std::uint8_t> bytes_;
};

// Calls f.operator()<S>() for the game of that number.
template <std::size_t I = 0, class F>
void with_game(unsigned number, F&& f) {
  if constexpr (I < std::tuple_size_v<Games>) {
    if (number == I)
      f.template operator()<std::tuple_element_t<I, Games>>();
    else
      with_game<I + 1>(number, f);
  }
}

// Ends the run with the broken law, if there is one.
inline void require(const std::string& broken) {
  if (broken.empty()) return;
  std::fprintf(stderr, "broken: %s\n", broken.c_str());
  std::abort();
}
inline void require(bool holds, const char* law) {
  if (!holds) require(std::string(law));
}

}  // namespace kingsbridge::fuzz
