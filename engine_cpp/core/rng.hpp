// The one generator: xoshiro256++ 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2018), seeded
// by splitmix64. Passed by reference, stored in no State.
#pragma once

#include <bit>
#include <cstdint>

namespace kingsbridge {

class Rng {
 public:
  // Equal (seed, stream) give equal sequences on every machine. Streams of one seed are independent.
  explicit constexpr Rng(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t counter = seed ^ mix(stream + 0x9E3779B97F4A7C15u);
    for (auto& word : state_) word = mix(counter += 0x9E3779B97F4A7C15u);
  }

  constexpr std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound) by one multiplication of the upper 32 bits; off by at most bound / 2^32, which no test can see.
  constexpr std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>((next() >> 32) * bound >> 32); }

 private:
  static constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }

  std::uint64_t state_[4];
};

}  // namespace kingsbridge
