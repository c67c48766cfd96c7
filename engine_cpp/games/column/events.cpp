// Events: each seat they strike decides for itself, clockwise [3.3, 7.1].
#include "games/column/steps.hpp"

namespace kingsbridge::column {
namespace {

bool meets(const Seat& seat, const EventCard& event) {
  switch (event.condition) {
    case Condition::kHouse: return seat.houses[event.country] != 0;
    case Condition::kCatholics: return seat.religion == kCatholic;
    case Condition::kProtestants: return seat.religion == kProtestant;
    default: return true;
  }
}

bool owns_goods(const Seat& seat) { return (seat.goods[0] | seat.goods[1] | seat.goods[2] | seat.goods[3]) != 0; }

unsigned first_asked(const Table& t) { return t.options.events_from_start() ? t.start_player : t.turn; }

void end_event(Table& t) {
  t.event = kNone;
  begin_flip(t, t.flipping);
}

// Asks the seats from the given one on, round to the first; then the deck is flipped on. Who loses points and has no protection is not
// asked.
void ask_from(Table& t, unsigned seat) {
  const EventCard& event = event_card(t.event);
  do {
    if (asks(t.seats[seat], event)) return ask(t, Phase::kEvent, seat);
    if (event.kind == EventKind::kLosePoints && meets(t.seats[seat], event)) lose_points(t.seats[seat], kEventLoss);
    seat = next_seat(t, seat);
  } while (seat != first_asked(t));
  end_event(t);
}

void ask_next(Table& t) {
  const unsigned seat = next_seat(t, t.mover);
  if (seat != first_asked(t)) return ask_from(t, seat);
  end_event(t);
}

}  // namespace

bool asks(const Seat& seat, const EventCard& event) {
  if (!meets(seat, event)) return false;
  switch (event.kind) {
    case EventKind::kLochLeven: return free_or_on_character(seat) != 0;
    case EventKind::kLoseGood: return owns_goods(seat);
    default: return seat.protection > 0;
  }
}

void begin_event(Table& t, unsigned card) {
  t.event = narrow(card);
  t.event_done = 1;
  ask_from(t, first_asked(t));
}

void suffer(Table& t) {
  lose_points(t.seats[t.mover], kEventLoss);
  ask_next(t);
}

void protect(Table& t) {
  lose_one(t.seats[t.mover].protection);
  ask_next(t);
}

Bits free_or_on_character(const Seat& seat) { return (bit(kColours) - 1) & ~Bits{seat.prison}; }

void imprison(Table& t, unsigned die) {
  Seat& seat = t.seats[t.mover];
  if (const unsigned place = place_of(seat, die); place < seat.row_size) remove_from_row(t, t.mover, place);
  seat.prison = narrow(static_cast<unsigned>(seat.prison | bit(die)));
  seat.faces[die] = kLochLevenDie;
  ask_next(t);
}

void lose_good(Table& t, unsigned good) {
  lose_one(t.seats[t.mover].goods[good]);
  ask_next(t);
}

void answer_redeem(Table& t, bool redeem) {
  Seat& seat = t.seats[t.mover];
  if (redeem) {
    lose_one(seat.protection);
    gain_points(t, seat, seat.religion_die);
  }
  ask_next(t);
}

}  // namespace kingsbridge::column
