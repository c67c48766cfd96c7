// Phase 1: cards for workers and gold.
#include "games/pillars/steps.hpp"

namespace kingsbridge::pillars {
namespace {

void send_to_mill(Seat& seat) {
  seat.mill = seat.workers;
  seat.workers = 0;
}

// All have passed, or nothing is left to take. Craftsmen that nobody hired leave the game.
void end_cards(Table& t) {
  for (unsigned i = 0; i < t.options.players; ++i) {
    Seat& seat = t.seats[i];
    if (seat.passed == 0) send_to_mill(seat);
    seat.passed = 0;
  }
  t.craftsmen_row = 0;
  t.quarries = 0;
  begin_builders(t);
}

}  // namespace

void begin_cards(Table& t) { ask(t, Phase::kCards, t.start_player); }

void next_card_turn(Table& t) {
  if (t.craftsmen_row == 0 && t.quarries == 0) return end_cards(t);
  unsigned seat = t.mover;
  for (unsigned i = 0; i < t.options.players; ++i) {
    seat = next_seat(t, seat);
    if (t.seats[seat].passed == 0) return ask(t, Phase::kCards, seat);
  }
  end_cards(t);
}

void take(Table& t, unsigned quarry) {
  Seat& seat = t.seats[t.mover];
  seat.workers = narrow(seat.workers - kQuarryCards[quarry].workers);
  seat.quarries = static_cast<std::uint16_t>(seat.quarries | bit(quarry));
  t.quarries = static_cast<std::uint16_t>(t.quarries & ~bit(quarry));
  next_card_turn(t);
}

void hire(Table& t, unsigned craftsman) {
  Seat& seat = t.seats[t.mover];
  seat.gold = narrow(seat.gold - kCraftsmanCards[craftsman].cost);
  seat.craftsmen |= static_cast<std::uint32_t>(bit(craftsman));
  t.craftsmen_row &= ~static_cast<std::uint32_t>(bit(craftsman));
  if (over_limit(seat)) return ask(t, Phase::kDiscardHire, t.mover);
  next_card_turn(t);
}

void pass_cards(Table& t) {
  Seat& seat = t.seats[t.mover];
  seat.passed = 1;
  send_to_mill(seat);
  next_card_turn(t);
}

}  // namespace kingsbridge::pillars
