// A few words of knowledge: the light rollout policy and the greedy bot's order of actions.
//
// Values are in tenths of a point. What a use, a good, a tile is worth follows section 9 of the rules file: a sale is the heart of the
// track (4 + 2 points), a recruited character is worth his uses less the die he keeps, a house two points at the end and a market.
#include <algorithm>
#include <limits>

#include "games/column/steps.hpp"

namespace kingsbridge::column {
namespace {

using Value = std::int32_t;

constexpr Value kPoint = State::kHeuristicPoint;
constexpr Value kProtectionValue = 12;
constexpr Value kTileValue = 15;
constexpr std::uint32_t kLuck = 12;
constexpr Value kUnsoldGood = 5;  // at the end two of them are a point

// What the best market open to the seat pays, less what it takes to get there.
Value good_value(const Table& t, const Seat& seat, unsigned good) {
  if (is_last_year(t) && t.half == 2) return kUnsoldGood;
  Value best = 10;
  for (const MarketRow& row : kMarket)
    if (row.good == good && seat.houses[row.country] != 0) best = std::max<Value>(best, row.price == 4 ? 24 : 15);
  return best - 2 * std::min<Value>(seat.goods[good], 3);
}

Value best_good(const Table& t, const Seat& seat) {
  Value best = 0;
  for (unsigned good = 0; good < kGoods; ++good) best = std::max(best, good_value(t, seat, good));
  return best;
}

// Sites at stake for the seat in a country: its own, and those of the others, who win with it or lose to it.
Value stake(const Table& t, unsigned seat, unsigned religion, unsigned country) {
  Value sum = 0;
  for (unsigned other = 0; other < t.options.players; ++other) {
    const Value site = t.seats[other].houses[country];
    const Value worth = site == 0 ? 0 : site + 2;
    const bool friendly = t.seats[other].religion == religion;
    sum += other == seat ? 3 * worth : friendly ? -worth : worth;
  }
  return sum;
}

// A stone more (or less) of a kind: it moves a conflict by a third of the stake, the more the fuller the country is.
Value stone_value(const Table& t, unsigned seat, unsigned stone, unsigned country) {
  const unsigned religion = t.seats[seat].religion;
  const auto& stones = t.stones[country];
  const Value lead = Value{stones[religion]} - Value{stones[1 - religion]};
  const Value fill = 1 + stones[0] + stones[1] + stones[2];
  const Value sign = stone == kNeutral ? std::clamp<Value>(lead, -1, 1) : stone == religion ? 2 : -2;
  return sign * stake(t, seat, religion, country) * fill / 4;
}

Value best_stone(const Table& t, unsigned seat, Bits stones) {
  Value best = 0;
  for_each(stones, [&](unsigned stone) {
    for_each(places(t), [&](unsigned country) { best = std::max(best, stone_value(t, seat, stone, country)); });
    for_each(removals(t, stone), [&](unsigned country) { best = std::max(best, -stone_value(t, seat, stone, country)); });
  });
  return best;
}

Value sale_value(const Table& t, const Seat& seat, Bits pairs) {
  Value value = 0;
  for_each(pairs, [&](unsigned pair) {
    const Value price = t.phase == Phase::kSellOne ? Value{kSellOnePoints} : Value{kMarket[pair].price};
    value += kPoint * price - good_value(t, seat, kMarket[pair].good) / 2;
  });
  return value;
}

// What a use of a card is worth on another day.
Value daily_value(const Table& t, const Seat& seat, Deed deed) {
  switch (deed.effect) {
    case Effect::kGood: return good_value(t, seat, deed.value);
    case Effect::kAnyGood: return best_good(t, seat);
    case Effect::kAdvantage: return kTileValue;
    case Effect::kProtection: return kProtectionValue;
    case Effect::kPoints: return kPoint * deed.value;
    case Effect::kSellOne: return 17;
    case Effect::kNextSpace: return 18;
    case Effect::kReligion: return 14;
    default: return 9;
  }
}

// What it is worth now.
Value deed_value(const Table& t, Deed deed) {
  const Seat& seat = actor(t);
  switch (deed.effect) {
    case Effect::kReligion: return best_stone(t, t.turn, bit(kCatholic) | bit(kProtestant));
    case Effect::kReligionCatholic: return best_stone(t, t.turn, bit(kCatholic));
    case Effect::kReligionProtestant: return best_stone(t, t.turn, bit(kProtestant));
    case Effect::kPlaceNeutral: return best_stone(t, t.turn, bit(kNeutral));
    case Effect::kShip: return sale_value(t, seat, sellable(t, pairs_of(deed)));
    case Effect::kGoodOrSell: return std::max(sale_value(t, seat, sellable(t, pairs_of(deed))), good_value(t, seat, deed.value));
    case Effect::kSellOne: {
      Value owned = 1000;
      for (const MarketRow& row : kMarket)
        if (seat.houses[row.country] != 0 && seat.goods[row.good] != 0) owned = std::min(owned, good_value(t, seat, row.good));
      return kPoint * Value{kSellOnePoints} - owned / 2;
    }
    default: return daily_value(t, seat, deed);
  }
}

// A character for all his uses but the first that is now.
Value card_value(const Table& t, const Seat& seat, unsigned card, unsigned uses) {
  return daily_value(t, seat, character(card).deed) * static_cast<Value>(is_last_year(t) ? std::min(uses, 1u) : uses);
}

// A die that stays away from rolls and track.
Value lock_cost(const Table& t, unsigned die, unsigned uses) {
  return is_last_year(t) ? 0 : (die == kPurple ? 11 : 6) * static_cast<Value>(uses);
}

Value house_value(const Table& t, const Seat& seat, unsigned country, unsigned site) {
  const unsigned own = seat.houses[country];
  if (own >= site) return 0;
  const Value conflict = 3 * static_cast<Value>(site - own);
  return own != 0 ? conflict : conflict + kPoint * Value{kPointsPerHouse} + (is_last_year(t) ? 0 : 15);
}

Value recruit_value(const Table& t, unsigned die, unsigned country) {
  const Seat& seat = actor(t);
  const unsigned face = seat.faces[die];
  const Value house = house_value(t, seat, country, face);
  if (t.face_up[country] == kNone) return house;
  const unsigned card = t.face_up[country];
  const Value stone = is_full(t, country) ? 0 : stone_value(t, t.turn, character(card).stone, country) / 2;
  return house + stone + card_value(t, seat, card, face) - lock_cost(t, die, face);
}

Value move_value(const Table& t, unsigned space) {
  const Value worth = is_possible(t, kTrack[space].deed) ? deed_value(t, kTrack[space].deed) : 0;
  return worth - kPoint * static_cast<Value>(skips_to(t, space));
}

Value religion_value(const Table& t, unsigned seat, unsigned religion) {
  Value value = is_lone(t, seat, religion) ? kPoint * 2 : 0;
  for (unsigned country = 0; country < kCountries; ++country) {
    const auto& stones = t.stones[country];
    value += (Value{stones[religion]} - Value{stones[1 - religion]}) * stake(t, seat, religion, country);
  }
  return value;
}

// Remaining uses of the card that a die lies on, or 0.
Value value_on_die(const Table& t, const Seat& seat, unsigned die) {
  const unsigned place = place_of(seat, die);
  return place < seat.row_size ? card_value(t, seat, seat.row_cards[place], seat.faces[die] - 1u) : 0;
}

Value freedom_value(const Table& t, const Seat& seat, unsigned die) {
  if (die == kBlack) return 3;
  if (contains(seat.prison, die)) return lock_cost(t, die, seat.faces[die]);
  return lock_cost(t, die, seat.faces[die]) - value_on_die(t, seat, die);
}

Value turn_value(const Table& t, const Seat& seat, unsigned die, bool up) {
  if (die == kBlack) return up ? 0 : 4;
  if (contains(seat.prison, die)) return up ? -10 : 10;
  const unsigned place = place_of(seat, die);  // it lies on a card: free dice are not turned
  const Value gain = card_value(t, seat, seat.row_cards[place], 1) - lock_cost(t, die, 1);
  return up ? gain : -gain;
}

Value removal_value(const Table& t, unsigned card) {
  const Seat& seat = actor(t);
  for (unsigned place = 0; place < seat.row_size; ++place)
    if (seat.row_cards[place] == card) return freedom_value(t, seat, seat.row_dice[place]);
  return 3 + daily_value(t, seat, character(card).deed) / 4;  // keeps a good card from the others
}

}  // namespace

// The best action by value and a little luck, which is worth up to a point. Dice are never bought.
Action State::sample_light(Rng& rng) const {
  ActionList actions;
  legal_actions(actions);
  if (actions.size() == 1) return actions[0];
  Action best = kNoAction;
  Value best_value = std::numeric_limits<Value>::min();
  for (const Action action : actions) {
    if (kind_of(action) == kPay) continue;
    const Value value = heuristic(action) + static_cast<Value>(rng.below(kLuck));
    if (value > best_value) best = action, best_value = value;
  }
  return best;
}

std::int32_t State::heuristic(Action action) const {
  const Table& t = table;
  const Seat& seat = t.seats[t.mover];
  const unsigned a = argument(action, 0), b = argument(action, 1);
  switch (kind_of(action)) {
    case kPlay: return deed_value(t, kTiles[a].deed) - 8;  // may be worth more later
    case kPay: return freedom_value(t, seat, a) - kPoint * Value{kFreeDieFee};
    case kKeep: return religion_value(t, t.mover, seat.religion) + 1;
    case kChange: return religion_value(t, t.mover, 1 - seat.religion);
    case kUseCard: return deed_value(t, character(a).deed);
    case kUseSpace: return deed_value(t, kTrack[a].deed);
    case kRecruit: return recruit_value(t, a, b);
    case kDecline: return -kPoint;
    case kAccept:
      return t.phase == Phase::kStone ? stone_value(t, t.mover, character(t.face_up[t.country]).stone, t.country)
                                      : -kPoint * static_cast<Value>(std::min<unsigned>(seat.points, kEventLoss));
    case kProtect: return -kProtectionValue;
    case kUpgrade: return house_value(t, seat, t.country, seat.faces[t.die]);
    case kGain: return good_value(t, seat, a);
    case kSell: return sale_value(t, seat, a);
    case kSellGood: return -good_value(t, seat, a);
    case kPlace: return stone_value(t, t.mover, a, b);
    case kRemove: return -stone_value(t, t.mover, a, b);
    case kTurnUp: return turn_value(t, seat, a, true);
    case kTurnDown: return turn_value(t, seat, a, false);
    case kFree: return freedom_value(t, seat, a);
    case kRemoveFromPlay: return removal_value(t, a);
    case kMove: return move_value(t, a);
    case kImprison: return -lock_cost(t, a, kLochLevenDie) - value_on_die(t, seat, a);
    case kLose: return -good_value(t, seat, a);
    case kRedeem: return kPoint * seat.religion_die - kProtectionValue;
    default: return 0;  // pass, skip, the order of conflicts
  }
}

}  // namespace kingsbridge::column
