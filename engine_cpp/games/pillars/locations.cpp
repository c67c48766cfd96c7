// Phase 3, from the event to the castle; sections in brackets are those of the rules file.
#include "games/pillars/steps.hpp"

namespace kingsbridge::pillars {
namespace {

template <class F>
void each_seat(Table& t, F&& f) {
  for (unsigned i = 0; i < t.options.players; ++i) f(t.seats[i]);
}

// 1 gold a worker; with E8 the first five of each player earn two [mill].
void pay_mill(Table& t) {
  each_seat(t, [&](Seat& seat) {
    const unsigned doubled = struck(t, seat, kDoubleWool) ? (seat.mill < 5u ? seat.mill : 5u) : 0;
    gain_gold(seat, seat.mill + doubled);
    seat.mill = 0;
  });
}

// Immediate cards act and are gone, the others are kept [town].
void gain_advantage(Seat& seat, unsigned card) {
  switch (card) {
    case kThreePoints: return gain_points(seat, 3);
    case kEightGold: return gain_gold(seat, 8);
    case kTwoMetal: return gain(seat, kMetal, 2);
    case kStoneAndWood: gain(seat, kStone, 1); return gain(seat, kWood, 1);
    case kOneMetal: return gain(seat, kMetal, 1);
    default: seat.advantages = static_cast<std::uint16_t>(seat.advantages | bit(card));
  }
}

void resolve_town(Table& t) {
  unsigned place = 0;
  for_each(t.town, [&](unsigned card) {
    const unsigned builder = t.town_builders[place++];
    if (builder != 0) gain_advantage(t.seats[builder - 1], card);
  });
  t.town = 0;
  t.town_builders = {};
}

// 2 points on the first space, 1 on the second, one more each with A5 [priory].
void resolve_priory(Table& t) {
  for (unsigned i = 0; i < 2; ++i) {
    std::uint8_t& builder = t.spaces[kPriory1 + i];
    if (builder == 0) continue;
    Seat& seat = t.seats[builder - 1];
    gain_points(seat, 2 - i + (owns(seat, kPrioryBonus) ? 1u : 0u));
    builder = 0;
  }
}

// Each resource card yields its cubes, one less or more with E1 or E2; A1 to A3 add one each [production].
void produce(Table& t) {
  each_seat(t, [&](Seat& seat) {
    for_each(seat.quarries, [&](unsigned quarry) {
      const QuarryCard& card = kQuarryCards[quarry];
      const unsigned more = struck(t, seat, kMoreFromQuarries) ? 1 : 0, fewer = struck(t, seat, kLessFromQuarries) ? 1 : 0;
      gain(seat, card.good, card.yield + more - fewer);
    });
    seat.quarries = 0;
    for (unsigned good = kSand; good <= kStone; ++good)
      if (owns(seat, kSandEachRound + good)) gain(seat, good, 1);
  });
}

bool at_court(const Table& t, unsigned seat) {
  for (unsigned space = kCourt1; space <= kCourt4; ++space)
    if (t.spaces[space] == seat + 1) return true;
  return false;
}

// What is due and not there costs a point for every full two gold [tax].
void pay(Seat& seat, unsigned due, bool shortfall_costs) {
  const unsigned missing = seat.gold < due ? due - seat.gold : 0;
  seat.gold = narrow(seat.gold - (due - missing));
  if (shortfall_costs) lose_points(seat, missing / 2);
}

// +2 grey workers a builder, for the next round only [castle].
void resolve_castle(Table& t) {
  for (unsigned space = kCastle1; space <= kCastle2; ++space) {
    std::uint8_t& builder = t.spaces[space];
    if (builder != 0 && t.round < kRounds) t.seats[builder - 1].grey = narrow(t.seats[builder - 1].grey + 2u);
    builder = 0;
  }
}

// Events that act at once, on every unguarded seat [event effect].
void strike(Table& t, Seat& seat) {
  switch (t.event) {
    case kGiveMetal: return gain(seat, kMetal, 1);
    case kGiveGold: return gain_gold(seat, 5);
    case kLosePoints: return lose_points(seat, 2);
    case kLoseGold: return pay(seat, 4, t.options.event_shortfall());
    case kTwoBuilders: seat.two_builders = t.round < kRounds; return;
    default: return;  // E1, E2, E8, E9 act at their own time, E7 asks
  }
}

// The mill and what follows it without a question, up to the court.
void after_event(Table& t) {
  pay_mill(t);
  resolve_town(t);
  resolve_priory(t);
  produce(t);
  begin_tax(t);
}

}  // namespace

void begin_bishop(Table& t) {
  for (unsigned space = kBishop1; space <= kBishop2; ++space) {
    if (t.spaces[space] == 0) continue;
    return ask(t, Phase::kBishop, t.spaces[space] - 1u);
  }
  after_bishop(t);
}

void resolve_bishop(Table& t) {
  t.spaces[t.spaces[kBishop1] != 0 ? kBishop1 : kBishop2] = 0;
  begin_bishop(t);
}

// A11 is asked after all bishops, for a bad event, of an owner who is not protected already.
void after_bishop(Table& t) {
  const int owner = owner_of(t, kEventShield);
  if (is_negative(t.event) && owner >= 0 && t.seats[static_cast<unsigned>(owner)].guarded == 0)
    return ask(t, Phase::kProtection, static_cast<unsigned>(owner));
  after_protection(t);
}

void after_protection(Table& t) {
  each_seat(t, [&](Seat& seat) {
    if (seat.guarded == 0) strike(t, seat);
  });
  if (t.event == kLoseCraftsman) return next_roof(t, t.start_player);
  after_event(t);
}

// E7: each seat chooses, clockwise from the start player; `from` is the first that has not.
void next_roof(Table& t, unsigned from) {
  unsigned seat = from;
  do {
    if (t.seats[seat].guarded == 0 && t.seats[seat].craftsmen != 0) return ask(t, Phase::kRoof, seat);
    seat = next_seat(t, seat);
  } while (seat != t.start_player);
  after_event(t);
}

void after_roof(Table& t) {
  const unsigned next = next_seat(t, t.mover);
  if (next == t.start_player) return after_event(t);
  next_roof(t, next);
}

// The metal of the first court space, then the die; A12 is asked of an owner who has no builder at court.
void begin_tax(Table& t) {
  if (t.spaces[kCourt1] != 0) gain(t.seats[t.spaces[kCourt1] - 1u], kMetal, 1);
  const int owner = owner_of(t, kTaxRelief);
  if (t.options.tax_card_first() && owner >= 0 && !at_court(t, static_cast<unsigned>(owner)))
    return ask(t, Phase::kTaxCard, static_cast<unsigned>(owner));
  leave_to_chance(t, Phase::kRoll);
}

void roll_tax(Table& t, unsigned face) {
  t.die = narrow(face);
  const int owner = owner_of(t, kTaxRelief);
  if (!t.options.tax_card_first() && owner >= 0 && !at_court(t, static_cast<unsigned>(owner)))
    return ask(t, Phase::kTaxCard, static_cast<unsigned>(owner));
  pay_taxes(t);
}

void answer_tax_card(Table& t, bool use) {
  if (use) {
    Seat& seat = t.seats[t.mover];
    seat.advantages = static_cast<std::uint16_t>(seat.advantages & ~bit(kTaxRelief));
    t.exempt = narrow(t.mover + 1u);
  }
  if (t.die == 0) return leave_to_chance(t, Phase::kRoll);
  pay_taxes(t);
}

void pay_taxes(Table& t) {
  for (unsigned i = 0; i < t.options.players; ++i) {
    Seat& seat = t.seats[i];
    if (!at_court(t, i) && t.exempt != i + 1) pay(seat, owns(seat, kFixedTax) ? 2 : t.die, true);
  }
  t.exempt = 0;
  for (unsigned space = kCourt1; space <= kCourt4; ++space) t.spaces[space] = 0;
  resolve_shiring(t);
}

// Cards in ascending order; who goes over the limit discards before the next card [Shiring].
void resolve_shiring(Table& t) {
  while (t.shiring != 0) {
    const unsigned craftsman = lowest(t.shiring);
    const unsigned builder = t.shiring_builders[0];
    t.shiring &= t.shiring - 1;
    t.shiring_builders = {t.shiring_builders[1], 0};
    if (builder == 0) continue;
    Seat& seat = t.seats[builder - 1];
    seat.craftsmen |= static_cast<std::uint32_t>(bit(craftsman));
    if (over_limit(seat)) return ask(t, Phase::kDiscardShiring, builder - 1);
  }
  resolve_castle(t);
  begin_market(t);
}

}  // namespace kingsbridge::pillars
