// The steps of a round, between the rules files: each plays on until the next question or chance event, and sets phase and mover for it.
#pragma once

#include "games/pillars/cards.hpp"
#include "games/pillars/pillars.hpp"

namespace kingsbridge::pillars {

// setup.cpp: rounds and the draws at their start
void begin_round(Table& t);
void end_round(Table& t);

// draft.cpp: phase 1
void begin_cards(Table& t);
void next_card_turn(Table& t);
void take(Table& t, unsigned quarry);
void hire(Table& t, unsigned craftsman);
void pass_cards(Table& t);

// builders.cpp: phase 2
void begin_builders(Table& t);
unsigned builder_cost(const Table& t);
void draw_builder(Table& t, unsigned seat);
void refuse_builder(Table& t);
void ask_builder(Table& t);
void settle_builder(Table& t);
void pass_builder(Table& t);
void use_free_builder(Table& t);
bool is_free_space(const Table& t, unsigned space);
bool is_offered_space(const Table& t, unsigned space);

// locations.cpp: phase 3 up to the castle
void begin_bishop(Table& t);
void resolve_bishop(Table& t);
void after_bishop(Table& t);
void after_protection(Table& t);
void next_roof(Table& t, unsigned from);
void after_roof(Table& t);
void begin_tax(Table& t);
void roll_tax(Table& t, unsigned face);
void answer_tax_card(Table& t, bool use);
void pay_taxes(Table& t);
void resolve_shiring(Table& t);

// market.cpp
void begin_market(Table& t);
void next_market_turn(Table& t, unsigned from);
unsigned price(unsigned good);
bool may_buy(const Table& t, const Seat& seat, unsigned good);
bool may_sell(const Seat& seat, unsigned good);
void buy_goods(Table& t, unsigned good, unsigned number);
void sell_goods(Table& t, unsigned good, unsigned number);
void leave_market(Table& t);

// building.cpp
void begin_building(Table& t);
void begin_work(Table& t);
void ask_work(Table& t, unsigned from);
void work(Table& t, unsigned craftsman, unsigned times);
void finish_work(Table& t);
struct DropRange {
  unsigned least, most;
};
DropRange drop_range(const Table& t, unsigned good);
void ask_drop(Table& t, unsigned from);
unsigned most_uses(const Table& t, unsigned seat, unsigned craftsman);
Bits boostable(const Table& t, unsigned seat);

// ------------------------------------------------------------------------------------------------------- small words

inline std::uint8_t narrow(unsigned value) { return static_cast<std::uint8_t>(value); }
inline unsigned next_seat(const Table& t, unsigned seat) { return seat + 1u == t.options.players ? 0 : seat + 1u; }
inline bool owns(const Seat& seat, unsigned advantage) { return contains(seat.advantages, advantage); }
inline bool employs(const Seat& seat, unsigned craftsman) { return contains(seat.craftsmen, craftsman); }
inline unsigned craftsman_limit(const Seat& seat) { return owns(seat, kSixCraftsmen) ? 6 : 5; }
inline bool over_limit(const Seat& seat) { return count(seat.craftsmen) > craftsman_limit(seat); }

inline void gain_gold(Seat& seat, unsigned gold) { seat.gold = narrow(seat.gold + gold > kGoldLimit ? kGoldLimit : seat.gold + gold); }
inline void lose_points(Seat& seat, unsigned points) {
  seat.points = static_cast<std::uint16_t>(seat.points > points ? seat.points - points : 0);
}
inline void gain_points(Seat& seat, unsigned points) { seat.points = static_cast<std::uint16_t>(seat.points + points); }
inline void gain(Seat& seat, unsigned good, unsigned number) { seat.goods[good] = narrow(seat.goods[good] + number); }
inline void lose(Seat& seat, unsigned good, unsigned number) { seat.goods[good] = narrow(seat.goods[good] - number); }

inline bool is_negative(unsigned event) {
  return event == kLessFromQuarries || event == kLosePoints || event == kLoseGold || event == kLoseCraftsman || event == kTwoBuilders;
}
// Whether the event of the round works on the seat.
inline bool struck(const Table& t, const Seat& seat, unsigned event) { return t.event == event && seat.guarded == 0; }

// The seat that owns an advantage card, or -1.
inline int owner_of(const Table& t, unsigned advantage) {
  for (unsigned seat = 0; seat < t.options.players; ++seat)
    if (owns(t.seats[seat], advantage)) return static_cast<int>(seat);
  return -1;
}

inline void ask(Table& t, Phase phase, unsigned seat) {
  t.phase = phase;
  t.mover = narrow(seat);
}
inline void leave_to_chance(Table& t, Phase phase) { ask(t, phase, 0); }

// Cards of a round: four craftsmen.
constexpr unsigned first_craftsman(unsigned round) { return 4 * round - 1; }

}  // namespace kingsbridge::pillars
