// Views from outside: refused unless a game can come to them. The bounds are kept by every action, so no accepted view leads to one that
// would be refused.
#include <cstring>
#include <string>
#include <utility>

#include "games/pillars/steps.hpp"
#include "games/pillars/view_fields.hpp"

namespace kingsbridge::pillars {
namespace {

Violation broken(std::string field, std::string rule) { return {std::move(field), std::move(rule)}; }
std::string seat_field(unsigned seat, std::string_view field) { return "seats[" + std::to_string(seat) + "]." + std::string(field); }

constexpr unsigned kRoundPoints = 70;  // more than a seat can win in a round: 8 in town and priory, and 45 by the best six craftsmen
constexpr unsigned kEarlyPoints = 8;   // of those, before the building

bool between(Phase phase, Phase first, Phase last) { return phase >= first && phase <= last; }
bool draws_cards(Phase phase) { return phase <= Phase::kAbsent; }
// Phases of a round in which something still lies where the name says.
bool before_builders(Phase phase) { return phase < Phase::kDraw; }
bool before_town(Phase phase) { return phase <= Phase::kRoof; }  // the town, the priory, production follow the event at once
bool before_shiring(Phase phase) { return phase <= Phase::kRoll; }
bool event_is_up(Phase phase) { return phase > Phase::kReveal && phase != Phase::kOver; }
bool die_is_cast(const Table& t) {
  return (t.phase == Phase::kTaxCard && !t.options.tax_card_first()) || between(t.phase, Phase::kDiscardShiring, Phase::kDrop);
}

Violation check_ranges(const View& view) {
  const Table& t = view.table();
  const Options& o = t.options;
  if (o.players < 2 || o.players > kMaxSeats) return broken("players", "2 to 4 play");
  if (o.bishop_spaces < 1 || o.bishop_spaces > 2) return broken("bishop_spaces", "1 or 2");
  if (o.castle_spaces < 1 || o.castle_spaces > 2) return broken("castle_spaces", "1 or 2");
  if (o.market_spaces < 1 || o.market_spaces > 4) return broken("market_spaces", "1 to 4");
  if (o.lowest_space > 1 || o.market_twice > 1 || o.sequential_building > 1 || o.rulings > 15)
    return broken("lowest_space", "true or false");
  if (view.viewer() < kSpectator || view.viewer() >= o.players) return broken("viewer", "a seat, or -1 for a spectator");
  if (t.phase > Phase::kOver) return broken("phase", "a phase of the game");
  if (t.start_player >= o.players) return broken("start_player", "a seat");
  if (t.mover >= o.players) return broken("mover", "a seat");
  if (t.town >> kAdvantages != 0 || t.unseen_advantages >> kStoneAndWood != 0) return broken("town", "advantage cards of the game");
  if (t.unseen_events >> kEvents != 0 || t.quarries >> kQuarries != 0) return broken("unseen_events", "cards of the game");
  if ((t.craftsmen_row | t.shiring) >> kCraftsmen != 0) return broken("shiring", "craftsmen of the game");
  if (t.event != kNone && t.event >= kEvents) return broken("event", "an event of the game");
  if (t.event_known > 1 || t.free > 1 || t.refused > 1) return broken("event_known", "true or false");
  for (const auto seat :
       {t.looked, t.drawn, t.exempt, t.town_builders[0], t.town_builders[1], t.shiring_builders[0], t.shiring_builders[1]})
    if (seat > o.players) return broken("looked", "a seat, or -1");
  for (const auto seat : t.spaces)
    if (seat > o.players) return broken("builders", "a seat");
  for (const auto seat : t.dial)
    if (seat > o.players) return broken("dial", "a seat");
  if (t.market_space != kNone && (t.market_space < kMarket1 || t.market_space > kMarket4))
    return broken("market_space", "a space of the market");
  if ((t.asked != kNone && t.asked >= kCraftsmen) || (t.boosted != kNone && t.boosted >= kCraftsmen)) return broken("asked", "a craftsman");
  if (t.dropping != kNone && t.dropping >= kGoods) return broken("dropping", "a good");
  return t.zero == std::array<std::uint8_t, 9>{} ? Violation{} : broken("view", "nothing else");
}

Violation check_seats(const View& view) {
  const Table& t = view.table();
  for (unsigned i = 0; i < kMaxSeats; ++i) {
    const Seat& seat = t.seats[i];
    if (i >= t.options.players) {
      const Seat nobody{};
      if (std::memcmp(&seat, &nobody, sizeof seat) != 0 || t.bag[i] != 0) return broken("seats", "only those that play");
      continue;
    }
    if (seat.gold > kGoldLimit) return broken(seat_field(i, "gold"), "at most 30");
    if (seat.craftsmen >> kCraftsmen != 0) return broken(seat_field(i, "craftsmen"), "craftsmen of the game");
    if (seat.quarries >> kQuarries != 0) return broken(seat_field(i, "quarries"), "resource cards of the game");
    const bool discards = (t.phase == Phase::kDiscardHire || t.phase == Phase::kDiscardShiring) && t.mover == i;
    if (discards ? count(seat.craftsmen) != craftsman_limit(seat) + 1 : over_limit(seat))
      return broken(seat_field(i, "craftsmen"), "at most five, six with A7; one more only until one is discarded");
    constexpr Bits immediate = bit(kThreePoints) | bit(kEightGold) | bit(kTwoMetal) | bit(kStoneAndWood) | bit(kOneMetal);
    if ((seat.advantages & immediate) != 0) return broken(seat_field(i, "advantages"), "cards that act at once are not kept");
    if (seat.passed > 1 || seat.guarded > 1 || seat.two_builders > 1 || seat.zero != 0)
      return broken(seat_field(i, "passed"), "true or false");
    if (seat.passed != 0 && !between(t.phase, Phase::kCards, Phase::kDiscardHire))
      return broken(seat_field(i, "passed"), "only in phase 1");
    if (seat.guarded != 0 && !(event_is_up(t.phase) && t.event != kNone && is_negative(t.event)))
      return broken(seat_field(i, "protected"), "only against a bad event that is turned up");
    const bool struck_now = between(t.phase, Phase::kTaxCard, Phase::kDrop) && struck(t, seat, kTwoBuilders) && t.round < kRounds;
    const bool struck_before = t.round > 1 && before_builders(t.phase) && !contains(t.unseen_events, kTwoBuilders);
    if (seat.two_builders != 0 && !struck_now && !struck_before)
      return broken(seat_field(i, "two_builders"), "from event E10 to the next bag");
    if (seat.bought != 0 && t.phase != Phase::kMarket) return broken(seat_field(i, "bought"), "only at the market");
    if (seat.sold != 0 && t.phase != Phase::kMarket) return broken(seat_field(i, "sold"), "only at the market");
    if (seat.bought > 7 || seat.sold > 15 || (seat.bought & seat.sold) != 0) return broken(seat_field(i, "sold"), "each good one way only");
  }
  return {};
}

unsigned order(const Table& t, unsigned seat) { return place_in_round(seat, t.start_player, t.options.players); }
// Whether the seat has done all its building of the round.
bool has_built(const Table& t, unsigned seat) {
  return between(t.phase, Phase::kBoost, Phase::kDrop) && order(t, seat) < order(t, t.mover);
}

// What a seat can have won by now. Bounds hold on through the play of the round, so that no accepted view leads to a refused one.
unsigned most_points(const Table& t, unsigned i) {
  const unsigned before = 2 + kRoundPoints * (t.round == 0 ? 0u : t.round - 1u);
  if (t.phase == Phase::kOver) return before + kRoundPoints;
  if (before_town(t.phase)) return before;
  const bool building = between(t.phase, Phase::kBoost, Phase::kDrop);
  if (!building || order(t, i) > order(t, t.mover)) return before + kEarlyPoints;
  if (has_built(t, i) || t.phase == Phase::kDrop) return before + kRoundPoints;
  unsigned built = 0;
  for (unsigned craftsman = 0; craftsman < kCraftsmen; ++craftsman) {
    const CraftsmanCard& card = kCraftsmanCards[craftsman];
    const unsigned capacity = card.capacity + (t.boosted == craftsman ? 1u : 0u);
    const bool asked = t.phase == Phase::kWork && t.asked != kNone && craftsman < t.asked && employs(t.seats[i], craftsman);
    built += card.points * (asked ? capacity : t.used[craftsman]);
  }
  return before + kEarlyPoints + built;
}

// Five goods are kept from round to round; then come the bishop and the market, out of the stock, and production.
unsigned most_goods(const Table& t, unsigned good) {
  const bool produced = !before_town(t.phase);
  if (good == kMetal) {
    const unsigned before = t.options.metal_is_free() ? 4 * (t.round == 0 ? 0u : t.round - 1u) : kCarryLimit;
    return before + (produced ? 4 : 0);  // E3, the town, the court
  }
  const unsigned from_stock = t.phase == Phase::kOver || t.round == 0 ? 4 : 4u - t.stock[good];
  return kCarryLimit + from_stock + (produced ? 14 : 0);  // 9 by cards, 3 by E2, one by A1 to A3, one by A15
}

Violation check_wealth(const View& view) {
  const Table& t = view.table();
  for (unsigned i = 0; i < t.options.players; ++i) {
    const Seat& seat = t.seats[i];
    if (seat.points > most_points(t, i)) return broken(seat_field(i, "points"), "more than the seat can have won");
    unsigned kept = 0, from_stock = 0;
    for (unsigned good = 0; good < kGoods; ++good) {
      if (seat.goods[good] > most_goods(t, good)) return broken(seat_field(i, "goods"), "more than the seat can have got");
      if (good != kMetal || !t.options.metal_is_free()) kept += seat.goods[good];
      if (good != kMetal) from_stock += 4u - t.stock[good];
    }
    if (has_built(t, i) && t.round < kRounds && kept > kCarryLimit) return broken(seat_field(i, "goods"), "at most five after building");
    if (before_town(t.phase) && t.round > 0 && kept > kCarryLimit + from_stock + (t.phase == Phase::kRoof ? 1u : 0u))
      return broken(seat_field(i, "goods"), "five goods are kept from round to round");
    if (t.round <= 1 && before_town(t.phase) && kept > from_stock) return broken(seat_field(i, "goods"), "none at the start");
  }
  return {};
}

// Workers are free, at a pit, or in the mill; grey ones come for a round.
Violation check_workers(const View& view) {
  const Table& t = view.table();
  unsigned grey = 0;
  for (unsigned i = 0; i < t.options.players; ++i) {
    const Seat& seat = t.seats[i];
    grey += seat.grey;
    if (seat.grey > 4 || seat.grey % 2 != 0) return broken(seat_field(i, "grey"), "two for each builder at the castle");
    if (seat.grey != 0 && t.round == kRounds) return broken(seat_field(i, "grey"), "none after the last castle");
    if (seat.grey != 0 && !between(t.phase, Phase::kMarket, Phase::kDrop))
      return broken(seat_field(i, "grey"), "only from the castle to the round's end");
    unsigned busy = seat.workers + seat.mill;
    for_each(seat.quarries, [&](unsigned quarry) { busy += kQuarryCards[quarry].workers; });
    const bool given_out = t.round > 0 && before_town(t.phase);
    if (!given_out) {
      if (busy != 0) return broken(seat_field(i, "workers"), "none between production and the next round");
      continue;
    }
    const unsigned own = kWorkers + (owns(seat, kBlackWorker) ? 1u : 0u);
    if (busy < own || busy > own + 2u * t.options.castle_spaces || (busy - own) % 2 != 0 || (t.round == 1 && busy != own))
      return broken(seat_field(i, "workers"), "12, one with A10, two for each builder at the castle a round ago");
    const bool drafting = t.phase <= Phase::kDiscardHire;
    if (seat.mill != 0 && drafting && seat.passed == 0) return broken(seat_field(i, "mill"), "workers go to the mill when the seat passes");
    if (seat.workers != 0 && (!drafting || seat.passed != 0))
      return broken(seat_field(i, "workers"), "those without work went to the mill");
  }
  return grey > 2u * t.options.castle_spaces ? broken("seats[0].grey", "two for each builder at the castle") : Violation{};
}

// Advantage cards: two shown a round, each in one place.
Violation check_advantages(const View& view) {
  const Table& t = view.table();
  Bits seen = t.unseen_advantages;
  if ((seen & t.town) != 0) return broken("town", "a card on display has been seen");
  seen |= t.town;
  for (unsigned i = 0; i < t.options.players; ++i) {
    if ((seen & t.seats[i].advantages) != 0) return broken(seat_field(i, "advantages"), "each card is in one place");
    seen |= t.seats[i].advantages;
  }
  const bool last = t.round == kRounds;
  const unsigned before = t.round == 0 ? 0 : 2u * (t.round - 1u);
  const unsigned town = count(t.town);
  const unsigned shown = 14 - count(t.unseen_advantages);
  const unsigned due = last ? 10 : before + (t.phase == Phase::kTown ? town : t.round == 0 ? 0u : 2u);
  if (shown != due) return broken("unseen_advantages", "two are shown a round, from 14");
  const Bits final_pair = bit(kStoneAndWood) | bit(kOneMetal);
  const bool on_display = t.round > 0 && before_town(t.phase);
  if (t.phase == Phase::kTown ? last || town > 1 : town != (on_display ? 2u : 0u))
    return broken("town", "two cards, until the town is dealt with");
  if (town != 0 && ((t.town & final_pair) != 0) != last) return broken("town", "A15 and A16 in round 6");
  if (last && on_display && t.town != final_pair) return broken("town", "A15 and A16 in round 6");
  return {};
}

Violation check_events(const View& view) {
  const Table& t = view.table();
  const bool up = event_is_up(t.phase);
  if ((t.event_known != 0) != up) return broken("event_known", "from the reveal to the round's end");
  const unsigned revealed = t.round == 0 ? 0 : t.phase == Phase::kOver || up ? t.round : t.round - 1u;
  if (10 - count(t.unseen_events) != revealed) return broken("unseen_events", "one is turned up a round, from ten");
  if (up && (t.event == kNone || contains(t.unseen_events, t.event))) return broken("event", "the one that is turned up");
  if (!up && t.event != kNone && !contains(t.unseen_events, t.event)) return broken("event", "one that is not turned up yet");
  const bool may_look = between(t.phase, Phase::kCards, Phase::kReveal);
  const int owner = owner_of(t, kSeeEvent);
  if (t.looked != (may_look && owner >= 0 ? owner + 1 : 0))
    return broken("looked", "the owner of A4, from the round's start to the reveal");
  if (t.phase == Phase::kLook && owner < 0) return broken("phase", "only the owner of A4 looks");
  if (!up) {
    const bool knows = t.looked != 0 && view.viewer() == static_cast<Player>(t.looked) - 1;
    if (knows != (t.event != kNone)) return broken("event", "known before the reveal only to the seat that looked");
  }
  return {};
}

// Craftsmen of a round come with it; each neutral one is in one place.
Violation check_craftsmen(const View& view) {
  const Table& t = view.table();
  constexpr Bits starters = 7;
  const Bits known = t.round == 0 ? starters : (Bits{1} << first_craftsman(t.round + 1u)) - 1;
  const Bits of_round = t.round == 0 ? 0 : Bits{15} << first_craftsman(t.round);
  Bits seen = t.craftsmen_row;
  if ((t.craftsmen_row | t.shiring) & ~of_round) return broken("craftsmen", "those of the round");
  if ((seen & t.shiring) != 0) return broken("shiring", "each card is in one place");
  seen |= t.shiring;
  for (unsigned i = 0; i < t.options.players; ++i) {
    const Bits own = t.seats[i].craftsmen & ~starters;
    if ((own & ~known) != 0) return broken(seat_field(i, "craftsmen"), "those of the rounds so far");
    if ((own & seen) != 0) return broken(seat_field(i, "craftsmen"), "each card is in one place");
    if (t.phase <= Phase::kAbsent && (own & of_round) != 0) return broken(seat_field(i, "craftsmen"), "those of the rounds so far");
    seen |= own;
  }
  const bool split = t.phase > Phase::kSplit && t.phase != Phase::kOver;
  if (count(t.craftsmen_row) > (split && before_builders(t.phase) ? 2u : 0u)) return broken("craftsmen", "two, in phase 1");
  if (before_builders(t.phase) && split && t.phase < Phase::kCards && count(t.craftsmen_row) != 2)
    return broken("craftsmen", "two at the round's start");
  if (split && before_shiring(t.phase) ? count(t.shiring) != 2 : count(t.shiring) > (t.phase == Phase::kDiscardShiring ? 1u : 0u))
    return broken("shiring", "two, until they are dealt with");
  return {};
}

Violation check_quarries(const View& view) {
  const Table& t = view.table();
  Bits seen = t.quarries;
  for (unsigned i = 0; i < t.options.players; ++i) {
    if (t.seats[i].quarries >> kQuarries != 0 || (seen & t.seats[i].quarries) != 0)
      return broken(seat_field(i, "quarries"), "each card is in one place");
    seen |= t.seats[i].quarries;
  }
  const bool drafting = between(t.phase, Phase::kCards, Phase::kDiscardHire);
  if (t.quarries != 0 && !(drafting || t.phase == Phase::kLook)) return broken("quarries", "only in phase 1");
  if (drafting || t.phase == Phase::kLook ? count(seen) != 7 : count(seen) > 7) return broken("quarries", "seven of the nine a round");
  if (t.phase == Phase::kLook && count(t.quarries) != 7) return broken("quarries", "seven at the round's start");
  if (draws_cards(t.phase) && seen != 0) return broken("quarries", "none before they are laid out");
  return {};
}

bool between_spaces(unsigned space) { return space >= kMarket1 && space <= kMarket4; }

// Whether the space below must have been taken first: as long as builders of the location go away together.
bool follows_lower(const Table& t, unsigned space) {
  switch (space) {
    case kBishop2: return t.phase < Phase::kBishop;
    case kPriory2:
    case kCourt2:
    case kCourt3:
    case kCourt4:
    case kCastle2: return true;
    case kMarket2:
    case kMarket3:
    case kMarket4: return t.options.lowest_space != 0 && t.phase < Phase::kMarket;
    default: return false;
  }
}

// Builders of all seats together, when none is left in the bag.
unsigned dealt_total(const Table& t, const std::array<unsigned, kMaxSeats>& placed, const std::array<unsigned, kMaxSeats>& dialled) {
  unsigned sum = 0;
  for (unsigned i = 0; i < t.options.players; ++i) sum += placed[i] + dialled[i];
  return sum;
}

// Each seat has three builders, or two: in the bag, drawn, on the dial, on the board.
Violation check_builders(const View& view) {
  const Table& t = view.table();
  std::array<unsigned, kMaxSeats> placed{}, dialled{};
  unsigned dealt = 0, in_bag = 0;
  const auto add = [&](std::array<unsigned, kMaxSeats>& to, unsigned holder) {
    if (holder == 0) return;
    ++to[holder - 1];
    ++dealt;
  };
  for (unsigned space = 0; space < kSpaces; ++space) {
    const bool exists = !(space == kBishop2 && t.options.bishop_spaces < 2) && !(space == kCastle2 && t.options.castle_spaces < 2) &&
                        !(between_spaces(space) && space - kMarket1 >= t.options.market_spaces);
    if (!exists && t.spaces[space] != 0) return broken("builders", "on spaces that the options open");
    if (t.spaces[space] != 0 && follows_lower(t, space) && t.spaces[space - 1] == 0)
      return broken("builders", "the lowest free space is taken first");
    add(placed, t.spaces[space]);
  }
  for (unsigned i = 0; i < 2; ++i) {
    if (t.town_builders[i] != 0 && i >= count(t.town)) return broken("town_builders", "on cards that lie there");
    if (t.shiring_builders[i] != 0 && i >= count(t.shiring)) return broken("shiring_builders", "on cards that lie there");
  }
  for (const auto& pair : {t.town_builders, t.shiring_builders})
    for (const auto holder : pair) add(placed, holder);
  for (const auto holder : t.dial) add(dialled, holder);
  for (const auto number : t.bag) in_bag += number;

  const bool dealing = between(t.phase, Phase::kDraw, Phase::kDial);
  if (before_builders(t.phase) || t.phase == Phase::kOver) {
    if (dealt != 0) return broken("builders", "none before phase 2");
  }
  if (!dealing &&
      (in_bag != 0 || t.drawn != 0 || t.dealt != 0 || t.refused != 0 || t.free != 0 || t.dial != std::array<std::uint8_t, kTopCost>{}))
    return broken("bag", "empty outside phase 2");
  if (!dealing && t.phase != Phase::kReveal) return {};
  for (unsigned i = 0; i < t.options.players; ++i) {
    const unsigned own = t.bag[i] + (t.drawn == i + 1 ? 1u : 0u) + dialled[i] + placed[i];
    if (own != kBuilders && (own != kBuilders - 1 || contains(t.unseen_events, kTwoBuilders)))
      return broken("bag", "three builders a seat, two after event E10");
  }
  if (t.phase == Phase::kReveal) return {};
  const bool out = t.phase == Phase::kRefuse || t.phase == Phase::kBuilder;
  if ((t.drawn != 0) != out) return broken("drawn", "a builder that is being dealt with");
  if (t.phase == Phase::kDraw && in_bag == 0) return broken("bag", "a builder to draw");
  if (t.phase == Phase::kDial ? in_bag != 0 || t.dealt < dealt : t.dealt != dealt) return broken("dealt", "the builders placed or passed");
  if (t.phase == Phase::kDial && t.dealt != dealt_total(t, placed, dialled)) return broken("dealt", "the builders placed or passed");
  for (unsigned cost = 1; cost <= kTopCost; ++cost)
    if (t.dial[cost - 1] != 0 && cost + t.dealt <= kTopCost) return broken("dial", "costs that have been asked");
  if (t.free != 0 && (t.phase != Phase::kBuilder || builder_cost(t) == 0 || owner_of(t, kFreeBuilder) >= 0 ||
                      contains(t.unseen_advantages | t.town, kFreeBuilder)))
    return broken("free", "after A8 was used for this builder");
  if (t.phase == Phase::kRefuse && t.refused != 0) return broken("refused", "one refusal a round");
  return {};
}

// Who decides, and that there is something to decide.
Violation check_turn(const View& view) {
  const Table& t = view.table();
  const Player player = State{t}.current_player();
  if (player < 0 && t.mover != 0) return broken("mover", "0 when nobody decides");
  switch (t.phase) {
    case Phase::kStart:
      if (t.start_player != 0) return broken("start_player", "0 before it is drawn");
      break;
    case Phase::kCards:
      if (t.seats[t.mover].passed != 0) return broken("mover", "a seat that has not passed");
      if (t.craftsmen_row == 0 && t.quarries == 0) return broken("phase", "no card is left");
      break;
    case Phase::kRefuse:
      if (t.mover != t.start_player) return broken("mover", "the start player may refuse");
      for (unsigned i = 0, others = 0; i < t.options.players; ++i) {
        others += t.bag[i] != 0 && i + 1 != t.drawn ? 1u : 0u;
        if (i + 1u == t.options.players && others == 0) return broken("phase", "a bag of one colour asks no refusal");
      }
      break;
    case Phase::kBuilder:
      if (t.mover + 1u != t.drawn) return broken("mover", "the owner of the drawn builder");
      break;
    case Phase::kDial: {
      unsigned cost = kTopCost;
      while (cost > 0 && t.dial[cost - 1] == 0) --cost;
      if (cost == 0 || t.dial[cost - 1] != t.mover + 1) return broken("mover", "the owner of the highest builder on the dial");
      break;
    }
    case Phase::kBishop: {
      const unsigned space = t.spaces[kBishop1] != 0 ? kBishop1 : kBishop2;
      if (t.spaces[space] != t.mover + 1) return broken("mover", "the seat at the bishop's");
      break;
    }
    case Phase::kProtection:
      if (!owns(t.seats[t.mover], kEventShield) || t.seats[t.mover].guarded != 0 || !is_negative(t.event))
        return broken("mover", "the owner of A11, in need of it");
      break;
    case Phase::kRoof:
      if (t.event != kLoseCraftsman || t.seats[t.mover].guarded != 0 || t.seats[t.mover].craftsmen == 0)
        return broken("mover", "a seat that event E7 strikes");
      break;
    case Phase::kTaxCard:
      if (!owns(t.seats[t.mover], kTaxRelief)) return broken("mover", "the owner of A12");
      for (unsigned space = kCourt1; space <= kCourt4; ++space)
        if (t.spaces[space] == t.mover + 1) return broken("mover", "who is at court pays no tax");
      break;
    case Phase::kMarket:
      if (t.market_space == kNone || t.spaces[t.market_space] != t.mover + 1)
        return broken("market_space", "where the mover's builder stands");
      break;
    default: break;
  }
  return {};
}

// Builders that have been dealt with are gone.
Violation check_standing(const View& view) {
  const Table& t = view.table();
  if (t.phase != Phase::kMarket && t.market_space != kNone) return broken("market_space", "empty outside the market");
  const bool at_court_still = t.phase <= Phase::kRoll;
  for (unsigned space = 0; space < kSpaces; ++space) {
    if (t.spaces[space] == 0 || space == kStartSpace) continue;
    const bool standing = space <= kBishop2   ? t.phase <= Phase::kBishop
                          : space <= kPriory2 ? before_town(t.phase)
                          : space <= kCourt4  ? at_court_still
                          : space <= kCastle2 ? t.phase <= Phase::kDiscardShiring
                                              : t.phase <= Phase::kMarket;
    if (!standing) return broken("builders", "builders that are dealt with are gone");
  }
  if (t.phase == Phase::kMarket && t.options.market_twice == 0)
    for (unsigned space = kMarket1; space <= kMarket4; ++space)
      for (unsigned lower = kMarket1; lower < space; ++lower)
        if (t.spaces[space] != 0 && t.spaces[lower] == t.spaces[space]) return broken("builders", "one builder a seat trades");
  return {};
}

// Tax, die and stock at their time of the round.
Violation check_round(const View& view) {
  const Table& t = view.table();
  if (t.exempt != 0 && !(t.options.tax_card_first() && t.phase == Phase::kRoll)) return broken("exempt", "only between A12 and the die");
  if (t.exempt != 0 && (owner_of(t, kTaxRelief) >= 0 || contains(t.unseen_advantages | t.town, kTaxRelief)))
    return broken("exempt", "who used A12");
  if ((t.die != 0) != die_is_cast(t) || t.die == 1 || t.die > 5) return broken("die", "2 to 5 from the roll to the round's end");
  if (t.round == 0 || t.phase == Phase::kOver ? t.stock != std::array<std::uint8_t, 3>{}
                                              : t.stock[0] > 4 || t.stock[1] > 4 || t.stock[2] > 4)
    return broken("stock", "up to four of each, none before and after the game");
  if (t.round > 0 && t.phase <= Phase::kReveal && t.stock != std::array<std::uint8_t, 3>{4, 4, 4})
    return broken("stock", "four of each until the bishop");
  if (between(t.phase, Phase::kBishop, Phase::kDiscardShiring)) {
    const unsigned waiting = (t.spaces[kBishop1] != 0 ? 1u : 0u) + (t.spaces[kBishop2] != 0 ? 1u : 0u);
    const unsigned taken = 12u - t.stock[0] - t.stock[1] - t.stock[2];
    if (taken + waiting > t.options.bishop_spaces) return broken("stock", "each bishop takes one at most");
  }
  return {};
}

Violation check_building(const View& view) {
  const Table& t = view.table();
  const bool works = t.phase == Phase::kWork;
  const bool commits = works && t.options.sequential_building == 0;
  if ((t.asked != kNone) != commits) return broken("asked", "the craftsman in question");
  if (commits && most_uses(t, t.mover, t.asked) == 0) return broken("asked", "a craftsman that can work");
  if (t.made != 0 && !commits) return broken("made", "gold made in this commit");
  unsigned most_made = 0;
  for (unsigned craftsman = 0; commits && craftsman < t.asked; ++craftsman)
    if (employs(t.seats[t.mover], craftsman))
      most_made += kCraftsmanCards[craftsman].earns * (kCraftsmanCards[craftsman].capacity + (t.boosted == craftsman ? 1u : 0u));
  if (t.made > most_made) return broken("made", "by craftsmen that were asked before");
  const bool boosts = works && struck(t, t.seats[t.mover], kMoreCapacity) && boostable(t, t.mover) != 0;
  if ((t.boosted != kNone) != boosts || (boosts && !contains(boostable(t, t.mover), t.boosted)))
    return broken("boosted", "a craftsman with event E9");
  for (unsigned craftsman = 0; craftsman < kCraftsmen; ++craftsman) {
    const unsigned capacity = kCraftsmanCards[craftsman].capacity + (t.boosted == craftsman ? 1u : 0u);
    if (t.used[craftsman] == 0) continue;
    if (!works || commits || !employs(t.seats[t.mover], craftsman) || t.used[craftsman] > capacity)
      return broken("used", "craftsmen of the mover, up to their capacity");
  }
  if (t.phase == Phase::kBoost && (!struck(t, t.seats[t.mover], kMoreCapacity) || boostable(t, t.mover) == 0))
    return broken("phase", "only event E9 asks");
  const bool drops = t.phase == Phase::kDrop;
  if ((t.dropping != kNone) != drops || (t.excess != 0) != drops) return broken("dropping", "while goods are given up");
  if (!drops) return {};
  unsigned sum = 0;
  for (unsigned good = 0; good < (t.options.metal_is_free() ? 3u : kGoods); ++good) sum += t.seats[t.mover].goods[good];
  const auto [least, most] = drop_range(t, t.dropping);
  if (sum != kCarryLimit + t.excess) return broken("excess", "what is more than five");
  if (least >= most) return broken("dropping", "a good of which more than one number can go");
  return t.round == kRounds ? broken("phase", "nothing is given up after round 6") : Violation{};
}

// Before the first player is drawn nobody has more than the start.
Violation check_start(const View& view) {
  const Table& t = view.table();
  if (t.round > kRounds || (t.phase == Phase::kOver && t.round != kRounds)) return broken("round", "1 to 6");
  if ((t.round == 0) != (t.phase == Phase::kStart)) return broken("round", "0 only at the start");
  if (t.phase == Phase::kStart && !(t == State::initial(t.options).table)) return broken("phase", "nothing has happened at the start");
  return {};
}

}  // namespace

Violation State::check(const View& view) {
  // Ranges first: the later checks index by them.
  for (const auto check : {check_ranges, check_start, check_seats, check_workers, check_advantages, check_events, check_craftsmen,
                           check_quarries, check_builders, check_turn, check_standing, check_round, check_wealth, check_building})
    if (auto found = check(view)) return found;
  return {};
}

}  // namespace kingsbridge::pillars
