// Part 1 of the second half: die and country, religion stone, trading house, card, and the next card of the deck [1.6, 3.3].
#include "games/column/steps.hpp"

namespace kingsbridge::column {
namespace {

// Only colours count once the die is chosen.
void clear_rolls(Seat& seat, Bits kept) {
  for_each(rolled_dice(seat) & ~kept, [&](unsigned die) { seat.faces[die] = 0; });
}

// Moves the house on a site down by one, and whatever is there before it; below site 1 it goes home.
void push_down(Table& t, unsigned country, unsigned site) {
  for (unsigned seat = 0; seat < t.options.players; ++seat) {
    if (t.seats[seat].houses[country] != site) continue;
    if (site > 1) push_down(t, country, site - 1);
    t.seats[seat].houses[country] = narrow(site - 1);
    return;
  }
}

// The own house is lifted first, so its old site stops the chain at the latest.
void build(Table& t) {
  Seat& seat = actor(t);
  const unsigned site = seat.faces[t.die];
  seat.houses[t.country] = 0;
  push_down(t, t.country, site);
  seat.houses[t.country] = narrow(site);
}

void take_card(Table& t) {
  Seat& seat = actor(t);
  seat.row_cards[seat.row_size] = t.face_up[t.country];
  seat.row_dice[seat.row_size] = t.die;
  ++seat.row_size;
  t.face_up[t.country] = kNone;
  t.die = kNone;
  t.point = Point::kNewCard;
}

// An exhausted country: the die stays free, and only its colour counts.
void keep_die(Table& t) {
  actor(t).faces[t.die] = 0;
  t.die = t.country = kNone;
  t.point = Point::kTrack;
}

void after_house(Table& t) {
  if (t.face_up[t.country] != kNone)
    take_card(t);
  else
    keep_die(t);
  resume(t);
}

void house_step(Table& t) {
  const Seat& seat = actor(t);
  const unsigned site = seat.faces[t.die], own = seat.houses[t.country];
  if (own != 0 && own < site) return ask(t, Phase::kHouse, t.turn);
  if (own == 0) build(t);
  after_house(t);
}

void place_card_stone(Table& t) { ++t.stones[t.country][character(t.face_up[t.country]).stone]; }

}  // namespace

bool may_recruit(const Table& t, unsigned die, unsigned country) {
  return (die == kPurple || die == country) && (t.options.full_recruit() || !is_full(t, country));
}

bool can_recruit(const Table& t) {
  bool can = false;
  for_each(rolled_dice(actor(t)), [&](unsigned die) {
    for (unsigned country = 0; country < kCountries; ++country) can = can || may_recruit(t, die, country);
  });
  return can;
}

void recruit(Table& t, unsigned die, unsigned country) {
  Seat& seat = actor(t);
  clear_rolls(seat, bit(die));
  t.die = narrow(die);
  t.country = narrow(country);
  if (t.face_up[country] == kNone) {
    if (t.options.exhausted_fee()) lose_points(seat, kDeclineFee);
    return house_step(t);
  }
  if (!is_full(t, country)) {
    if (seat.protection > 0) return ask(t, Phase::kStone, t.turn);
    place_card_stone(t);
  }
  house_step(t);
}

void decline(Table& t) {
  fail_to_recruit(t);
  resume(t);
}

// Unable, or not willing: a point, if there is one.
void fail_to_recruit(Table& t) {
  lose_points(actor(t), kDeclineFee);
  clear_rolls(actor(t), 0);
  t.point = Point::kTrack;
}

void answer_stone(Table& t, bool protect) {
  if (protect)
    lose_one(actor(t).protection);
  else
    place_card_stone(t);
  house_step(t);
}

void answer_house(Table& t, bool upgrade) {
  if (upgrade) build(t);
  after_house(t);
}

// Turns up the next card of a deck. A deck without one is exhausted: the game ends with the year.
void begin_flip(Table& t, unsigned country) {
  t.flipping = narrow(country);
  if (t.unseen[country] != 0) return leave_to_chance(t, Phase::kFlip);
  t.flipping = kNone;
  t.ending = 1;
  finish_deed(t);
}

// One event a half-turn is carried out; further ones, and those of the setup, leave the game.
void flip(Table& t, unsigned card) {
  const unsigned country = t.flipping;
  t.unseen[country] &= ~static_cast<std::uint32_t>(bit(card % kDeckCards));
  if (!is_character(card)) {
    if (t.phase == Phase::kFirstFlip) return;
    if (t.event_done != 0) return begin_flip(t, country);
    return begin_event(t, card);
  }
  t.face_up[country] = narrow(card);
  t.flipping = kNone;
  if (t.phase != Phase::kFirstFlip) return finish_deed(t);
  if (country + 1 == kCountries) return begin_year(t);
  t.flipping = narrow(country + 1);
}

}  // namespace kingsbridge::column
