// Views from outside: refused when they break what every game keeps. Each bound is kept by every action, so no accepted view leads to one
// that would be refused.
#include <cstring>
#include <string>
#include <utility>

#include "games/column/steps.hpp"

namespace kingsbridge::column {
namespace {

Violation broken(std::string field, std::string rule) { return {std::move(field), std::move(rule)}; }
std::string seat_field(unsigned seat, std::string_view field) { return "seats[" + std::to_string(seat) + "]." + std::string(field); }
std::string country_field(unsigned country, std::string_view field) {
  return "countries[" + std::to_string(country) + "]." + std::string(field);
}

bool is_setup(Phase phase) { return phase <= Phase::kFirstFlip; }
bool flips(Phase phase) { return phase == Phase::kFlip || phase == Phase::kEvent; }
bool is_choosing(Phase phase) { return phase == Phase::kStone || phase == Phase::kHouse; }
bool is_chance(const Table& t) { return State{t}.current_player() == kChance; }
bool none_or_below(unsigned value, std::size_t end) { return value == kNone || value < end; }

Violation check_ranges(const View& view) {
  const Table& t = view.table();
  const Options& o = t.options;
  if (o.players < 2 || o.players > kMaxSeats) return broken("players", "2 to 4 play");
  if (o.max_years < 1 || o.max_years > kMostYears) return broken("max_years", "1 to 30");
  if (view.viewer() < kSpectator || view.viewer() >= o.players) return broken("viewer", "a seat, or -1 for a spectator");
  if (t.phase > Phase::kOver) return broken("phase", "a phase of the game");
  if (t.point > Point::kConflicts) return broken("point", "a point of a half-turn");
  if (t.year > o.max_years) return broken("year", "up to max_years");
  if (t.half > 2) return broken("half", "1 or 2, 0 before and after the game");
  if (t.start_player >= o.players) return broken("start_player", "a seat");
  if (t.turn >= o.players) return broken("turn", "a seat");
  if (t.mover >= o.players) return broken("mover", "a seat");
  if (!none_or_below(t.flipping, kCountries)) return broken("flipping", "a country");
  if (!none_or_below(t.country, kCountries)) return broken("country", "a country");
  if (t.event != kNone && (t.event >= kCards || is_character(t.event))) return broken("event", "an event card");
  if (t.event_done > 1) return broken("event_done", "true or false");
  if (t.ending > 1) return broken("ending", "true or false");
  if (!none_or_below(t.die, kColours)) return broken("die", "a die but the black one");
  if (t.cursor > kColours) return broken("cursor", "a place in the row");
  if (!none_or_below(t.space, kTrack.size())) return broken("space", "a space of the track");
  if (!none_or_below(t.acting, kTrack.size())) return broken("acting", "a space of the track");
  return t.allowed > 7 ? broken("stones", "kinds of stone") : Violation{};
}

Violation check_countries(const View& view) {
  const Table& t = view.table();
  for (unsigned country = 0; country < kCountries; ++country) {
    const unsigned card = t.face_up[country];
    if (card != kNone && (card >= kCards || country_of(card) != country || !is_character(card)))
      return broken(country_field(country, "face_up"), "a character of the country");
    if (t.unseen[country] >> kDeckCards != 0) return broken(country_field(country, "unseen"), "cards of the country");
    if (card != kNone && contains(t.unseen[country], card % kDeckCards))
      return broken(country_field(country, "unseen"), "each card is in one place");
    unsigned stones = 0;
    for (const auto number : t.stones[country]) stones += number;
    if (stones > capacity(t)) return broken(country_field(country, "stones"), "no more than the religion spaces");
  }
  return {};
}

Violation check_row(const Table& t, unsigned i, std::array<std::uint32_t, kCountries>& seen) {
  const Seat& seat = t.seats[i];
  if (seat.row_size > kColours) return broken(seat_field(i, "row"), "a die for each card");
  if (seat.prison >> kColours != 0) return broken(seat_field(i, "prison"), "dice but the black one");
  Bits dice = seat.prison;
  for (unsigned place = 0; place < seat.row_size; ++place) {
    const unsigned card = seat.row_cards[place], die = seat.row_dice[place];
    if (card >= kCards || !is_character(card)) return broken(seat_field(i, "row"), "characters");
    if (contains(seen[country_of(card)], card % kDeckCards)) return broken(seat_field(i, "row"), "each card is in one place");
    seen[country_of(card)] |= 1u << card % kDeckCards;
    if (die >= kColours || contains(dice, die)) return broken(seat_field(i, "row"), "each die in one place");
    dice |= bit(die);
  }
  for (unsigned place = seat.row_size; place < kColours; ++place)
    if (seat.row_cards[place] != 0 || seat.row_dice[place] != 0) return broken(seat_field(i, "row"), "nothing beyond its end");
  return {};
}

// Rolled faces last until the die to recruit with is chosen; then the chosen one's until it lies on its card.
Violation check_faces(const Table& t, unsigned i) {
  const Seat& seat = t.seats[i];
  const bool recruits = i == t.turn && t.half == 2 && t.point == Point::kRecruit;
  for (unsigned die = 0; die < kColours; ++die) {
    const unsigned face = seat.faces[die];
    if (face > kTopFace) return broken(seat_field(i, "faces"), "1 to 6");
    const bool free = contains(free_dice(seat), die);
    if (!free && face == 0) return broken(seat_field(i, "faces"), "a face for each die on a card");
    if (free && face != 0 && !(recruits && (!is_choosing(t.phase) || die == t.die)))
      return broken(seat_field(i, "faces"), "of free dice only between the roll and the choice");
  }
  return {};
}

Violation check_seat(const Table& t, unsigned i) {
  const Seat& seat = t.seats[i];
  if (seat.points > kMostPoints) return broken(seat_field(i, "points"), "at most 999");
  for (const auto number : seat.goods)
    if (number > kMostTiles) return broken(seat_field(i, "goods"), "at most 250");
  if (seat.protection > kMostTiles) return broken(seat_field(i, "protection"), "at most 250");
  if (seat.religion > kProtestant) return broken(seat_field(i, "religion"), "catholic or protestant");
  const bool unrolled = is_setup(t.phase) || (t.phase == Phase::kRollReligion && i == t.turn);
  if (seat.religion_die > kTopReligionFace) return broken(seat_field(i, "religion_die"), "1 to 5");
  if (!is_setup(t.phase) && (seat.religion_die == 0) != unrolled) return broken(seat_field(i, "religion_die"), "0 only while it is rolled");
  if (!none_or_below(seat.space, kTrack.size())) return broken(seat_field(i, "space"), "a space of the track");
  if (!is_setup(t.phase) && seat.space == kNone) return broken(seat_field(i, "space"), "a space of the track");
  for (unsigned other = 0; other < i; ++other) {
    if (seat.space != kNone && t.seats[other].space == seat.space) return broken(seat_field(i, "space"), "one disk on a space");
    for (unsigned country = 0; country < kCountries; ++country)
      if (seat.houses[country] != 0 && t.seats[other].houses[country] == seat.houses[country])
        return broken(seat_field(i, "houses"), "one house on a site");
  }
  for (const auto site : seat.houses)
    if (site > kSites) return broken(seat_field(i, "houses"), "sites 1 to 6");
  if (seat.points >= kGoal && t.ending == 0) return broken("ending", "once somebody has 50 points");
  return seat.zero == 0 ? Violation{} : broken("seats", "nothing else");
}

Violation check_seats(const View& view) {
  const Table& t = view.table();
  std::array<std::uint32_t, kCountries> seen = t.unseen;
  for (unsigned country = 0; country < kCountries; ++country)
    if (t.face_up[country] != kNone) seen[country] |= 1u << t.face_up[country] % kDeckCards;
  for (unsigned i = 0; i < kMaxSeats; ++i) {
    if (i >= t.options.players) {
      const Seat nobody{};
      if (std::memcmp(&t.seats[i], &nobody, sizeof nobody) != 0) return broken("seats", "only those that play");
      continue;
    }
    if (auto found = check_row(t, i, seen)) return found;
    if (auto found = check_seat(t, i)) return found;
    if (auto found = check_faces(t, i)) return found;
  }
  return {};
}

// Tiles of points are never played, so all of them are somewhere; no kind is there more often than in the box.
Violation check_tiles(const View& view) {
  const Table& t = view.table();
  unsigned unseen = 0, hidden = 0;
  std::array<unsigned, kTileKinds> present{};
  for (unsigned i = 0; i < t.options.players; ++i) {
    const Seat& seat = t.seats[i];
    const bool open = t.phase == Phase::kOver || static_cast<Player>(i) == view.viewer();
    unsigned shown = 0;
    for (unsigned tile = 0; tile < kTileKinds; ++tile) {
      present[tile] += seat.tiles[tile];
      shown += seat.tiles[tile];
      if (t.phase == Phase::kOver && tile >= kPointTiles && seat.tiles[tile] != 0)
        return broken(seat_field(i, "tiles"), "points only when the game is over");
    }
    if (shown != (open ? seat.held : 0u)) return broken(seat_field(i, "tiles"), "all of one's own, none of the others'");
    if (!open) hidden += seat.held;
  }
  for (unsigned tile = 0; tile < kTileKinds; ++tile) {
    unseen += t.stack[tile];
    present[tile] += t.stack[tile];
    if (present[tile] > copies(t.options, tile)) return broken("unseen_tiles", "no more than there are in the box");
    if (tile < kPointTiles && present[tile] != copies(t.options, tile)) return broken("unseen_tiles", "tiles of points are never played");
  }
  if (hidden > unseen) return broken("unseen_tiles", "those of the others are among them");
  return t.phase == Phase::kDraw && hidden == unseen ? broken("unseen_tiles", "a tile to draw") : Violation{};
}

// The back of a seat's Loch Leven card, or the number of cards for none.
unsigned card_of(const Seat& seat) {
  for (unsigned card = 0; card < kLochLevenCards.size(); ++card) {
    const LochLevenCard& row = kLochLevenCards[card];
    if (seat.space != kNone && kTrack[seat.space].deed.effect == Effect::kShip && kTrack[seat.space].deed.value == row.ship &&
        seat.religion == row.religion && seat.goods[row.good] == 1)
      return card;
  }
  return kLochLevenCards.size();
}

Violation check_dealt_seat(const Table& t, unsigned i, bool dealt, bool rolled) {
  Seat seat = t.seats[i];
  if (rolled != (seat.religion_die != 0)) return broken(seat_field(i, "religion_die"), "rolled seat by seat");
  if (dealt) {
    const unsigned card = card_of(seat);
    if (card == kLochLevenCards.size()) return broken(seat_field(i, "space"), "as a Loch Leven card says");
    seat.goods[kLochLevenCards[card].good] = 0;
    if (t.options.players == 2 && i == 1 && t.seats[0].religion == seat.religion)
      return broken(seat_field(i, "religion"), "two players start with different religions");
    if (seat.protection != kStartProtection) return broken(seat_field(i, "protection"), "as a Loch Leven card says");
    seat.religion = seat.protection = 0;
    seat.space = kNone;
  }
  seat.religion_die = 0;
  const Seat start = State::initial(t.options).table.seats[i];
  return std::memcmp(&seat, &start, sizeof seat) == 0 ? Violation{} : broken("seats[" + std::to_string(i) + "]", "as at the start");
}

Violation check_first_decks(const Table& t) {
  constexpr Bits people = bit(kDeckPeople) - 1, all = bit(kDeckCards) - 1;
  const unsigned flipping = t.phase == Phase::kFirstFlip ? t.flipping : 0;
  for (unsigned country = 0; country < kCountries; ++country) {
    const unsigned card = t.face_up[country];
    const Bits deck = t.unseen[country] | (card == kNone ? 0 : bit(card % kDeckCards));
    if ((card != kNone) != (country < flipping)) return broken(country_field(country, "face_up"), "decks are turned up one by one");
    const bool begun = t.phase == Phase::kFirstFlip && country <= flipping;
    if (begun ? (deck & people) != people : deck != all) return broken(country_field(country, "unseen"), "only events have left the deck");
    if (t.stones[country] != std::array<std::uint8_t, kStones>{}) return broken(country_field(country, "stones"), "none at the start");
  }
  return {};
}

Violation check_setup(const View& view) {
  const Table& t = view.table();
  if (!is_setup(t.phase)) return {};
  if (t.year != 0) return broken("year", "0 before the first year");
  if (t.half != 0) return broken("half", "0 before the first year");
  if (t.turn != 0) return broken("turn", "0 before the first year");
  if (t.point != Point::kNone) return broken("point", "none before the first year");
  if (t.phase == Phase::kStart && t.start_player != 0) return broken("start_player", "0 before it is drawn");
  if ((t.flipping != kNone) != (t.phase == Phase::kFirstFlip)) return broken("flipping", "a deck whose first card is turned up");
  unsigned dealt = 0, rolled = 0;
  while (dealt < t.options.players && t.seats[dealt].space != kNone) ++dealt;
  while (rolled < t.options.players && t.seats[rolled].religion_die != 0) ++rolled;
  const bool deals = t.phase == Phase::kDeal, rolls = t.phase == Phase::kFirstRoll, starts = t.phase == Phase::kStart;
  if (starts ? dealt != 0 : deals ? dealt == t.options.players : dealt != t.options.players)
    return broken("phase", "Loch Leven cards are dealt before all else");
  if (starts || deals ? rolled != 0 : rolls ? rolled == t.options.players : rolled != t.options.players)
    return broken("phase", "religion dice are rolled after the deal");
  for (unsigned i = 0; i < t.options.players; ++i)
    if (auto found = check_dealt_seat(t, i, i < dealt, i < rolled)) return found;
  for (unsigned tile = 0; tile < kTileKinds; ++tile)
    if (t.stack[tile] != copies(t.options, tile)) return broken("unseen_tiles", "all of them at the start");
  if (t.ending != 0) return broken("ending", "false at the start");
  if (t.event_done != 0) return broken("event_done", "false at the start");
  if (t.sold != 0) return broken("sold", "nothing at the start");
  return check_first_decks(t);
}

bool is_between_turns(const Table& t) { return is_setup(t.phase) || t.phase == Phase::kOver; }

Violation check_time(const View& view) {
  const Table& t = view.table();
  if (is_setup(t.phase)) return {};
  if (t.year == 0) return broken("year", "1 at least");
  if (t.phase == Phase::kOver) {
    if (t.half != 0) return broken("half", "0 when the game is over");
    if (t.turn != 0) return broken("turn", "0 when the game is over");
    if (t.point != Point::kNone) return broken("point", "none when the game is over");
    if (t.ending == 0 && t.year != t.options.max_years) return broken("ending", "the game ends by 50 points, a deck, or max_years");
    if (t.event_done != 0) return broken("event_done", "false when the game is over");
    return t.sold != 0 ? broken("sold", "nothing when the game is over") : Violation{};
  }
  if (t.half == 0) return broken("half", "1 or 2");
  const bool first = t.point == Point::kCards || t.point == Point::kCard;
  const bool both = t.point == Point::kStart || t.point == Point::kEnd || t.point == Point::kConflicts;
  if (t.point == Point::kNone || (!both && first != (t.half == 1))) return broken("point", "one of the half-turn");
  if (t.point == Point::kConflicts && t.phase != Phase::kConflict) return broken("point", "conflicts end a half-turn");
  return {};
}

// In the first half of the first year dice lie on religion cards only [1.5].
Violation check_first_half(const View& view) {
  const Table& t = view.table();
  if (t.year != 1 || t.half != 1) return {};
  for (unsigned i = 0; i < t.options.players; ++i) {
    const Seat& seat = t.seats[i];
    if (seat.row_size != 0) return broken(seat_field(i, "row"), "empty until the first recruiting");
    if (seat.prison != 0) return broken(seat_field(i, "prison"), "empty until the first event");
    if (seat.houses != std::array<std::uint8_t, kCountries>{}) return broken(seat_field(i, "houses"), "none until the first recruiting");
    if (seat.held != 0) return broken(seat_field(i, "held"), "none until the first action");
  }
  return {};
}

bool knows_recruited(const Table& t) { return is_choosing(t.phase) || t.point == Point::kNewCard || t.point == Point::kFlip; }

// What is kept only for a while.
Violation check_scratch(const View& view) {
  const Table& t = view.table();
  if (t.phase != Phase::kFirstFlip && (t.flipping != kNone) != flips(t.phase)) return broken("flipping", "while a deck is turned up");
  if ((t.event != kNone) != (t.phase == Phase::kEvent)) return broken("event", "while it is carried out");
  if (t.event != kNone && t.event_done == 0) return broken("event_done", "an event is carried out");
  if ((t.die != kNone) != is_choosing(t.phase)) return broken("die", "from its choice to its place in the row");
  if ((t.country != kNone) != knows_recruited(t)) return broken("country", "from its choice to its next card");
  if (t.cursor != 0 && t.point != Point::kCards && t.point != Point::kCard) return broken("cursor", "0 but in the first half");
  if (t.cursor > actor(t).row_size || (t.point == Point::kCard && t.cursor == actor(t).row_size)) return broken("cursor", "within the row");
  if ((t.space != kNone) != (t.point == Point::kSpace)) return broken("space", "while its use is open");
  if ((t.allowed != 0) != (t.phase == Phase::kReligion)) return broken("stones", "while a stone is placed or removed");
  if (t.allowed > 4) return broken("stones", "of the religions, or neutral");
  if (t.mover != 0 && (is_between_turns(t) || is_chance(t))) return broken("mover", "0 when nobody decides");
  if (!is_between_turns(t) && !is_chance(t) && t.phase != Phase::kEvent && t.mover != t.turn) return broken("mover", "whose turn it is");
  return {};
}

// A deck shows a card, is being turned up, or is exhausted.
Violation check_decks(const View& view) {
  const Table& t = view.table();
  if (is_setup(t.phase)) return {};
  for (unsigned country = 0; country < kCountries; ++country) {
    const bool taken = country == t.country && (t.point == Point::kNewCard || t.point == Point::kFlip);
    if (country == t.flipping || taken) {
      if (t.face_up[country] != kNone) return broken(country_field(country, "face_up"), "none until the next is turned up");
      continue;
    }
    if (t.face_up[country] != kNone) continue;
    if (t.unseen[country] != 0) return broken(country_field(country, "face_up"), "a card, as long as there are any");
    if (t.ending == 0) return broken("ending", "once a deck is exhausted");
  }
  if (t.flipping != kNone && t.flipping == t.country) return broken("flipping", "not the country recruited from");
  if (t.phase == Phase::kFlip && t.unseen[t.flipping] == 0) return broken(country_field(t.flipping, "unseen"), "a card to turn up");
  if (t.phase != Phase::kEvent) return {};
  if (country_of(t.event) != t.flipping) return broken("event", "of the deck that is turned up");
  return contains(t.unseen[t.flipping], t.event % kDeckCards) ? broken("event", "each card is in one place") : Violation{};
}

// Whether an action can be offered. The stack of a view holds the tiles of the others too, so their number tells whether one can be drawn.
bool is_offered(const Table& t, Deed deed) {
  if (!is_possible(t, deed) || deed.effect != Effect::kAdvantage) return is_possible(t, deed);
  unsigned unseen = 0, hidden = 0, played = 0;
  for (unsigned tile = 0; tile < kTileKinds; ++tile) {
    unseen += t.stack[tile];
    played += copies(t.options, tile) - t.stack[tile];
  }
  for (unsigned i = 0; i < t.options.players; ++i) {
    hidden += t.seats[i].held;
    for (const auto tiles : t.seats[i].tiles) {
      hidden -= tiles;
      played -= tiles;
    }
  }
  return unseen > hidden || (t.options.advantage_reshuffle() && played > 0);
}

// Phases that the action of a space can lead to.
bool follows_from(Phase phase, Effect effect) {
  switch (phase) {
    case Phase::kLanded: return true;
    case Phase::kGood: return effect == Effect::kAnyGood;
    case Phase::kReligion:
      return effect == Effect::kReligion || effect == Effect::kReligionCatholic || effect == Effect::kReligionProtestant ||
             effect == Effect::kPlaceNeutral;
    case Phase::kSellOne: return effect == Effect::kSellOne;
    case Phase::kTurnDie: return effect == Effect::kTurnDie;
    case Phase::kFreeDie:
    case Phase::kRollReligion:
    case Phase::kConvert: return effect == Effect::kFreeDie;
    case Phase::kRemoveCard:
    case Phase::kFlip:
    case Phase::kEvent: return effect == Effect::kRemoveCard;
    case Phase::kTrade: return effect == Effect::kGoodOrSell;
    case Phase::kShip:
    case Phase::kShipStone: return effect == Effect::kShip;
    case Phase::kDraw: return effect == Effect::kAdvantage;
    default: return false;
  }
}

bool needs_space(Phase phase) {
  return phase == Phase::kLanded || phase == Phase::kTrade || phase == Phase::kShip || phase == Phase::kShipStone;
}

Violation check_acting(const View& view) {
  const Table& t = view.table();
  if (t.acting == kNone) return needs_space(t.phase) ? broken("acting", "the space whose action is under way") : Violation{};
  const Deed deed = kTrack[t.acting].deed;
  if (!follows_from(t.phase, deed.effect)) return broken("acting", "a space whose action asks this");
  if (t.phase == Phase::kLanded && t.acting != actor(t).space) return broken("acting", "where the disk has landed");
  if (t.phase == Phase::kLanded && !is_offered(t, deed)) return broken("acting", "an action that is possible");
  if (t.phase == Phase::kShip && !is_possible(t, deed)) return broken("acting", "a ship with something to sell");
  if (t.phase == Phase::kShipStone && (t.options.players == 4 || is_full(t, deed.value)))
    return broken("acting", "a ship that brings a stone");
  if (t.phase == Phase::kReligion) {
    const bool one = deed.effect == Effect::kPlaceNeutral         ? t.allowed == bit(kNeutral)
                     : deed.effect == Effect::kReligionCatholic   ? t.allowed == bit(kCatholic)
                     : deed.effect == Effect::kReligionProtestant ? t.allowed == bit(kProtestant)
                                                                  : t.allowed == (bit(kCatholic) | bit(kProtestant));
    if (!one) return broken("stones", "those of the space");
  }
  return {};
}

Violation check_choice(const Table& t) {
  const Seat& seat = actor(t);
  if (t.point != Point::kRecruit) return broken("point", "recruit, as long as a die is chosen");
  if (!contains(free_dice(seat), t.die) || seat.faces[t.die] == 0) return broken("die", "one that was rolled");
  if (t.die != kPurple && t.die != t.country) return broken("die", "the country's, or the purple one");
  if (t.phase == Phase::kStone) {
    if (t.face_up[t.country] == kNone || is_full(t, t.country) || seat.protection == 0) return broken("phase", "a stone to decide about");
  } else if (seat.houses[t.country] == 0 || seat.houses[t.country] >= seat.faces[t.die]) {
    return broken("phase", "a house to move up");
  }
  return {};
}

Violation check_event(const Table& t) {
  return asks(t.seats[t.mover], event_card(t.event)) ? Violation{} : broken("mover", "a seat that the event asks");
}

Violation check_roll(const Table& t) {
  const Bits free = free_dice(actor(t)), rolled = rolled_dice(actor(t));
  if (t.point != Point::kRecruit) return broken("point", "recruit, while dice are rolled");
  if (free == rolled) return broken("phase", "a die to roll");
  return (rolled & ~(bit(die_to_roll(t)) - 1)) != 0 ? broken("seats", "dice are rolled in the order of their colours") : Violation{};
}

bool has_character(const Table& t) { return t.half == 1 ? t.point == Point::kCard : t.point == Point::kNewCard; }

Violation check_new_card(const Table& t) {
  const Seat& seat = actor(t);
  if (t.point != Point::kNewCard) return {};
  return seat.row_size == 0 || country_of(seat.row_cards[seat.row_size - 1u]) != t.country
             ? broken("country", "that of the card just recruited")
             : Violation{};
}

// The question can be asked, and there is an answer.
Violation check_question(const View& view) {
  const Table& t = view.table();
  if (auto found = check_new_card(t)) return found;
  switch (t.phase) {
    case Phase::kWindow:
      if (t.point != Point::kStart && t.point != Point::kEnd) return broken("point", "start or end, in a window");
      return shows_window(t) ? Violation{} : broken("phase", "a window needs a tile or 3 points, and its option");
    case Phase::kUseCard:
      if (!has_character(t)) return broken("point", "card or new_card, where a character is used");
      return is_offered(t, character(card_in_question(t)).deed) ? Violation{} : broken("phase", "an action that is possible");
    case Phase::kRollDice: return check_roll(t);
    case Phase::kRecruit:
      return t.point == Point::kRecruit && can_recruit(t) ? Violation{} : broken("phase", "a rolled die to recruit with");
    case Phase::kStone:
    case Phase::kHouse: return check_choice(t);
    case Phase::kTrack: return t.point == Point::kTrack && moves(t) != 0 ? Violation{} : broken("phase", "a space to move to");
    case Phase::kUseSpace:
      return t.point == Point::kSpace && is_offered(t, kTrack[t.space].deed) ? Violation{}
                                                                             : broken("phase", "a space with a possible action");
    case Phase::kEvent: return check_event(t);
    case Phase::kConflict:
      return t.point == Point::kConflicts && count(full_countries(t)) > 1 ? Violation{} : broken("phase", "two conflicts at least");
    default: break;
  }
  if (is_between_turns(t) || is_chance(t)) return {};
  ActionList actions;
  State{t}.legal_actions(actions);
  return actions.empty() ? broken("phase", "an action that is possible") : Violation{};
}

}  // namespace

Violation State::check(const View& view) {
  // Ranges first: the later checks index by them.
  for (const auto check : {check_ranges, check_countries, check_seats, check_tiles, check_setup, check_time, check_first_half,
                           check_scratch, check_decks, check_acting, check_question})
    if (auto found = check(view)) return found;
  return {};
}

}  // namespace kingsbridge::column
