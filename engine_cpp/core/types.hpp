// The words every other file uses: seats, actions, keys, bounds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace kingsbridge {

using Player = int;  // a seat from 0, or one of the three below
inline constexpr Player kChance = -2;
inline constexpr Player kTerminal = -3;
inline constexpr Player kSpectator = -1;  // a viewer; no player to move has its number, so neither is taken for the other

inline constexpr int kMaxSeats = 4;

// A decision or a chance outcome, named by what it does and to which component:
//
//   31      24 23      16 15       8 7        0
//  +----------+----------+----------+----------+
//  |   kind   |    a     |    b     |    c     |
//  +----------+----------+----------+----------+
//
// Arguments are indices into the domains of the kind (game_info.hpp); unused ones are 0.
// Arguments never name a slot, so one intention has one number in every determinization.
using Action = std::uint32_t;
inline constexpr Action kNoAction = 0xFFFFFFFFu;

constexpr Action pack(unsigned kind, unsigned a = 0, unsigned b = 0, unsigned c = 0) { return kind << 24 | a << 16 | b << 8 | c; }
constexpr unsigned kind_of(Action action) { return action >> 24; }
constexpr unsigned argument(Action action, int index) { return (action >> (16 - 8 * index)) & 0xFFu; }

// How many seats come before this one in a round that the start player begins.
constexpr unsigned place_in_round(unsigned seat, unsigned start_player, unsigned players) {
  return seat < start_player ? seat + players - start_player : seat - start_player;
}

// Component index that stands for "no component".
inline constexpr std::uint8_t kNone = 0xFF;

using Key = std::uint64_t;

// A chance event with its weight; its probability is weight over the sum of the node's weights.
struct Outcome {
  Action action;
  std::uint32_t weight;
};

}  // namespace kingsbridge
