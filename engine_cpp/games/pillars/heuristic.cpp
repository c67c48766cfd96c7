// A few words of knowledge: the light rollout policy and the greedy bot's order of actions.
//
// Values are in tenths of gold. A point is taken for 3.5 gold, the goldsmith's rate and a little, as long as rounds are left to earn it
// (rules file, derived numbers); in round 6 gold is worth a tie-break only.
#include <algorithm>

#include "games/pillars/steps.hpp"

namespace kingsbridge::pillars {
namespace {

using Value = std::int32_t;

constexpr Value kPoint = State::kHeuristicPoint;
constexpr Value kGood[kGoods] = {20, 30, 40, 60};  // market prices; metal is worth more than its price to those who use it

Value gold_value(const Table& t) { return t.round < kRounds ? 10 : 1; }
Value rounds_left(const Table& t) { return static_cast<Value>(kRounds - t.round) + 1; }
// What a good is worth if it is not used in this building: most can be kept or sold later, nothing after the last.
Value kept_value(const Table& t, unsigned good) { return t.round < kRounds ? kGood[good] * 6 / 10 : 1; }

// Profit of one use.
Value use_value(const Table& t, unsigned craftsman) {
  const CraftsmanCard& card = kCraftsmanCards[craftsman];
  Value value = kPoint * card.points + gold_value(t) * (card.earns - card.gold);
  for (unsigned good = 0; good < kGoods; ++good) value -= kept_value(t, good) * card.inputs[good];
  return value;
}

// Points for each unit of a good, in tenths.
unsigned yield_of(unsigned craftsman, unsigned good) {
  const CraftsmanCard& card = kCraftsmanCards[craftsman];
  return card.inputs[good] == 0 ? 0 : 10u * card.points / card.inputs[good];
}

// A craftsman for the rest of the game: he rarely works to his full capacity.
Value craftsman_value(const Table& t, unsigned craftsman) {
  return std::max<Value>(use_value(t, craftsman), 4) * kCraftsmanCards[craftsman].capacity * rounds_left(t) / 2;
}

Value least_craftsman(const Table& t, const Seat& seat) {
  Value least = 10000;
  for_each(seat.craftsmen, [&](unsigned craftsman) { least = std::min(least, craftsman_value(t, craftsman)); });
  return least;
}

// A new craftsman, less the one who has to go for him.
Value gain_of_craftsman(const Table& t, const Seat& seat, unsigned craftsman) {
  const Value value = craftsman_value(t, craftsman);
  return count(seat.craftsmen) < craftsman_limit(seat) ? value : value - least_craftsman(t, seat);
}

Value advantage_value(const Table& t, unsigned card) {
  const Value left = rounds_left(t);
  constexpr Value each_round[] = {14, 18, 24, 12, 35, 14, 25, 0, 0, 12};
  switch (card) {
    case kFreeBuilder: return 50;
    case kThreePoints: return 3 * kPoint;
    case kEventShield:
    case kTaxRelief: return 30;
    case kEightGold: return 8 * gold_value(t);
    case kTwoMetal: return 2 * kGood[kMetal];
    case kStoneAndWood: return 70;
    case kOneMetal: return 90;
    default: return each_round[card] * left;
  }
}

Value space_value(const Table& t, const Seat& seat, unsigned space) {
  const bool last = t.round == kRounds;
  const Value priory = owns(seat, kPrioryBonus) ? kPoint : 0;
  const Value tax = owns(seat, kFixedTax) ? 20 : 35;
  switch (space) {
    case kBishop1:
    case kBishop2: return 40;
    case kPriory1: return 2 * kPoint + priory;
    case kPriory2: return kPoint + priory;
    case kCourt1: return tax + kGood[kMetal];
    case kCourt2:
    case kCourt3:
    case kCourt4: return tax;
    case kCastle1:
    case kCastle2: return last ? 0 : 35;
    case kStartSpace: return last ? 0 : 25;
    default: return last ? 60 : 45;  // the market
  }
}

// What the event of the round costs an unprotected seat.
Value event_cost(const Table& t, const Seat& seat) {
  switch (t.event) {
    case kLessFromQuarries: return 28 * static_cast<Value>(count(seat.quarries));
    case kLosePoints: return 2 * kPoint;
    case kLoseGold: return 4 * gold_value(t);
    case kLoseCraftsman: return least_craftsman(t, seat);
    case kTwoBuilders: return t.round < kRounds ? 50 : 0;
    default: return 0;
  }
}

// Units of a good that craftsmen of the seat can turn into points now, at a rate of at least `yield` tenths a unit.
unsigned wanted(const Table& t, const Seat& seat, unsigned good, unsigned yield) {
  unsigned units = 0;
  for_each(seat.craftsmen, [&](unsigned craftsman) {
    const CraftsmanCard& card = kCraftsmanCards[craftsman];
    const bool idle_mason =
        good == kStone && card.points == 1 && card.inputs[kStone] == 1 && !employs(seat, kMixer) && !employs(seat, kMasterMixer);
    if (yield_of(craftsman, good) >= yield && !idle_mason) units += card.capacity * card.inputs[good];
  });
  static_cast<void>(t);
  return units;
}

Value value_of_buy(const Table& t, const Seat& seat, unsigned good, unsigned number) {
  const unsigned useful = wanted(t, seat, good, 10), owned = seat.goods[good];
  const unsigned used = useful > owned ? std::min(useful - owned, number) : 0;
  return static_cast<Value>(used) * kPoint - static_cast<Value>(number * price(good)) * std::max<Value>(gold_value(t), 2);
}

Value value_of_sell(const Table& t, const Seat& seat, unsigned good, unsigned number) {
  const unsigned useful = wanted(t, seat, good, 5), owned = seat.goods[good];
  const unsigned spare = owned > useful ? owned - useful : 0;
  const unsigned paid = std::min(number * price(good), kGoldLimit - seat.gold);
  const unsigned needed = number > spare ? number - spare : 0;
  return static_cast<Value>(paid) * gold_value(t) - static_cast<Value>(number - needed) * kept_value(t, good) -
         static_cast<Value>(needed) * kPoint;
}

// As often as there is a profit, but leaving the goods that a later card uses better.
Value value_of_work(const Table& t, const Seat& seat, unsigned craftsman, unsigned times) {
  const CraftsmanCard& card = kCraftsmanCards[craftsman];
  Value value = use_value(t, craftsman) * static_cast<Value>(times);
  for (unsigned good = 0; good < kGoods; ++good) {
    if (card.inputs[good] == 0) continue;
    unsigned reserved = 0;
    for_each(seat.craftsmen, [&](unsigned other) {
      if (other != craftsman && yield_of(other, good) > yield_of(craftsman, good))
        reserved += kCraftsmanCards[other].capacity * kCraftsmanCards[other].inputs[good];
    });
    const unsigned free = seat.goods[good] > reserved ? seat.goods[good] - reserved : 0;
    if (times * card.inputs[good] > free) value -= kPoint * static_cast<Value>(times * card.inputs[good] - free);
  }
  return value;
}

Value value_of_place(const Table& t, Value worth) {
  const Value cost = t.phase == Phase::kDial || t.free != 0 ? 0 : static_cast<Value>(builder_cost(t)) * gold_value(t);
  return worth - cost;
}

}  // namespace

// The best of three random actions.
Action State::sample_light(Rng& rng) const {
  ActionList actions;
  legal_actions(actions);
  const auto size = static_cast<std::uint32_t>(actions.size());
  if (size == 1) return actions[0];
  Action best = actions[rng.below(size)];
  Value best_value = heuristic(best);
  for (int i = 0; i < 2; ++i) {
    const Action other = actions[rng.below(size)];
    const Value value = heuristic(other);
    if (value > best_value) best = other, best_value = value;
  }
  return best;
}

std::int32_t State::heuristic(Action action) const {
  const Table& t = table;
  const Seat& seat = t.seats[t.mover];
  const unsigned a = argument(action, 0), b = argument(action, 1);
  switch (kind_of(action)) {
    case kTake: return static_cast<Value>(kQuarryCards[a].yield) * kGood[kQuarryCards[a].good] * 12 / 10 - 10 * kQuarryCards[a].workers;
    case kHire: return gain_of_craftsman(t, seat, a) - gold_value(t) * kCraftsmanCards[a].cost;
    case kPass: return t.phase == Phase::kCards ? 0 : 15;
    case kDiscard: return -craftsman_value(t, a);
    case kAccept: return t.drawn == t.mover + 1 ? 20 : 10;
    case kRefuse: return t.dealt < 2 ? 15 : 0;
    case kUse:
      return a == kFreeBuilder ? 12 * static_cast<Value>(builder_cost(t)) - 30 : a == kEventShield ? event_cost(t, seat) : 10 * t.die;
    case kDecline: return t.phase == Phase::kTaxCard ? 30 : 25;
    case kPlace: return value_of_place(t, space_value(t, seat, a));
    case kPlaceTown: return value_of_place(t, advantage_value(t, a));
    case kPlaceShiring: return value_of_place(t, gain_of_craftsman(t, seat, a));
    case kProtect: return event_cost(t, seat);
    case kReceive: return kGood[a];
    case kBuy: return value_of_buy(t, seat, a, b);
    case kSell: return value_of_sell(t, seat, a, b);
    case kBoost: return use_value(t, a);
    case kWork: return value_of_work(t, seat, a, b);
    case kDrop: return static_cast<Value>(b);  // the cheaper goods are asked first
    default: return 0;                         // leave, done
  }
}

// Points; and as long as there are rounds to build in, gold, goods and what the craftsmen will make of them.
Outlook State::outlook() const {
  const Table& t = table;
  Outlook outlook{};
  for (unsigned i = 0; i < t.options.players; ++i) {
    const Seat& seat = t.seats[i];
    Value value = kPoint * seat.points;
    if (t.phase != Phase::kOver) {
      value += gold_value(t) * seat.gold;
      for (unsigned good = 0; good < kGoods; ++good) value += kGood[good] * seat.goods[good];
      for_each(seat.craftsmen, [&](unsigned craftsman) { value += craftsman_value(t, craftsman); });
      for_each(seat.advantages, [&](unsigned card) { value += advantage_value(t, card) / 2; });
    }
    outlook[i] = value * kOutlookPoint / kPoint;
  }
  return outlook;
}

// Of the share, 8 points in the first round and 4 in the last two: fitted to games between searching seats (ai/ladder/README.md).
OutlookLead State::outlook_lead() const {
  return {.utility = 6 * kOutlookPoint, .share = kOutlookPoint * std::max(4, 9 - static_cast<std::int32_t>(table.round))};
}

}  // namespace kingsbridge::pillars
