// Rounds: what is given out at their start, what is put back at their end.
#include "games/pillars/steps.hpp"

namespace kingsbridge::pillars {

void begin_round(Table& t) {
  t.round = narrow(t.round + 1u);
  t.stock = {4, 4, 4};
  for (unsigned i = 0; i < t.options.players; ++i) {
    Seat& seat = t.seats[i];
    seat.workers = narrow(kWorkers + (owns(seat, kBlackWorker) ? 1u : 0u) + seat.grey);
    seat.grey = 0;
  }
  if (t.round == kRounds) {
    t.town = bit(kStoneAndWood) | bit(kOneMetal);
    return leave_to_chance(t, Phase::kSplit);
  }
  leave_to_chance(t, Phase::kTown);
}

void end_round(Table& t) {
  const unsigned holder = t.spaces[kStartSpace];
  if (t.round < kRounds) t.start_player = narrow(holder != 0 ? holder - 1 : next_seat(t, t.start_player));
  t.spaces[kStartSpace] = 0;
  t.event = kNone;
  t.event_known = 0;
  t.die = 0;
  for (Seat& seat : t.seats) seat.guarded = 0;
  if (t.round < kRounds) return begin_round(t);
  t.stock = {};
  ask(t, Phase::kOver, 0);
}

}  // namespace kingsbridge::pillars
