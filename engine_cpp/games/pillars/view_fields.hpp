// The fields of the view of The Pillars of the Earth, listed once for reading and writing. Names are those of the proto message
// PillarsView.
#pragma once

#include <array>
#include <string_view>

#include "games/pillars/pillars.hpp"

namespace kingsbridge::pillars {

inline constexpr std::array<std::string_view, 23> kPhaseNames{
    "start",  "town",       "split", "absent",   "look", "cards",           "discard_hire", "draw",  "refuse", "builder", "dial", "reveal",
    "bishop", "protection", "roof",  "tax_card", "roll", "discard_shiring", "market",       "boost", "work",   "drop",    "over"};

enum DomainNumber : std::uint8_t {
  kSeatDomain,
  kRoundDomain,
  kCraftsmanDomain,
  kAdvantageDomain,
  kEventDomain,
  kQuarryDomain,
  kGoodDomain,
  kSpaceDomain,
  kFaceDomain,
  kQuantityDomain,
  kTimesDomain
};
inline const Domain& domain(DomainNumber number) { return State::kInfo.domains[number]; }

using SeatList = FixedVector<std::int8_t, kMaxSeats>;

struct BuilderFields {
  std::uint8_t space = kNone;
  std::int8_t seat = -1;
};
struct DialFields {
  std::uint8_t cost = 0;
  std::int8_t seat = -1;
};
struct UseFields {
  std::uint8_t craftsman = kNone;
  std::uint8_t times = 0;
};

// A seat that is kept as seat + 1, 0 for nobody; shown as the seat, -1 for nobody.
template <class F>
void visit_holder(F& fields, std::string_view name, std::uint8_t& holder, int players) {
  std::int8_t seat = static_cast<std::int8_t>(holder - 1);
  fields.number(name, seat);
  if constexpr (F::kReads) {
    if (seat < -1 || seat >= players) fields.refuse(name, "a seat, or -1");
    holder = static_cast<std::uint8_t>(seat + 1);
  }
}

// The builders on two cards, one number a card.
template <class F>
void visit_pair(F& fields, std::string_view name, Bits cards, std::array<std::uint8_t, 2>& holders, int players) {
  SeatList list;
  for (unsigned i = 0; i < count(cards) && i < 2; ++i) list.push_back(static_cast<std::int8_t>(holders[i] - 1));
  fields.list(name, list);
  if constexpr (F::kReads) {
    if (list.size() != count(cards) || list.size() > 2) fields.refuse(name, "one seat or -1 for each card, of which there are at most two");
    holders = {};
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] < -1 || list[i] >= players) fields.refuse(name, "a seat, or -1");
      holders[i] = static_cast<std::uint8_t>(list[i] + 1);
    }
  }
}

template <class F, std::size_t N>
void visit_bits(F& fields, std::string_view name, std::uint8_t& bits) {
  std::array<std::uint8_t, N> list{};
  for (unsigned i = 0; i < N; ++i) list[i] = bits >> i & 1;
  fields.flags(name, list);
  if constexpr (F::kReads) {
    bits = 0;
    for (unsigned i = 0; i < N; ++i) bits = static_cast<std::uint8_t>(bits | list[i] << i);
  }
}

template <class F>
void visit_seat(F& fields, Seat& seat) {
  fields.number("points", seat.points);
  fields.number("gold", seat.gold);
  fields.numbers("goods", seat.goods);
  fields.number("workers", seat.workers);
  fields.flag("passed", seat.passed);
  visit_set(fields, "craftsmen", domain(kCraftsmanDomain), seat.craftsmen);
  visit_set(fields, "advantages", domain(kAdvantageDomain), seat.advantages);
  visit_set(fields, "quarries", domain(kQuarryDomain), seat.quarries);
  fields.flag("protected", seat.guarded);
  fields.flag("two_builders", seat.two_builders);
  fields.number("mill", seat.mill);
  fields.number("grey", seat.grey);
  visit_bits<F, 3>(fields, "bought", seat.bought);
  visit_bits<F, 4>(fields, "sold", seat.sold);
}

template <class F>
void visit_builders(F& fields, Table& t) {
  FixedVector<BuilderFields, kSpaces> list;
  for (unsigned space = 0; space < kSpaces; ++space)
    if (t.spaces[space] != 0) list.push_back({static_cast<std::uint8_t>(space), static_cast<std::int8_t>(t.spaces[space] - 1)});
  fields.group("builders", list, [](F& inner, BuilderFields& item) {
    inner.component("space", domain(kSpaceDomain), item.space);
    inner.number("seat", item.seat);
  });
  if constexpr (F::kReads) {
    t.spaces = {};
    for (const BuilderFields& item : list) {
      if (item.space == kNone || t.spaces[item.space] != 0) fields.refuse("builders", "each space once");
      if (item.seat < 0 || item.seat >= t.options.players) fields.refuse("builders", "a seat");
      t.spaces[item.space] = static_cast<std::uint8_t>(item.seat + 1);
    }
  }
}

template <class F>
void visit_dial(F& fields, Table& t) {
  FixedVector<DialFields, kTopCost> list;
  for (unsigned cost = kTopCost; cost >= 1; --cost)
    if (t.dial[cost - 1] != 0) list.push_back({static_cast<std::uint8_t>(cost), static_cast<std::int8_t>(t.dial[cost - 1] - 1)});
  fields.group("dial", list, [](F& inner, DialFields& item) {
    inner.number("cost", item.cost);
    inner.number("seat", item.seat);
  });
  if constexpr (F::kReads) {
    t.dial = {};
    for (const DialFields& item : list) {
      if (item.cost < 1 || item.cost > kTopCost || t.dial[item.cost - 1] != 0) fields.refuse("dial", "each cost from 1 to 7 once");
      if (item.seat < 0 || item.seat >= t.options.players) fields.refuse("dial", "a seat");
      t.dial[item.cost - 1] = static_cast<std::uint8_t>(item.seat + 1);
    }
  }
}

template <class F>
void visit_used(F& fields, Table& t) {
  FixedVector<UseFields, kCraftsmen> list;
  for (unsigned craftsman = 0; craftsman < kCraftsmen; ++craftsman)
    if (t.used[craftsman] != 0) list.push_back({static_cast<std::uint8_t>(craftsman), t.used[craftsman]});
  fields.group("used", list, [](F& inner, UseFields& item) {
    inner.component("craftsman", domain(kCraftsmanDomain), item.craftsman);
    inner.number("times", item.times);
  });
  if constexpr (F::kReads) {
    t.used = {};
    for (const UseFields& item : list) {
      if (item.craftsman == kNone || item.times == 0 || t.used[item.craftsman] != 0)
        fields.refuse("used", "each craftsman that worked, once");
      t.used[item.craftsman] = item.times;
    }
  }
}

template <class F>
void View::visit_fields(F& fields) {
  Table& t = table_;
  visit_options(fields, t.options);
  const int players = t.options.players;
  fields.number("viewer", viewer_);
  fields.choice("phase", kPhaseNames, t.phase);
  fields.number("round", t.round);
  fields.number("start_player", t.start_player);
  fields.number("mover", t.mover);

  visit_set(fields, "town", domain(kAdvantageDomain), t.town);
  visit_pair(fields, "town_builders", t.town, t.town_builders, players);
  visit_set(fields, "craftsmen", domain(kCraftsmanDomain), t.craftsmen_row);
  visit_set(fields, "shiring", domain(kCraftsmanDomain), t.shiring);
  visit_pair(fields, "shiring_builders", t.shiring, t.shiring_builders, players);
  visit_set(fields, "quarries", domain(kQuarryDomain), t.quarries);
  fields.numbers("stock", t.stock);
  visit_set(fields, "unseen_advantages", domain(kAdvantageDomain), t.unseen_advantages);
  visit_set(fields, "unseen_events", domain(kEventDomain), t.unseen_events);
  fields.component("event", domain(kEventDomain), t.event);
  fields.flag("event_known", t.event_known);
  visit_holder(fields, "looked", t.looked, players);

  visit_builders(fields, t);
  FixedVector<std::uint8_t, kMaxSeats> bag;
  for (unsigned i = 0; !F::kReads && i < t.options.players; ++i) bag.push_back(t.bag[i]);
  fields.list("bag", bag);
  if constexpr (F::kReads) {
    if (bag.size() != t.options.players) fields.refuse("bag", "one number for each of the players");
    for (unsigned i = 0; i < bag.size(); ++i) t.bag[i] = bag[i];
  }
  visit_holder(fields, "drawn", t.drawn, players);
  fields.number("dealt", t.dealt);
  fields.flag("free", t.free);
  fields.flag("refused", t.refused);
  visit_dial(fields, t);
  fields.number("die", t.die);
  visit_holder(fields, "exempt", t.exempt, players);
  fields.component("market_space", domain(kSpaceDomain), t.market_space);
  fields.component("asked", domain(kCraftsmanDomain), t.asked);
  fields.number("made", t.made);
  fields.component("boosted", domain(kCraftsmanDomain), t.boosted);
  visit_used(fields, t);
  fields.number("excess", t.excess);
  fields.component("dropping", domain(kGoodDomain), t.dropping);

  FixedVector<Seat, kMaxSeats> seats;
  for (unsigned i = 0; !F::kReads && i < t.options.players; ++i) seats.push_back(t.seats[i]);
  fields.group("seats", seats, [](F& inner, Seat& seat) { visit_seat(inner, seat); });
  if constexpr (F::kReads) {
    if (seats.size() != t.options.players) fields.refuse("seats", "one entry for each of the players");
    for (unsigned i = 0; i < seats.size(); ++i) t.seats[i] = seats[i];
  }
}

// Writing visitors change nothing, but share the list with reading ones.
template <class F>
void View::visit_fields(F& fields) const {
  static_assert(!F::kReads);
  View copy = *this;
  copy.visit_fields(fields);
}

}  // namespace kingsbridge::pillars
