// Setup: starting player, Loch Leven cards, first religion dice, first cards of the decks [1.3].
#include "games/column/steps.hpp"

namespace kingsbridge::column {

void choose_start(Table& t, unsigned seat) {
  t.start_player = narrow(seat);
  leave_to_chance(t, Phase::kDeal);
}

unsigned seat_to_deal(const Table& t) {
  unsigned seat = 0;
  while (t.seats[seat].space != kNone) ++seat;
  return seat;
}

unsigned seat_to_roll(const Table& t) {
  unsigned seat = 0;
  while (t.seats[seat].religion_die != 0) ++seat;
  return seat;
}

namespace {

unsigned ship_space(unsigned country) {
  unsigned space = 0;
  while (kTrack[space].deed.effect != Effect::kShip || kTrack[space].deed.value != country) ++space;
  return space;
}

}  // namespace

// Cards not dealt yet. With two players the second must bring the other religion: redrawing until it does leaves those two alike.
Bits dealt_next(const Table& t) {
  Bits cards = 0;
  for (unsigned card = 0; card < kLochLevenCards.size(); ++card) {
    bool left = true;
    for (unsigned seat = 0; seat < t.options.players; ++seat) {
      const Seat& other = t.seats[seat];
      if (other.space == kNone) continue;
      if (other.space == ship_space(kLochLevenCards[card].ship)) left = false;
      if (t.options.players == 2 && other.religion == kLochLevenCards[card].religion) left = false;
    }
    if (left) cards |= bit(card);
  }
  return cards;
}

void deal(Table& t, unsigned seat, unsigned card) {
  Seat& to = t.seats[seat];
  to.religion = kLochLevenCards[card].religion;
  to.goods[kLochLevenCards[card].good] = 1;
  to.protection = kStartProtection;
  to.space = narrow(ship_space(kLochLevenCards[card].ship));
  if (seat + 1 == t.options.players) leave_to_chance(t, Phase::kFirstRoll);
}

void roll_first_religion(Table& t, unsigned seat, unsigned face) {
  t.seats[seat].religion_die = narrow(face);
  if (seat + 1 < t.options.players) return;
  t.flipping = kEngland;
  leave_to_chance(t, Phase::kFirstFlip);
}

}  // namespace kingsbridge::column
