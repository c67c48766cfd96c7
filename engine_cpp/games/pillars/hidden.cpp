// What a seat knows, and worlds that look the same to it. (Views from outside: check.cpp.)
#include "games/pillars/steps.hpp"

namespace kingsbridge::pillars {

// The event of the round is seen by all once it is turned up, before that by the seat that looked at it.
View::View(const Table& table, Player viewer) : table_(table), viewer_(static_cast<std::int8_t>(viewer)) {
  if (table_.event_known == 0 && table_.looked != viewer + 1) table_.event = kNone;
}

// A card that somebody looked at is any of those not turned up yet, each as likely.
State State::imagine(const View& view, Rng& rng) {
  State state{view.table()};
  Table& t = state.table;
  if (t.looked != 0 && t.event == kNone) t.event = narrow(nth(t.unseen_events, rng.below(count(t.unseen_events))));
  return state;
}

}  // namespace kingsbridge::pillars
