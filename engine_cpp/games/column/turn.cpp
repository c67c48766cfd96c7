// The points of a half-turn: windows, dice counting down, cards from left to right, conflicts, the next half-turn [1.4, 1.5, 4, 7.1].
#include "games/column/steps.hpp"

namespace kingsbridge::column {
namespace {

// Each Loch Leven die comes down by one; one that shows 1 is free.
void count_down_prison(Seat& seat) {
  for_each(seat.prison, [&](unsigned die) {
    seat.faces[die] = narrow(seat.faces[die] - 1u);
    if (seat.faces[die] == 0) seat.prison = narrow(static_cast<unsigned>(seat.prison & ~bit(die)));
  });
}

// Each step below either stands at a question or chance event (true), or has moved the point on (false).
bool open_first_half(Table& t) {
  Seat& seat = actor(t);
  count_down_prison(seat);
  t.point = Point::kCards;
  if (seat.religion_die == 1) {
    seat.religion_die = 0;
    leave_to_chance(t, Phase::kRollReligion);
    return true;
  }
  lose_one(seat.religion_die);
  check_minority(t, t.turn);
  return false;
}

bool open_second_half(Table& t) {
  t.point = Point::kRecruit;
  if (free_dice(actor(t)) == 0) return false;
  leave_to_chance(t, Phase::kRollDice);
  return true;
}

bool open_half(Table& t) { return t.half == 1 ? open_first_half(t) : open_second_half(t); }

bool step_start(Table& t) {
  if (!shows_window(t)) return open_half(t);
  ask(t, Phase::kWindow, t.turn);
  return true;
}

bool step_cards(Table& t) {
  Seat& seat = actor(t);
  if (t.cursor == seat.row_size) {
    t.cursor = 0;
    t.point = Point::kEnd;
    return false;
  }
  std::uint8_t& face = seat.faces[seat.row_dice[t.cursor]];
  if (face == 1) {
    remove_from_row(t, t.turn, t.cursor);
    return false;
  }
  lose_one(face);
  t.point = Point::kCard;
  return false;
}

bool step_card(Table& t) {
  if (is_possible(t, character(card_in_question(t)).deed)) {
    ask(t, Phase::kUseCard, t.turn);
    return true;
  }
  ++t.cursor;
  t.point = Point::kCards;
  return false;
}

bool step_recruit(Table& t) {
  if (can_recruit(t)) {
    ask(t, Phase::kRecruit, t.turn);
    return true;
  }
  fail_to_recruit(t);
  return false;
}

bool step_new_card(Table& t) {
  if (is_possible(t, character(card_in_question(t)).deed)) {
    ask(t, Phase::kUseCard, t.turn);
    return true;
  }
  t.point = Point::kFlip;
  return false;
}

bool step_flip(Table& t) {
  const unsigned country = t.country;
  t.country = kNone;
  t.point = Point::kTrack;
  begin_flip(t, country);
  return true;
}

bool step_track(Table& t) {
  if (moves(t) != 0) {
    ask(t, Phase::kTrack, t.turn);
    return true;
  }
  t.point = Point::kEnd;
  return false;
}

bool step_space(Table& t) {
  if (is_possible(t, kTrack[t.space].deed))
    ask(t, Phase::kUseSpace, t.turn);
  else
    close_space(t, false);
  return true;
}

bool step_end(Table& t) {
  if (shows_window(t)) {
    ask(t, Phase::kWindow, t.turn);
    return true;
  }
  t.point = Point::kConflicts;
  return false;
}

// The majority's houses bring their numbers, the minority's go home; then the stones do, whoever won.
void fight(Table& t, unsigned country) {
  auto& stones = t.stones[country];
  const bool tie = stones[kCatholic] == stones[kProtestant];
  const unsigned majority = stones[kCatholic] > stones[kProtestant] ? kCatholic : kProtestant;
  for (unsigned i = 0; i < t.options.players && !tie; ++i) {
    Seat& seat = t.seats[i];
    if (seat.religion == majority)
      gain_points(t, seat, seat.houses[country]);
    else
      seat.houses[country] = 0;
  }
  stones = {};
}

// At the end only points count: tiles of action go back unseen, so that those that lie open are the points.
void end_game(Table& t) {
  for (Seat& seat : t.seats) {
    seat.held = 0;
    for (unsigned tile = 0; tile < kTileKinds; ++tile) {
      if (tile < kPointTiles) {
        seat.held = narrow(seat.held + seat.tiles[tile]);
      } else {
        t.stack[tile] = narrow(t.stack[tile] + seat.tiles[tile]);
        seat.tiles[tile] = 0;
      }
    }
  }
  t.half = t.turn = 0;
  t.point = Point::kNone;
  leave_to_chance(t, Phase::kOver);
}

bool next_half_turn(Table& t) {
  t.sold = t.event_done = 0;
  t.point = Point::kStart;
  t.turn = narrow(next_seat(t, t.turn));
  if (t.turn != t.start_player) return false;
  if (t.half == 1) {
    t.half = 2;
    return false;
  }
  if (is_last_year(t)) {
    end_game(t);
    return true;
  }
  t.half = 1;
  ++t.year;
  return false;
}

bool step_conflicts(Table& t) {
  const Bits full = full_countries(t);
  if (full == 0) return next_half_turn(t);
  if (count(full) > 1) {
    ask(t, Phase::kConflict, t.turn);
    return true;
  }
  fight(t, lowest(full));
  return false;
}

bool step(Table& t) {
  switch (t.point) {
    case Point::kStart: return step_start(t);
    case Point::kCards: return step_cards(t);
    case Point::kCard: return step_card(t);
    case Point::kRecruit: return step_recruit(t);
    case Point::kNewCard: return step_new_card(t);
    case Point::kFlip: return step_flip(t);
    case Point::kTrack: return step_track(t);
    case Point::kSpace: return step_space(t);
    case Point::kEnd: return step_end(t);
    case Point::kConflicts: return step_conflicts(t);
    default: return true;  // setup, over
  }
}

}  // namespace

void resume(Table& t) {
  while (!step(t)) {
  }
}

void pass_window(Table& t) {
  if (t.point == Point::kStart) {
    if (open_half(t)) return;
  } else {
    t.point = Point::kConflicts;
  }
  resume(t);
}

void begin_year(Table& t) {
  t.year = t.half = 1;
  t.turn = t.start_player;
  t.point = Point::kStart;
  resume(t);
}

// The next free die without a face; they are rolled one by one, white first.
unsigned die_to_roll(const Table& t) { return lowest(free_dice(actor(t)) & ~rolled_dice(actor(t))); }

void roll_die(Table& t, unsigned die, unsigned face) {
  Seat& seat = actor(t);
  seat.faces[die] = narrow(face);
  if (rolled_dice(seat) != free_dice(seat)) return;
  resume(t);
}

void roll_religion(Table& t, unsigned face) {
  actor(t).religion_die = narrow(face);
  ask(t, Phase::kConvert, t.turn);
}

void convert(Table& t, bool change) {
  if (change) actor(t).religion ^= 1;
  check_minority(t, t.turn);
  finish_deed(t);
}

void check_minority(Table& t, unsigned seat) {
  if (is_lone(t, seat, t.seats[seat].religion)) gain_points(t, t.seats[seat], kMinorityPoints);
}

// The point moves on before the action runs.
void answer_card(Table& t, bool use) {
  const unsigned card = card_in_question(t);
  if (t.point == Point::kCard) {
    ++t.cursor;
    t.point = Point::kCards;
  } else {
    t.point = Point::kFlip;
  }
  if (use) return carry_out(t, character(card).deed);
  resume(t);
}

void remove_from_row(Table& t, unsigned seat, unsigned place) {
  Seat& owner = t.seats[seat];
  owner.faces[owner.row_dice[place]] = 0;
  --owner.row_size;
  for (unsigned i = place; i < owner.row_size; ++i) {
    owner.row_cards[i] = owner.row_cards[i + 1];
    owner.row_dice[i] = owner.row_dice[i + 1];
  }
  owner.row_cards[owner.row_size] = owner.row_dice[owner.row_size] = 0;
  if (seat != t.turn) return;
  if (place < t.cursor)
    --t.cursor;
  else if (t.point == Point::kCard && place == t.cursor)
    t.point = Point::kCards;
  else if (t.point == Point::kNewCard && place == owner.row_size)
    t.point = Point::kFlip;
}

Bits full_countries(const Table& t) {
  Bits full = 0;
  for (unsigned country = 0; country < kCountries; ++country)
    if (is_full(t, country)) full |= bit(country);
  return full;
}

void resolve_conflict(Table& t, unsigned country) {
  fight(t, country);
  resume(t);
}

}  // namespace kingsbridge::column
