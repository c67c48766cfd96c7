// The resource market: one transaction or leaving, space by space, round and round.
#include "games/pillars/steps.hpp"

namespace kingsbridge::pillars {
namespace {

void end_market(Table& t) {
  t.market_space = kNone;
  for (Seat& seat : t.seats) seat.bought = seat.sold = 0;
  begin_building(t);
}

// A player with several builders takes part once, at his lowest space.
void keep_lowest_builders(Table& t) {
  for (unsigned space = kMarket1; space <= kMarket4; ++space)
    for (unsigned lower = kMarket1; lower < space; ++lower)
      if (t.spaces[lower] == t.spaces[space]) t.spaces[space] = 0;
}

}  // namespace

unsigned price(unsigned good) { return good + 2; }  // sand 2, wood 3, stone 4, metal 5

void begin_market(Table& t) {
  if (t.options.market_twice == 0) keep_lowest_builders(t);
  next_market_turn(t, kMarket1);
}

// The first builder at or after the space, going round.
void next_market_turn(Table& t, unsigned from) {
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned space = kMarket1 + (from - kMarket1 + i) % 4;
    if (t.spaces[space] == 0) continue;
    t.market_space = narrow(space);
    return ask(t, Phase::kMarket, t.spaces[space] - 1u);
  }
  end_market(t);
}

void buy_goods(Table& t, unsigned good, unsigned number) {
  Seat& seat = t.seats[t.mover];
  seat.gold = narrow(seat.gold - number * price(good));
  t.stock[good] = narrow(t.stock[good] - number);
  gain(seat, good, number);
  seat.bought = narrow(seat.bought | 1u << good);
  next_market_turn(t, t.market_space + 1u);
}

void sell_goods(Table& t, unsigned good, unsigned number) {
  Seat& seat = t.seats[t.mover];
  lose(seat, good, number);
  gain_gold(seat, number * price(good));
  seat.sold = narrow(seat.sold | 1u << good);
  next_market_turn(t, t.market_space + 1u);
}

void leave_market(Table& t) {
  t.spaces[t.market_space] = 0;
  next_market_turn(t, t.market_space + 1u);
}

// Buying wood needs a woodworker.
bool may_buy(const Table& t, const Seat& seat, unsigned good) {
  if (good == kMetal || contains(seat.sold, good)) return false;
  return good != kWood || employs(seat, kWoodworker) || (!t.options.strict_masters() && employs(seat, kMasterWoodworker));
}

// Selling stone needs a stonecutter.
bool may_sell(const Seat& seat, unsigned good) { return !contains(seat.bought, good) && (good != kStone || employs(seat, kStonecutter)); }

}  // namespace kingsbridge::pillars
