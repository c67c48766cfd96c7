// What each seat may expect to have in the end: its standing, and what it has prospects of.
//
// The weights are those of a ridge regression, rounded: of the final scores of 100 light rollouts from each of 15,000 positions, from games
// of greedy, light and searching seats, on what such a position shows. On games left out they explain 83 % of the variance between seats;
// the standing alone, 71 %. Only differences between seats count, so what all have alike has no weight. One set serves both halves and the
// last year, since uses and years are counted only as far as the game still goes.
//
// Then what uses, tiles, purple dice and sites are worth was corrected, in part and rounded, by a second regression: of what was missing in
// 750 games between searching seats (2 players), from 27,000 of their positions. Of the variance there it explains 51 % on games left out,
// the weights before 44 %. That the starting player came out 1.4 points behind is left out: it changes no decision.
#include <algorithm>

#include "games/column/steps.hpp"

namespace kingsbridge::column {
namespace {

using Value = std::int32_t;  // hundredths of a point

constexpr Value kPoint = 100;

// What a use is worth beside the good that is sold. With "turn a die" a die is turned up too often, and then stays away.
constexpr auto kUse = [] {
  std::array<Value, 17> worth{};
  const auto set = [&](Effect effect, Value value) { worth[static_cast<std::size_t>(effect)] = value; };
  set(Effect::kAdvantage, 120);
  set(Effect::kPoints, 110);
  set(Effect::kReligion, 110);
  set(Effect::kNextSpace, 90);
  set(Effect::kAnyGood, 70);
  set(Effect::kRemoveCard, 60);
  set(Effect::kProtection, 45);
  set(Effect::kPlaceNeutral, 40);
  set(Effect::kGood, 35);
  set(Effect::kFreeDie, 30);
  set(Effect::kSellOne, 25);
  set(Effect::kTurnDie, -50);
  return worth;
}();
constexpr Value kSaleByUse = 105;  // more for each of these uses that sells, as long as there are goods

// A year in which a die can neither recruit nor move.
constexpr Value kLocked = -50, kLockedPurple = -110;
// The second half to come finds but one free die, or none.
constexpr Value kOneDie = -140, kNoDie = -255;

// Of the present year: the second half is worth more than the first.
constexpr Value kCardsToCome = 50, kTrackToCome = 255;

constexpr Value kGood = 70, kGoodBeyondThree = -40, kGoodBeyondSales = -40;
constexpr unsigned kManyGoods = 3, kGoodsPerSale = 2;
constexpr Value kOpenSale = 10;  // for each point that a market pays for a good in hand

// For each year to come. A house counts in the standing; who has none yet will build it, so its lead melts away.
constexpr Value kHouse = -45, kSite = 10, kProtectionYear = 7;
constexpr Value kProtection = 65, kFurtherProtection = -10;
// For each number of a site in a country where the own religion leads: by spaces left, and by stones of lead but for the full one.
constexpr Value kWonSite = 105, kLeadOneLeft = 23, kLeadTwoLeft = 13;
constexpr Value kMostLead = 2;

// An action tile, by kind.
constexpr auto kTile = [] {
  std::array<Value, kTileKinds> worth{};
  worth[kReligionTile] = 265;
  worth[kNeutralTile] = worth[kNextTile] = worth[kSellTile] = 215;
  worth[kFreeTile] = 190;
  worth[kGoodTile] = worth[kTurnTile] = 130;
  worth[kRemoveTile] = 75;
  return worth;
}();
constexpr Value kLoneReligion = -60;  // what it brings can only be lost
constexpr Value kPointMade = -5;      // the leader is held back: events, fewer years

// What a seat still has of the game. Years and uses are counted in parts, kYear to each.
struct Rest {
  Value years;       // to come after the present one, in parts
  bool is_acting;    // it is the seat's half-turn
  bool counts_down;  // its dice on cards will come down this year, but for those that have
  bool rolls;        // its dice will be rolled this year
  bool moves;        // its marker will move this year
};

Rest rest_of(const Table& t, unsigned i, Value years) {
  const auto place = [&](unsigned seat) { return place_in_round(seat, t.start_player, t.options.players); };
  const bool acts = i == t.turn, waits = place(i) > place(t.turn), first = t.half == 1;
  return {.years = years,
          .is_acting = acts,
          .counts_down = first && (waits || (acts && t.point <= Point::kCards)),
          .rolls = first || waits || (acts && (t.point == Point::kStart || t.point == Point::kRecruit)),
          .moves = first || waits || (acts && t.point <= Point::kTrack)};
}

Value locked(const Rest& rest, unsigned die, Value face, bool counts_down) {
  const Value halves = std::min((face - counts_down) * kYear, rest.years + rest.rolls * kYear);
  return halves * (die == kPurple ? kLockedPurple : kLocked) / kYear;
}

// Uses left of a card of the row, and the years its die is away.
Value card_outlook(const Table& t, const Seat& seat, const Rest& rest, unsigned place, Value& sales) {
  const unsigned die = seat.row_dice[place];
  const Value face = seat.faces[die];
  const bool counts_down = rest.counts_down && (!rest.is_acting || t.point == Point::kStart || place >= t.cursor);
  const bool is_open =
      rest.is_acting && ((t.point == Point::kCard && place == t.cursor) || (t.point == Point::kNewCard && place + 1u == seat.row_size));
  const Value uses = std::min((face - 1) * kYear, rest.years + counts_down * kYear) + is_open * kYear;
  const Effect effect = character(seat.row_cards[place]).deed.effect;
  if (effect == Effect::kSellOne) sales += uses;
  return uses * kUse[static_cast<std::size_t>(effect)] / kYear + locked(rest, die, face, counts_down);
}

Value dice_outlook(const Table& t, const Seat& seat, const Rest& rest, Value& sales) {
  Value value = 0;
  for (unsigned place = 0; place < seat.row_size; ++place) value += card_outlook(t, seat, rest, place, sales);
  const bool counts_down = t.half == 1 && rest.counts_down && !(rest.is_acting && t.point != Point::kStart);
  for_each(seat.prison, [&](unsigned die) { value += locked(rest, die, seat.faces[die], counts_down); });
  if (t.half == 2 && rest.moves) {
    const Bits free = free_dice(seat);
    if (free == 0) value += kNoDie;
    if (free != 0 && (free & (free - 1)) == 0) value += kOneDie;
  }
  return value;
}

Value goods_outlook(const Seat& seat, const Rest& rest, Value sales) {
  const Value goods = static_cast<Value>(goods_of(seat));
  Value value = 0;
  if (goods == 0) return 0;
  for (const MarketRow& row : kMarket)
    if (seat.houses[row.country] != 0 && seat.goods[row.good] != 0) value += kOpenSale * row.price;
  value += std::min(sales, goods * kYear) * kSaleByUse / kYear;
  value += kGood * goods + kGoodBeyondThree * std::max<Value>(goods - kManyGoods, 0);
  const Value most = Value{kGoodsPerSale} * (rest.years + rest.moves * kYear);
  return value + std::max(goods * kYear - most, 0) * kGoodBeyondSales / kYear;
}

// A house in a country: the years it stands there, and the next conflict.
Value house_outlook(const Table& t, const Seat& seat, const Rest& rest, unsigned country) {
  const Value site = seat.houses[country];
  if (site == 0) return 0;
  const auto& stones = t.stones[country];
  const Value lead = Value{stones[seat.religion]} - Value{stones[1 - seat.religion]};
  const Value left = static_cast<Value>(capacity(t)) - stones[0] - stones[1] - stones[2];
  const Value value = rest.years * (kHouse + kSite * site) / kYear;
  if (left <= 0) return value + (lead > 0 ? kWonSite * site : 0);
  const Value weight = left == 1 ? kLeadOneLeft : left == 2 ? kLeadTwoLeft : 0;
  return value + weight * site * std::clamp(lead, -kMostLead, kMostLead);
}

Value tiles_outlook(const Seat& seat, const Rest& rest) {
  Value value = 0;
  for (unsigned tile = kPointTiles; tile < kTileKinds; ++tile) value += kTile[tile] * seat.tiles[tile];
  if (seat.protection == 0) return value;
  return value + kProtection + kFurtherProtection * (seat.protection - 1) + kProtectionYear * seat.protection * rest.years / kYear;
}

Value prospects(const Table& t, unsigned i, const Rest& rest) {
  const Seat& seat = t.seats[i];
  Value sales = 0;
  Value value = dice_outlook(t, seat, rest, sales) + tiles_outlook(seat, rest) + kPointMade * seat.points;
  value += goods_outlook(seat, rest, sales);
  for (unsigned country = 0; country < kCountries; ++country) value += house_outlook(t, seat, rest, country);
  if (rest.counts_down) value += kCardsToCome;
  if (rest.moves) value += kTrackToCome;
  return is_lone(t, i, seat.religion) ? value + kLoneReligion : value;
}

}  // namespace

Outlook State::outlook() const {
  const Table& t = table;
  const Returns standing = returns();
  const Value years = years_to_come(t);
  Outlook outlook{};
  for (unsigned i = 0; i < t.options.players; ++i)
    outlook[i] = (kPoint * standing.score[i] + prospects(t, i, rest_of(t, i, years))) * kOutlookPoint / kPoint;
  return outlook;
}

// Of the share, with 2 players 2.5 points in the last year and 0.9 for each one to come, and a fifth of that more for each player more.
// Fitted to games between searching seats (ai/ladder/README.md).
OutlookLead State::outlook_lead() const {
  constexpr std::int32_t kLast = 40, kForYear = 14, kMostYears = 6 * kYear;  // sixteenths of a point
  const std::int32_t two = kLast + kForYear * std::min(years_to_come(table), kMostYears) / kYear;
  return {.share = two * (3 + table.options.players) / 5};
}

}  // namespace kingsbridge::column
