// 64-bit hashes: of the canonical bytes of a State, and of a sequence of numbers (a View's fields).
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/types.hpp"

namespace kingsbridge {

// Folds the 128-bit product: every input bit reaches every output bit in two rounds.
inline std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Extends a hash by one number.
inline Key hash_step(Key key, std::uint64_t value) {
  return fold_multiply(key ^ value ^ 0x9E3779B97F4A7C15u, 0xD6E8FEB86659FD93u ^ (key >> 32));
}

// Hash of the bytes of a value without padding; equal values have equal hashes in every process. Two independent lanes keep
// the multiplier busy.
template <class T>
Key hash_bytes(const T& value) {
  static_assert(std::has_unique_object_representations_v<T> && sizeof(T) % 16 == 0);
  const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
  Key even = 0x243F6A8885A308D3u ^ sizeof(T);
  Key odd = 0x13198A2E03707344u;
  std::size_t i = 0;
  const auto step = [&](Key& lane, std::size_t at) {
    std::uint64_t words[2];
    std::memcpy(words, bytes + at, sizeof words);
    lane = fold_multiply(words[0] ^ lane, words[1] ^ 0xA4093822299F31D0u);
  };
  for (; i + 32 <= sizeof(T); i += 32) {
    step(even, i);
    step(odd, i + 16);
  }
  if (i < sizeof(T)) step(even, i);
  return fold_multiply(even ^ 0x082EFA98EC4E6C89u, odd ^ 0x452821E638D01377u);
}

}  // namespace kingsbridge
