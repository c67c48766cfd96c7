// Sets of up to 64 components as bit masks.
#pragma once

#include <bit>
#include <cstdint>

namespace kingsbridge {

using Bits = std::uint64_t;

constexpr Bits bit(unsigned index) { return Bits{1} << index; }
constexpr bool contains(Bits set, unsigned index) { return (set >> index & 1) != 0; }
constexpr unsigned lowest(Bits set) { return static_cast<unsigned>(std::countr_zero(set)); }

// Number of members. Portable x86-64 has no popcount instruction, and GCC's fallback is a library call.
constexpr unsigned count(Bits set) {
  set -= set >> 1 & 0x5555555555555555u;
  set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
  set = (set + (set >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
  return static_cast<unsigned>(set * 0x0101010101010101u >> 56);
}

// Index of the n-th member, counted from 0 in ascending order; n < count(set).
constexpr unsigned nth(Bits set, unsigned n) {
  unsigned base = 0;
  for (unsigned width = 32; n >= 6 && width >= 8; width /= 2) {
    const unsigned low = count(set & ((Bits{1} << width) - 1));
    if (n >= low) {
      n -= low;
      set >>= width;
      base += width;
    } else {
      set &= (Bits{1} << width) - 1;
    }
  }
  while (n-- > 0) set &= set - 1;
  return base + lowest(set);
}

// Calls f(index) for each member, ascending.
template <class F>
constexpr void for_each(Bits set, F&& f) {
  for (; set != 0; set &= set - 1) f(lowest(set));
}

}  // namespace kingsbridge
