// The steps of a half-turn, between the rules files. A step plays on until the next question or chance event and sets phase and mover.
#pragma once

#include <algorithm>

#include "games/column/column.hpp"

namespace kingsbridge::column {

// setup.cpp
void choose_start(Table& t, unsigned seat);
Bits dealt_next(const Table& t);
unsigned seat_to_deal(const Table& t);
unsigned seat_to_roll(const Table& t);
void deal(Table& t, unsigned seat, unsigned card);
void roll_first_religion(Table& t, unsigned seat, unsigned face);

// turn.cpp: the points of a half-turn
void resume(Table& t);  // on from the present point
void pass_window(Table& t);
void begin_year(Table& t);
unsigned die_to_roll(const Table& t);
void roll_die(Table& t, unsigned die, unsigned face);
void roll_religion(Table& t, unsigned face);
void convert(Table& t, bool change);
void answer_card(Table& t, bool use);
void resolve_conflict(Table& t, unsigned country);
Bits full_countries(const Table& t);

// recruiting.cpp: from the choice of a die to the next card of the deck
bool may_recruit(const Table& t, unsigned die, unsigned country);
bool can_recruit(const Table& t);
void recruit(Table& t, unsigned die, unsigned country);
void decline(Table& t);
void fail_to_recruit(Table& t);
void answer_stone(Table& t, bool protect);
void answer_house(Table& t, bool upgrade);
void begin_flip(Table& t, unsigned country);
void flip(Table& t, unsigned card);

// track.cpp
Bits moves(const Table& t);                         // spaces to move to
unsigned skips_to(const Table& t, unsigned space);  // free spaces of its colour that are passed over
void move(Table& t, unsigned space);
void close_space(Table& t, bool use);
void next_space(Table& t);
void answer_landing(Table& t, bool use);
void answer_ship_stone(Table& t, bool place);

// effects.cpp: actions of characters, spaces and tiles
bool is_possible(const Table& t, Deed deed);
void carry_out(Table& t, Deed deed);
void finish_deed(Table& t);
void play(Table& t, unsigned tile);
void pay(Table& t, unsigned die);
void gain_good(Table& t, unsigned good);
void sell(Table& t, unsigned pairs);
void sell_good(Table& t, unsigned good);
void place(Table& t, unsigned stone, unsigned country);
void remove_stone(Table& t, unsigned stone, unsigned country);
void turn_die(Table& t, unsigned die, bool up);
void free_die(Table& t, unsigned die);
void remove_card(Table& t, unsigned card);
void draw(Table& t, unsigned tile);
Bits sellable(const Table& t, Bits pairs);  // those of the pairs that the seat can sell one of
Bits pairs_of(Deed deed);                   // of a ship or a good space
Bits sell_one_choices(const Table& t);      // goods, or pairs with sell3_limited
Bits places(const Table& t);
Bits removals(const Table& t, unsigned stone);
Bits turnable(const Table& t, bool up);
Bits dice_on_cards(const Seat& seat);  // the black one is the religion die

// events.cpp
bool asks(const Seat& seat, const EventCard& event);  // whether the event gives the seat something to decide
void begin_event(Table& t, unsigned card);
void suffer(Table& t);  // the mover's loss of points
void protect(Table& t);
void imprison(Table& t, unsigned die);
void lose_good(Table& t, unsigned good);
void answer_redeem(Table& t, bool redeem);
Bits free_or_on_character(const Seat& seat);

// ------------------------------------------------------------------------------------------------------- small words

inline std::uint8_t narrow(unsigned value) { return static_cast<std::uint8_t>(value); }
inline unsigned next_seat(const Table& t, unsigned seat) { return seat + 1u == t.options.players ? 0 : seat + 1u; }

// Nothing lasts beyond the year in which somebody has 50 points or a deck is exhausted.
inline bool is_last_year(const Table& t) { return t.ending != 0 || t.year == t.options.max_years; }
// Parts of a year, in which the time to come is counted.
inline constexpr int kYear = 10;
// That the leader makes in a year.
inline constexpr int kYearPoints = 7;
// Years expected after the present one, in parts.
inline int years_to_come(const Table& t) {
  if (is_last_year(t)) return 0;
  int most = 0;
  for (unsigned i = 0; i < t.options.players; ++i) most = std::max<int>(most, t.seats[i].points);
  return std::min((int{kGoal} - most) * kYear / kYearPoints, (int{t.options.max_years} - t.year) * kYear);
}
// How many of so many years the game will last, in parts.
inline int lasting(const Table& t, int years) { return std::min(years * kYear, years_to_come(t)); }
// Whether no other seat has that religion.
inline bool is_lone(const Table& t, unsigned seat, unsigned religion) {
  for (unsigned other = 0; other < t.options.players; ++other)
    if (other != seat && t.seats[other].religion == religion) return false;
  return true;
}

inline unsigned country_of(unsigned card) { return card / kDeckCards; }
inline bool is_character(unsigned card) { return card % kDeckCards < kDeckPeople; }
inline const CharacterCard& character(unsigned card) { return kCharacters[country_of(card) * kDeckPeople + card % kDeckCards]; }
inline const EventCard& event_card(unsigned card) {
  return kEvents[country_of(card) * (kDeckCards - kDeckPeople) + card % kDeckCards - kDeckPeople];
}

// Tiles of a kind in the box.
inline unsigned copies(const Options& options, unsigned tile) {
  return options.seed_tiles() ? kTiles[tile].seed_copies : kTiles[tile].copies;
}
// The kind of a tile of the stacks, counted from 0; ticket below their number.
inline unsigned tile_at(const std::array<std::uint8_t, kTileKinds>& stack, unsigned ticket) {
  unsigned tile = 0;
  while (ticket >= stack[tile]) ticket -= stack[tile++];
  return tile;
}

inline unsigned capacity(const Table& t) { return t.options.players == 2 ? kStoneSpacesOfTwo : kStoneSpaces; }
// Judged by public facts, so that its absence tells nothing about a tile.
inline bool shows_window(const Table& t) {
  return t.options.windows() && (t.seats[t.turn].held > 0 || t.seats[t.turn].points >= kFreeDieFee);
}
inline bool is_full(const Table& t, unsigned country) {
  const auto& stones = t.stones[country];
  return stones[0] + stones[1] + stones[2] >= static_cast<int>(capacity(t));
}

inline void gain_points(Table& t, Seat& seat, unsigned points) {
  const unsigned sum = seat.points + points;
  seat.points = static_cast<std::uint16_t>(sum > kMostPoints ? kMostPoints : sum);
  if (sum >= kGoal) t.ending = 1;
}
inline void lose_points(Seat& seat, unsigned points) {
  seat.points = static_cast<std::uint16_t>(seat.points > points ? seat.points - points : 0);
}
inline std::uint8_t one_more(std::uint8_t tiles) { return narrow(tiles < kMostTiles ? tiles + 1u : kMostTiles); }
inline void lose_one(std::uint8_t& tiles) { tiles = narrow(tiles - 1u); }

// Goods of all kinds.
inline unsigned goods_of(const Seat& seat) {
  unsigned sum = 0;
  for (const auto number : seat.goods) sum += number;
  return sum;
}

// Where in the row a die lies; row_size if it does not.
inline unsigned place_of(const Seat& seat, unsigned die) {
  unsigned place = 0;
  while (place < seat.row_size && seat.row_dice[place] != die) ++place;
  return place;
}
inline Bits row_dice(const Seat& seat) {
  Bits dice = 0;
  for (unsigned i = 0; i < seat.row_size; ++i) dice |= bit(seat.row_dice[i]);
  return dice;
}
inline Bits free_dice(const Seat& seat) { return (bit(kColours) - 1) & ~(row_dice(seat) | seat.prison); }
// Free dice that show the roll of this half-turn.
inline Bits rolled_dice(const Seat& seat) {
  Bits rolled = 0;
  for_each(free_dice(seat), [&](unsigned die) { rolled |= seat.faces[die] != 0 ? bit(die) : 0; });
  return rolled;
}

// Takes a card of the row out of the game; its die is free. If its use was still open, that is lost.
void remove_from_row(Table& t, unsigned seat, unsigned place);
// +1 point if nobody else has the seat's religion.
void check_minority(Table& t, unsigned seat);

inline void ask(Table& t, Phase phase, unsigned seat) {
  t.phase = phase;
  t.mover = narrow(seat);
}
inline void leave_to_chance(Table& t, Phase phase) { ask(t, phase, 0); }

// The seat whose half-turn it is.
inline Seat& actor(Table& t) { return t.seats[t.turn]; }
inline const Seat& actor(const Table& t) { return t.seats[t.turn]; }
// The card whose use is open: at the cursor, or the one just recruited.
inline unsigned card_in_question(const Table& t) { return actor(t).row_cards[t.point == Point::kCard ? t.cursor : actor(t).row_size - 1u]; }

}  // namespace kingsbridge::column
