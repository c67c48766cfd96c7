// What a seat knows, and worlds that look the same to it. (Views from outside: check.cpp.)
#include "games/column/steps.hpp"

namespace kingsbridge::column {

// Tiles of the others cannot be told from those in the stacks. When the game is over, those that are left lie open.
View::View(const Table& table, Player viewer) : table_(table), viewer_(static_cast<std::int8_t>(viewer)) {
  if (table.phase == Phase::kOver) return;
  for (unsigned seat = 0; seat < kMaxSeats; ++seat) {  // the number of players may not have been checked yet
    auto& tiles = table_.seats[seat].tiles;
    if (static_cast<Player>(seat) == viewer || table_.seats[seat].held == 0) continue;
    for (unsigned tile = 0; tile < kTileKinds; ++tile) table_.stack[tile] = narrow(table_.stack[tile] + tiles[tile]);
    tiles = {};
  }
}

// Each of the others holds any of the tiles not seen, as if drawn now.
State State::imagine(const View& view, Rng& rng) {
  State state{view.table()};
  Table& t = state.table;
  if (t.phase == Phase::kOver) return state;
  unsigned unseen = 0;
  for (const auto tiles : t.stack) unseen += tiles;
  for (unsigned seat = 0; seat < t.options.players; ++seat) {
    if (static_cast<Player>(seat) == view.viewer()) continue;
    for (unsigned drawn = 0; drawn < t.seats[seat].held; ++drawn, --unseen) {
      const unsigned tile = tile_at(t.stack, rng.below(unseen));
      --t.stack[tile];
      ++t.seats[seat].tiles[tile];
    }
  }
  return state;
}

}  // namespace kingsbridge::column
