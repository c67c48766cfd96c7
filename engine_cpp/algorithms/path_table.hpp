// From observation paths to the nodes of a search tree: extendible hashing (Fagin, Nievergelt, Pippenger, Strong, "Extendible hashing -- a
// fast access method for dynamic files", 1979) with open addressing inside a segment. It grows by splitting one segment at a time, so no
// iteration of a search waits for a whole table to be copied.
#pragma once

#include <cstring>
#include <vector>

#include "algorithms/arena.hpp"
#include "core/types.hpp"

namespace kingsbridge {

// Keys are 64-bit hashes, all bits alike; values are pointers.
template <class Node>
class PathTable {
 public:
  // Needs an arena with a chunk to give.
  explicit PathTable(Arena& arena) {
    arena.reserve(sizeof(Segment));
    directory_.assign(2, make_segment(0, arena));
  }

  void prefetch(Key path) const { __builtin_prefetch(&segment(path).slots[path % kSlots]); }

  Node* find(Key path) const {
    const Segment& in = segment(path);
    for (std::size_t i = path % kSlots; in.slots[i].node != nullptr; i = (i + 1) % kSlots)
      if (in.slots[i].path == path) return in.slots[i].node;
    return nullptr;
  }

  // Makes room for a path that is not there; false when memory ends.
  bool make_room(Key path, Arena& arena) {
    while (segment(path).used == kFull) {
      const bool fits = segment(path).depth < depth_ || double_directory(arena);
      if (!fits || !arena.reserve(sizeof(Segment))) return false;
      split(path, arena);
    }
    return true;
  }
  // Needs room.
  void insert(Key path, Node* node) { put(segment(path), path, node); }

 private:
  static constexpr std::size_t kSlots = 256;
  static constexpr std::size_t kFull = kSlots * 3 / 4;
  struct Slot {
    Key path;
    Node* node;
  };
  // The paths whose first `depth` bits agree.
  struct Segment {
    Slot slots[kSlots];
    std::size_t used;
    unsigned depth;
  };

  static Segment* make_segment(unsigned depth, Arena& arena) {
    auto* const made = new (arena.take(sizeof(Segment))) Segment{};
    made->depth = depth;
    return made;
  }
  static void put(Segment& in, Key path, Node* node) {
    std::size_t i = path % kSlots;
    while (in.slots[i].node != nullptr) i = (i + 1) % kSlots;
    in.slots[i] = {path, node};
    ++in.used;
  }
  Segment& segment(Key path) const { return *directory_[path >> (64 - depth_)]; }

  // Two segments in place of the one of the path, by the next bit. Needs bytes and a directory that tells them apart.
  void split(Key path, Arena& arena) {
    Segment& low = segment(path);
    Segment& high = *make_segment(low.depth + 1, arena);
    const std::size_t span = std::size_t{1} << (depth_ - low.depth);  // entries of the directory that lead here
    const std::size_t first = (path >> (64 - depth_)) / span * span;
    for (std::size_t i = first + span / 2; i < first + span; ++i) directory_[i] = &high;
    const Segment old = low;
    low = Segment{};
    low.depth = old.depth + 1;
    for (const Slot& slot : old.slots)
      if (slot.node != nullptr) put(segment(slot.path), slot.path, slot.node);
  }
  bool double_directory(Arena& arena) {
    if (!arena.charge(directory_.size() * sizeof(Segment*))) return false;
    std::vector<Segment*> doubled;
    doubled.reserve(2 * directory_.size());
    for (Segment* const each : directory_) doubled.insert(doubled.end(), 2, each);
    directory_ = std::move(doubled);
    ++depth_;
    return true;
  }

  unsigned depth_ = 1;
  std::vector<Segment*> directory_;  // by the first `depth_` bits
};

}  // namespace kingsbridge
