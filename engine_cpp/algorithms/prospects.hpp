// The decisions of the searching seat that a search tree holds, each with what is needed to go on from it: so the next decision need not
// begin with an empty tree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "algorithms/arena.hpp"
#include "algorithms/bandit.hpp"
#include "algorithms/path_table.hpp"
#include "core/returns.hpp"
#include "core/types.hpp"

namespace kingsbridge {

// The observation path of each seat.
using Paths = std::array<Key, kMaxSeats>;
// A sum for each seat.
using Totals = std::array<std::int64_t, kMaxSeats>;

// What the visits of an action brought. Sums are integers, as in a Bandit.
struct Tally {
  Totals utilities{}, shares{}, scores{};
  std::int64_t squares = 0;  // of the utility of the seat that searches

  void add(const Worth& worth, Player searcher) {
    for (std::size_t seat = 0; seat < kMaxSeats; ++seat) {
      utilities[seat] += worth.utilities[seat];
      shares[seat] += worth.shares[seat];
      scores[seat] += worth.scores[seat];
    }
    const std::int64_t own = worth.utilities[static_cast<std::size_t>(searcher)];
    squares += own * own;
  }
};

// A node of the searching seat, all of whose visits had one information set.
struct Prospect {
  const Bandit* node;
  Paths paths;                 // of all seats when the node was made
  bool taken = false;          // its information set was the root's
  Prospect* next = nullptr;    // made later in the same information set, which was reached in another order
  ArenaList<Tally> tallies{};  // by slot

  // Needs room for a slot that is new; without it the visits are lost.
  void reward(std::uint32_t slot, const Worth& worth, Arena& arena) {
    if (slot == tallies.size() && tallies.make_room(arena)) tallies.push_back({});
    if (slot < tallies.size()) tallies[slot].add(worth, node->seat());
  }
  // Whether a decision with these actions can go on from here.
  bool serves(std::span<const Action> offered) const { return !taken && tallies.size() == node->tried() && node->always_offered(offered); }
};

// Each is found by its path and by the key of its view.
class Prospects {
 public:
  // Needs an arena with a chunk to give.
  explicit Prospects(Arena& arena) : by_path_(arena), by_view_(arena) {}

  // Bytes of a new one.
  static constexpr std::size_t kBytes = Arena::rounded(sizeof(Prospect));

  Prospect* find(Key path) const { return by_path_.find(path); }
  // Makes room in the tables for a path that is not there; false when memory ends.
  bool make_room(Key path, Key view, Arena& arena) { return by_path_.make_room(path, arena) && by_view_.make_room(view, arena); }
  // Needs room, and its bytes reserved.
  Prospect* add(Key path, Key view, const Paths& paths, const Bandit* node, Arena& arena) {
    auto* const made = new (arena.take(sizeof(Prospect))) Prospect{node, paths};
    by_path_.insert(path, made);
    Prospect* last = by_view_.find(view);
    if (last == nullptr)
      by_view_.insert(view, made);
    else {
      while (last->next != nullptr) last = last->next;
      last->next = made;
    }
    return made;
  }

  // Takes the most visited one of this view that always offered these actions, the first made of equals; null if there is none. After that
  // there is none of this view.
  const Prospect* take(Key view, std::span<const Action> offered) {
    Prospect* best = nullptr;
    for (Prospect* each = by_view_.find(view); each != nullptr; each = each->next)
      if (each->serves(offered) && (best == nullptr || each->node->offers() > best->node->offers())) best = each;
    for (Prospect* each = by_view_.find(view); best != nullptr && each != nullptr; each = each->next) each->taken = true;
    return best;
  }

 private:
  PathTable<Prospect> by_path_;
  PathTable<Prospect> by_view_;
};

}  // namespace kingsbridge
