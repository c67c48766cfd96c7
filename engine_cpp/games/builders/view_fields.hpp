// The fields of the view of The Builders, listed once for reading and writing. Names are those of the proto message BuildersView.
#pragma once

#include <array>
#include <string_view>

#include "games/builders/builders.hpp"
#include "games/builders/tables.hpp"

namespace kingsbridge::builders {

inline constexpr std::array<std::string_view, 5> kPhaseNames{"start", "apprentices", "reveal", "play", "over"};

inline const Domain& worker_domain() { return State::kInfo.domains[1]; }
inline const Domain& site_domain() { return State::kInfo.domains[2]; }

struct SiteFields {
  std::uint8_t site = kNone;
  IdList workers;
  std::uint8_t sent = 0;
};

struct SeatFields {
  IdList completed;
  std::uint16_t coins = 0;
  IdList idle;
  FixedVector<SiteFields, kSiteCount> sites;
};

// A pile as component indices, ascending, the second card of the double face beside the first.
inline IdList list_of(Bits set) {
  IdList ids;
  for_each(faces(set), [&](unsigned index) {
    ids.push_back(static_cast<std::uint8_t>(index));
    if (index == kDoubleFace && contains(set, kTwin)) ids.push_back(static_cast<std::uint8_t>(index));
  });
  return ids;
}

inline Bits set_of(const IdList& ids) {
  Bits set = 0;
  for (const auto id : ids) set = with(set, id);
  return set;
}

template <class F>
void visit_workers(F& fields, std::string_view name, Bits& set) {
  IdList ids = list_of(set);
  fields.components(name, worker_domain(), ids);
  if constexpr (F::kReads) set = set_of(ids);
}

template <class F>
void visit_sites(F& fields, std::string_view name, Bits& set) {
  IdList ids = list_of(set);
  fields.components(name, site_domain(), ids);
  if constexpr (F::kReads) set = set_of(ids);
}

inline unsigned points_of(Bits sites) {
  unsigned points = 0;
  for_each(sites, [&](unsigned site) { points += kSites[site].points; });
  return points;
}

inline Packed missing_on(unsigned site, const IdList& workers) {
  Packed missing = kNeed[site];
  for (const auto face : workers) missing = without(missing, kProduction[face]);
  return missing;
}

inline std::array<int, 4> unpacked(Packed resources) {
  return {resources & 7, resources >> 4 & 7, resources >> 8 & 7, resources >> 12 & 7};
}

SeatFields seat_fields(const Table& table, unsigned seat);
// Writes what was read for a seat. False if a worker stands on more sites than he has cards.
bool store_seat(Table& table, unsigned seat, const SeatFields& fields);

template <class F>
void visit_seat(F& fields, SeatFields& seat) {
  fields.components("completed", site_domain(), seat.completed);
  fields.derived_number("points", static_cast<int>(points_of(set_of(seat.completed))));
  fields.number("coins", seat.coins);
  fields.components("idle", worker_domain(), seat.idle);
  fields.group("sites", seat.sites, [](F& inner, SiteFields& site) {
    inner.component("site", site_domain(), site.site);
    if constexpr (F::kReads)
      if (site.site == kNone) inner.refuse("site", "a site has a card");
    inner.components("workers", worker_domain(), site.workers);
    inner.number("sent", site.sent);
    inner.derived_numbers("missing", unpacked(missing_on(site.site, site.workers)));
  });
}

template <class F>
void View::visit_fields(F& fields) {
  Table& t = table_;
  fields.number("players", t.options.players);
  fields.number("max_rounds", t.options.max_rounds);
  fields.flag("visible_tops", t.options.visible_tops);
  fields.flag("cumulative_coins", t.options.cumulative_coins);
  fields.number("viewer", viewer_);
  fields.choice("phase", kPhaseNames, t.phase);
  fields.number("round", t.round);
  fields.number("start_player", t.start_player);
  fields.number("mover", t.mover);
  fields.number("actions", t.actions);
  fields.number("coins_sold", t.sold);
  visit_sites(fields, "building_row", t.site_row);
  fields.component("building_top", site_domain(), t.site_top);
  visit_sites(fields, "unseen_buildings", t.site_deck);
  visit_workers(fields, "worker_row", t.worker_row);
  fields.component("worker_top", worker_domain(), t.worker_top);
  visit_workers(fields, "unseen_workers", t.worker_deck);

  FixedVector<SeatFields, kMaxSeats> seats;
  for (unsigned seat = 0; !F::kReads && seat < t.options.players; ++seat) seats.push_back(seat_fields(t, seat));
  fields.group("seats", seats, [](F& inner, SeatFields& seat) { visit_seat(inner, seat); });
  if constexpr (F::kReads) {
    if (seats.size() != t.options.players) fields.refuse("seats", "one entry for each of the players");
    for (unsigned seat = 0; seat < seats.size(); ++seat)
      if (!store_seat(t, seat, seats[seat])) fields.refuse("seats", "a worker stands in one place");
  }
  fields.derived_flag("final_round", t.phase == Phase::kOver || (t.round > 0 && builders::final_round(t)));
}

// Writing visitors change nothing, but share the list with reading ones.
template <class F>
void View::visit_fields(F& fields) const {
  static_assert(!F::kReads);
  View copy = *this;
  copy.visit_fields(fields);
}

}  // namespace kingsbridge::builders
