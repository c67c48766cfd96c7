// Phase 2: builders out of the bag, the falling cost, the dial.
#include "games/pillars/steps.hpp"

namespace kingsbridge::pillars {
namespace {

bool bag_is_empty(const Table& t) { return t.bag == std::array<std::uint8_t, kMaxSeats>{}; }

void end_builders(Table& t) {
  t.dealt = 0;
  t.refused = 0;
  leave_to_chance(t, Phase::kReveal);
}

bool any_free_space(const Table& t) {
  for (unsigned space = 0; space < kSpaces; ++space)
    if (is_free_space(t, space)) return true;
  return t.town_builders[0] == 0 || t.town_builders[1] == 0 || t.shiring_builders[0] == 0 || t.shiring_builders[1] == 0;
}

// Passed builders are placed free of charge, from the highest number of the dial down.
void next_on_dial(Table& t) {
  for (unsigned cost = kTopCost; cost-- > 0;) {
    if (t.dial[cost] == 0) continue;
    const unsigned seat = t.dial[cost] - 1u;
    if (any_free_space(t)) return ask(t, Phase::kDial, seat);
    t.dial[cost] = 0;
  }
  end_builders(t);
}

void next_builder(Table& t) {
  t.drawn = 0;
  t.free = 0;
  t.dealt = narrow(t.dealt + 1u);
  if (bag_is_empty(t)) return next_on_dial(t);
  leave_to_chance(t, Phase::kDraw);
}

// First space of the location that holds a space, and its number of spaces.
struct Location {
  unsigned first, size;
};

Location location_of(const Table& t, unsigned space) {
  if (space <= kBishop2) return {kBishop1, t.options.bishop_spaces};
  if (space <= kPriory2) return {kPriory1, 2};
  if (space <= kCourt4) return {kCourt1, 4};
  if (space <= kCastle2) return {kCastle1, t.options.castle_spaces};
  if (space <= kMarket4) return {kMarket1, t.options.market_spaces};
  return {kStartSpace, 1};
}

}  // namespace

unsigned builder_cost(const Table& t) { return t.dealt < kTopCost ? kTopCost - t.dealt : 0; }

void begin_builders(Table& t) {
  for (unsigned i = 0; i < t.options.players; ++i) {
    Seat& seat = t.seats[i];
    t.bag[i] = narrow(kBuilders - seat.two_builders);
    seat.two_builders = 0;
  }
  leave_to_chance(t, Phase::kDraw);
}

void draw_builder(Table& t, unsigned seat) {
  t.bag[seat] = narrow(t.bag[seat] - 1u);
  t.drawn = narrow(seat + 1);
  bool other_colour = false;
  for (unsigned i = 0; i < t.options.players; ++i) other_colour |= i != seat && t.bag[i] != 0;
  if (t.refused == 0 && other_colour) return ask(t, Phase::kRefuse, t.start_player);
  ask_builder(t);
}

void refuse_builder(Table& t) {
  const unsigned seat = t.drawn - 1u;
  t.bag[seat] = narrow(t.bag[seat] + 1u);
  t.drawn = 0;
  t.refused = 1;
  leave_to_chance(t, Phase::kDraw);
}

void ask_builder(Table& t) {
  if (builder_cost(t) == 0 && !any_free_space(t)) return next_builder(t);
  ask(t, Phase::kBuilder, t.drawn - 1u);
}

bool is_free_space(const Table& t, unsigned space) {
  const Location location = location_of(t, space);
  return space - location.first < location.size && t.spaces[space] == 0;
}

// The lower number is never worse: only the lowest free space of a location is offered, except at the market if so agreed.
bool is_offered_space(const Table& t, unsigned space) {
  if (!is_free_space(t, space)) return false;
  if (space >= kMarket1 && space <= kMarket4 && t.options.lowest_space == 0) return true;
  for (unsigned lower = location_of(t, space).first; lower < space; ++lower)
    if (t.spaces[lower] == 0) return false;
  return true;
}

// The builder in question leaves the hand or the dial; in the draw his owner pays unless he is free.
void settle_builder(Table& t) {
  if (t.phase == Phase::kDial) {
    unsigned cost = kTopCost;
    while (t.dial[cost - 1] == 0) --cost;
    t.dial[cost - 1] = 0;
    return next_on_dial(t);
  }
  if (t.free == 0) t.seats[t.mover].gold = narrow(t.seats[t.mover].gold - builder_cost(t));
  next_builder(t);
}

void pass_builder(Table& t) {
  t.dial[builder_cost(t) - 1] = t.drawn;
  next_builder(t);
}

void use_free_builder(Table& t) {
  Seat& seat = t.seats[t.mover];
  seat.advantages = static_cast<std::uint16_t>(seat.advantages & ~bit(kFreeBuilder));
  t.free = 1;
}

}  // namespace kingsbridge::pillars
