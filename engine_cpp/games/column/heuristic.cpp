// A few words of knowledge: the light rollout policy and the greedy bot's order of actions.
//
// Values are in tenths of a point, against doing nothing: skipping a use, passing, declining. The weights are least squares, rounded, on
// what actions brought: of 9,000 decisions of searching seats with 2 players, each action followed by some 300 light rollouts on common
// luck to the horizon; then the same again, with 2 and 4 players, by the light policy that came of it. What differs most from section 9 of
// the rules file: later uses of a character are worth little more than the years in which he keeps his die (a point each), and a good that
// cannot be sold soon is worth one point, not two.
#include <algorithm>
#include <array>
#include <limits>

#include "games/column/steps.hpp"

namespace kingsbridge::column {
namespace {

using Value = std::int32_t;

constexpr Value kPoint = State::kHeuristicPoint;
constexpr Value kProtectionValue = 12;
constexpr std::uint32_t kLuck = 6;  // of the light policy
constexpr Value kUnsoldGood = 5;    // at the end two of them are a point

// The two countries that buy a good, the better payer first.
constexpr auto kBuyers = [] {
  std::array<std::array<unsigned, 2>, kGoods> buyers{};
  for (const MarketRow& row : kMarket) buyers[row.good][row.price == 4 ? 0 : 1] = row.country;
  return buyers;
}();

// What the next good of a kind is worth to a seat that has so many of it and of all.
Value good_value(const Table& t, const Seat& seat, unsigned good, Value same, Value all) {
  if (is_last_year(t) && t.half == 2) return kUnsoldGood;
  const auto [better, other] = kBuyers[good];
  const Value sales = (seat.houses[better] != 0 ? 2 : 0) + (seat.houses[other] != 0 ? 1 : 0);
  const Value value = 9 + std::min<Value>(years_to_come(t), 4 * kYear) / 8 + sales;
  return value - (same >= 1 ? 3 : 0) - (all >= 3 ? 4 : 0);
}

// Of one more, and of the last one.
Value gain_value(const Table& t, const Seat& seat, unsigned good) {
  return good_value(t, seat, good, seat.goods[good], static_cast<Value>(goods_of(seat)));
}
Value loss_value(const Table& t, const Seat& seat, unsigned good) {
  return good_value(t, seat, good, seat.goods[good] - 1, static_cast<Value>(goods_of(seat)) - 1);
}

Value best_good(const Table& t, const Seat& seat) {
  Value best = 0;
  for (unsigned good = 0; good < kGoods; ++good) best = std::max(best, gain_value(t, seat, good));
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
  const Value sign = stone == kNeutral ? std::clamp<Value>(lead, -1, 1) * 16 : stone == religion ? 14 : -14;
  return sign * stake(t, seat, religion, country) * fill / 40;
}

Value best_stone(const Table& t, unsigned seat, Bits stones) {
  Value best = 0;
  for_each(stones, [&](unsigned stone) {
    for_each(places(t), [&](unsigned country) { best = std::max(best, stone_value(t, seat, stone, country)); });
    for_each(removals(t, stone), [&](unsigned country) { best = std::max(best, -stone_value(t, seat, stone, country)); });
  });
  return best;
}

// What a good brings that is sold.
Value price_value(const Table& t, const Seat& seat, unsigned good, Value price) { return 3 + kPoint * price - loss_value(t, seat, good); }

Value sale_value(const Table& t, const Seat& seat, Bits pairs) {
  Value value = 0;
  for_each(pairs, [&](unsigned pair) {
    const Value price = t.phase == Phase::kSellOne ? Value{kSellOnePoints} : Value{kMarket[pair].price};
    value += price_value(t, seat, kMarket[pair].good, price);
  });
  return value;
}

// What a use of a card is worth on another day.
Value daily_value(const Table& t, const Seat& seat, Deed deed) {
  switch (deed.effect) {
    case Effect::kGood: return gain_value(t, seat, deed.value);
    case Effect::kAnyGood: return best_good(t, seat);
    case Effect::kAdvantage: return 13;
    case Effect::kProtection: return kProtectionValue;
    case Effect::kPoints: return kPoint * deed.value;
    case Effect::kSellOne: return 14;
    case Effect::kNextSpace:
    case Effect::kReligion: return 13;
    case Effect::kFreeDie: return t.half == 1 ? 10 : 2;  // it can be rolled this year, or not
    case Effect::kPlaceNeutral: return 5;
    case Effect::kRemoveCard: return t.half == 1 ? 8 : 0;
    default: return 2;
  }
}

// What it is worth now. Of stones less than the best one seems to be: that one was picked for its value, and others move stones, too.
Value deed_value(const Table& t, Deed deed) {
  const Seat& seat = actor(t);
  const auto religion = [&](Bits stones) { return best_stone(t, t.turn, stones) * 6 / 7 - 4; };
  switch (deed.effect) {
    case Effect::kReligion: return religion(bit(kCatholic) | bit(kProtestant));
    case Effect::kReligionCatholic: return religion(bit(kCatholic));
    case Effect::kReligionProtestant: return religion(bit(kProtestant));
    case Effect::kPlaceNeutral: return best_stone(t, t.turn, bit(kNeutral)) * 4 / 7 - 4;
    case Effect::kShip: return sale_value(t, seat, sellable(t, pairs_of(deed)));
    case Effect::kGoodOrSell: return std::max(sale_value(t, seat, sellable(t, pairs_of(deed))), gain_value(t, seat, deed.value));
    case Effect::kSellOne: {
      Value best = 0;
      for (const MarketRow& row : kMarket)
        if (seat.houses[row.country] != 0 && seat.goods[row.good] != 0)
          best = std::max(best, price_value(t, seat, row.good, Value{kSellOnePoints}));
      return best;
    }
    default: return daily_value(t, seat, deed);
  }
}

// A die that is away for so many years.
Value lock_cost(const Table& t, unsigned die, Value years) { return (die == kPurple ? 12 : 10) * lasting(t, years) / kYear; }

// A character for so many uses on other days, less the die that stays away on him.
Value keeping_value(const Table& t, const Seat& seat, unsigned card, unsigned die, Value uses) {
  return daily_value(t, seat, character(card).deed) * lasting(t, uses) / kYear - lock_cost(t, die, uses);
}

Value house_value(const Table& t, const Seat& seat, unsigned country, Value site) {
  const Value own = seat.houses[country];
  if (own >= site) return 0;
  const auto& stones = t.stones[country];
  const Value lead = std::clamp<Value>(stones[seat.religion] - stones[1 - seat.religion], -2, 2);
  const Value conflict = (site - own) * (2 + 2 * lead);
  return own != 0 ? conflict : conflict + site + 11 - std::min<Value>(years_to_come(t), 3 * kYear) * 3 / kYear;
}

Value recruit_value(const Table& t, unsigned die, unsigned country) {
  const Seat& seat = actor(t);
  const Value face = seat.faces[die];
  const Value house = house_value(t, seat, country, face);
  if (t.face_up[country] == kNone) return house;
  const unsigned card = t.face_up[country];
  const Value stone = is_full(t, country) ? 0 : stone_value(t, t.turn, character(card).stone, country) * 3 / 5;
  return house - 10 + stone + daily_value(t, seat, character(card).deed) + keeping_value(t, seat, card, die, face - 1);
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
  return value * 3 / 5;
}

// The character that a die lies on, for the uses he has left; 0 if it lies on none.
Value kept_value(const Table& t, const Seat& seat, unsigned die) {
  const unsigned place = place_of(seat, die);
  return place < seat.row_size ? keeping_value(t, seat, seat.row_cards[place], die, seat.faces[die] - 1) : 0;
}

Value freedom_value(const Table& t, const Seat& seat, unsigned die) {
  if (die == kBlack) return 3;
  if (contains(seat.prison, die)) return lock_cost(t, die, seat.faces[die]);
  return 3 - kept_value(t, seat, die);
}

Value turn_value(const Table& t, const Seat& seat, unsigned die, bool up) {
  if (die == kBlack) return up ? 0 : 4;
  if (contains(seat.prison, die)) return up ? -10 : 10;
  const unsigned place = place_of(seat, die);  // it lies on a card: free dice are not turned
  const Value gain = keeping_value(t, seat, seat.row_cards[place], die, 1);
  return up ? gain : -gain;
}

Value removal_value(const Table& t, unsigned card) {
  const Seat& seat = actor(t);
  for (unsigned place = 0; place < seat.row_size; ++place)
    if (seat.row_cards[place] == card) return freedom_value(t, seat, seat.row_dice[place]);
  return 3 + daily_value(t, seat, character(card).deed) / 4;  // keeps a good card from the others
}

}  // namespace

// The best action by value and a little luck, which is worth up to half a point. Dice are never bought.
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
    case kPlay: return deed_value(t, kTiles[a].deed) - (is_last_year(t) ? 0 : daily_value(t, seat, kTiles[a].deed));
    case kPay: return freedom_value(t, seat, a) - kPoint * Value{kFreeDieFee};
    case kKeep: return religion_value(t, t.mover, seat.religion);
    case kChange: return religion_value(t, t.mover, 1 - seat.religion) + 4;
    case kUseCard: return deed_value(t, character(a).deed);
    case kUseSpace: return deed_value(t, kTrack[a].deed);
    case kRecruit: return recruit_value(t, a, b);
    case kDecline: return 0;
    case kAccept:
      return t.phase == Phase::kStone ? stone_value(t, t.mover, character(t.face_up[t.country]).stone, t.country) * 7 / 5 + 5
                                      : -kPoint * static_cast<Value>(std::min<unsigned>(seat.points, kEventLoss));
    case kProtect: return -kProtectionValue;
    case kUpgrade: return house_value(t, seat, t.country, seat.faces[t.die]);
    case kGain: return gain_value(t, seat, a);
    case kSell: return sale_value(t, seat, a);
    case kSellGood: return -loss_value(t, seat, a);
    case kPlace: return stone_value(t, t.mover, a, b);
    case kRemove: return -stone_value(t, t.mover, a, b);
    case kTurnUp: return turn_value(t, seat, a, true);
    case kTurnDown: return turn_value(t, seat, a, false);
    case kFree: return freedom_value(t, seat, a);
    case kRemoveFromPlay: return removal_value(t, a);
    case kMove: return move_value(t, a);
    case kImprison: return -lock_cost(t, a, kLochLevenDie) - kept_value(t, seat, a);
    case kLose: return -loss_value(t, seat, a);
    case kRedeem: return kPoint * seat.religion_die - kProtectionValue - 3;
    default: return 0;  // pass, skip, the order of conflicts
  }
}

}  // namespace kingsbridge::column
