// Part 2 of the second half: the action track [1.6, 2].
#include "games/column/steps.hpp"

namespace kingsbridge::column {
namespace {

Bits occupied(const Table& t) {
  Bits spaces = 0;
  for (unsigned seat = 0; seat < t.options.players; ++seat) spaces |= bit(t.seats[seat].space);
  return spaces;
}

unsigned after(unsigned space) { return space + 1 == kTrack.size() ? 0 : space + 1; }

// Calls f(space, skipped) for the free spaces of a colour clockwise from the seat's own, up to the lap.
template <class F>
void each_ahead(const Table& t, unsigned colour, F&& f) {
  const Bits taken = occupied(t);
  const unsigned own = actor(t).space;
  unsigned skipped = 0;
  for (unsigned space = after(own); space != own; space = after(space))
    if (kTrack[space].colour == colour && !contains(taken, space)) f(space, skipped++);
}

bool is_ship(unsigned space) { return kTrack[space].deed.effect == Effect::kShip; }

// With two or three players a ship brings a neutral stone to its country, sale or not [1.3].
bool brings_stone(const Table& t, unsigned space) {
  return is_ship(space) && t.options.players < 4 && !is_full(t, kTrack[space].deed.value);
}

void open_space(Table& t, unsigned space, bool use) {
  t.acting = narrow(space);
  if (use) return carry_out(t, kTrack[space].deed);
  finish_deed(t);
}

}  // namespace

Bits moves(const Table& t) {
  Bits spaces = 0;
  for_each(free_dice(actor(t)), [&](unsigned die) {
    each_ahead(t, die, [&](unsigned space, unsigned skipped) {
      if (skipped <= kMaxSkips && skipped <= actor(t).points) spaces |= bit(space);
    });
  });
  return spaces;
}

unsigned skips_to(const Table& t, unsigned space) {
  unsigned skips = 0;
  each_ahead(t, kTrack[space].colour, [&](unsigned ahead, unsigned skipped) {
    if (ahead == space) skips = skipped;
  });
  return skips;
}

// A point for each free space of the colour passed over.
void move(Table& t, unsigned space) {
  lose_points(actor(t), skips_to(t, space));
  actor(t).space = t.space = narrow(space);
  t.point = Point::kSpace;
  resume(t);
}

void close_space(Table& t, bool use) {
  const unsigned space = t.space;
  t.space = kNone;
  t.point = Point::kEnd;
  open_space(t, space, use);
}

void next_space(Table& t) {
  const Bits taken = occupied(t);
  Seat& seat = actor(t);
  unsigned space = after(seat.space);
  while (contains(taken, space)) space = after(space);
  seat.space = t.acting = narrow(space);
  if (is_possible(t, kTrack[space].deed)) return ask(t, Phase::kLanded, t.turn);
  finish_deed(t);
}

void answer_landing(Table& t, bool use) { open_space(t, t.acting, use); }

void answer_ship_stone(Table& t, bool place) {
  if (place) ++t.stones[kTrack[t.acting].deed.value][kNeutral];
  t.acting = kNone;
  resume(t);
}

// What follows an action, wherever it came from: the ship's stone, then the point at which it began.
void finish_deed(Table& t) {
  if (t.acting != kNone && brings_stone(t, t.acting)) return ask(t, Phase::kShipStone, t.turn);
  t.acting = kNone;
  resume(t);
}

}  // namespace kingsbridge::column
