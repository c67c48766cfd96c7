// A list with a fixed bound and no heap, for the hot paths. Overrunning the bound is a caller's fault (assert).
#pragma once

#include <cassert>
#include <cstddef>

#include "core/types.hpp"

namespace kingsbridge {

template <class T, std::size_t Capacity>
class FixedVector {
 public:
  FixedVector() {}  // NOLINT(modernize-use-equals-default): leaves the items uninitialised, 9 kB would cost more than a move list

  void push_back(const T& item) {
    assert(size_ < Capacity);
    items_[size_++] = item;
  }
  void clear() { size_ = 0; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  static constexpr std::size_t capacity() { return Capacity; }

  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }

 private:
  std::size_t size_ = 0;
  T items_[Capacity];
};

// Long enough for every game: a conformance test compares with all decisions that a game has.
using ActionList = FixedVector<Action, 2304>;
using OutcomeList = FixedVector<Outcome, 256>;
using IdList = FixedVector<std::uint8_t, 64>;  // component indices of a pile

}  // namespace kingsbridge
