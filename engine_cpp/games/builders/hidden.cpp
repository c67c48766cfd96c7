// Views from outside: stored, and refused unless a game can come to them. (Nothing is hidden in this game: imagine is a copy.)
#include <algorithm>
#include <utility>

#include "games/builders/view_fields.hpp"

namespace kingsbridge::builders {
namespace {

Violation broken(std::string field, std::string rule) { return {std::move(field), std::move(rule)}; }

std::string seat_field(unsigned seat, std::string_view field) { return "seats[" + std::to_string(seat) + "]." + std::string(field); }

std::string name_of(const Domain& domain, unsigned index) { return std::string(domain.symbols[index]); }

bool in_setup(const Table& t) { return t.phase == Phase::kStart || t.phase == Phase::kApprentices || t.round == 0; }

bool in_turn(const Table& t) { return (t.phase == Phase::kPlay || t.phase == Phase::kReveal) && t.round > 0; }

unsigned order(const Table& t, unsigned seat) { return place_in_round(seat, t.start_player, t.options.players); }

Bits single(std::uint8_t id) { return id == kNone ? 0 : bit(id); }

// Coins that selling the actions left in a turn brings at most: 1, 2, 3, 1, ... each.
unsigned coins_to_sell(const Table& t, unsigned actions) {
  unsigned coins = 0;
  for (unsigned i = 0; i < actions; ++i) coins += (t.sold + i) % 3 + 1;
  return coins;
}

// Most coins a seat can own: the start, its finished sites, and all actions of all its turns sold. An action bought for 5 never earns more
// than 3, so the mover's coins and what his actions can still bring stay below it as well.
unsigned most_coins(const Table& t, unsigned seat) {
  const bool has_moved = t.phase == Phase::kOver || order(t, seat) <= order(t, t.mover);
  const unsigned turns = t.round == 0 ? 0 : t.round - (has_moved ? 0u : 1u);
  unsigned coins = kStartCoins + 6 * turns;
  for_each(t.seats[seat].done, [&](unsigned site) { coins += kSites[site].coins; });
  return coins;
}

// What a reader cannot even write: numbers outside their types, seats that do not play. Guards the checks below, which index by them.
Violation check_ranges(const View& view) {
  const Table& t = view.table();
  if (t.options.players > kMaxSeats) return broken("players", "2 to 4 play");
  if (t.options.visible_tops > 1 || t.options.cumulative_coins > 1) return broken("visible_tops", "true or false");
  if (t.phase > Phase::kOver) return broken("phase", "a phase of the game");
  const Bits workers = kAllWorkers | ((Bits{1} << kFaces) - 1);
  if ((t.site_row | t.site_deck) & ~kAllSites || (t.worker_row | t.worker_deck) & ~workers)
    return broken("building_row", "cards of the game");
  if ((t.site_top != kNone && t.site_top >= kSiteCount) || (t.worker_top != kNone && t.worker_top >= kFirstMachine))
    return broken("building_top", "a card of the deck");
  for (unsigned index = 0; index < t.place.size(); ++index)
    if (t.place[index] > (index <= kTwin ? unsigned{kSiteCount} : 0u)) return broken("seats", "workers stand on sites");
  const auto alone = [](Bits set) { return contains(set, kTwin) && !contains(set, kDoubleFace); };
  if (alone(t.worker_row)) return broken("worker_row", "the second card of a face stands beside the first");
  if (alone(t.worker_deck)) return broken("unseen_workers", "the second card of a face stands beside the first");
  for (unsigned seat = 0; seat < kMaxSeats; ++seat) {
    const Seat& own = t.seats[seat];
    if (alone(own.idle)) return broken("seats", "the second card of a face stands beside the first");
    const bool plays = seat < t.options.players;
    if (own.idle & ~workers || (own.open | own.done) & ~kAllSites || (!plays && (own.idle | own.open | own.done) != 0))
      return broken("seats", "cards of the game, in seats that play");
  }
  return {};
}

// What follows from the other fields, and the order of the two cards of one face.
Violation check_derived(const View& view) {
  const Table& t = view.table();
  Table again = t;
  again.missing = {};
  again.place = {};
  again.sent = {};
  again.points = {};
  again.coins = {};
  again.zero = {};
  for (unsigned seat = 0; seat < t.options.players; ++seat) {
    again.seats[seat] = {};
    if (!store_seat(again, seat, seat_fields(t, seat))) return broken("seats", "a worker stands in one place");
  }
  return again == t ? Violation{} : broken("seats", "what follows from the other fields");
}

Violation check_options(const View& view) {
  const Options& options = view.table().options;
  if (options.players < 2 || options.players > kMaxSeats) return broken("players", "2 to 4 play");
  if (options.max_rounds < 1) return broken("max_rounds", "at least 1");
  if (view.viewer() < kSpectator || view.viewer() >= options.players) return broken("viewer", "a seat, or -1 for a spectator");
  return {};
}

Violation check_turn(const View& view) {
  const Table& t = view.table();
  if (t.start_player >= t.options.players) return broken("start_player", "a seat");
  if (t.mover >= t.options.players) return broken("mover", "a seat");
  const bool setup = t.phase == Phase::kStart || t.phase == Phase::kApprentices;
  if (t.round > t.options.max_rounds) return broken("round", "at most max_rounds");
  if (setup && t.round != 0) return broken("round", "0 before the first turn");
  if ((t.phase == Phase::kPlay || t.phase == Phase::kOver) && t.round == 0) return broken("round", "from 1 in play");
  if (t.options.cumulative_coins == 0 ? t.sold != 0 : t.sold > 2) return broken("coins_sold", "0 to 2, and only with cumulative_coins");
  if (!in_turn(t)) {
    if (t.actions != 0) return broken("actions", "0 outside a turn");
    if (t.sold != 0) return broken("coins_sold", "0 outside a turn");
    const unsigned mover = t.phase == Phase::kStart || t.phase == Phase::kOver ? 0 : t.start_player;
    if (t.mover != mover) return broken("mover", "the start player during setup, 0 before and after the game");
  } else {
    const unsigned most = most_coins(t, t.mover);
    const unsigned bought = t.coins[t.mover] <= most ? (most - t.coins[t.mover]) / kActionPrice : 0;
    if (t.actions > kTurnActions + bought) return broken("actions", "three, and those that could be bought");
  }
  return {};
}

// Each site card lies in exactly one place.
Violation check_sites(const View& view) {
  const Table& t = view.table();
  Bits seen = 0;
  Violation result;
  const auto add = [&](Bits set, const std::string& field) {
    if (!result && (seen & set) != 0) result = broken(field, name_of(site_domain(), lowest(seen & set)) + " lies in one place only");
    seen |= set;
  };
  add(t.site_row, "building_row");
  add(single(t.site_top), "building_top");
  for (unsigned seat = 0; seat < t.options.players; ++seat) {
    add(t.seats[seat].open, seat_field(seat, "sites"));
    add(t.seats[seat].done, seat_field(seat, "completed"));
  }
  add(t.site_deck, "unseen_buildings");
  if (!result && seen != kAllSites) return broken("unseen_buildings", name_of(site_domain(), lowest(kAllSites & ~seen)) + " lies nowhere");
  return result;
}

// Each worker card lies in exactly one place, the two of the double face in two.
Violation check_workers(const View& view) {
  const Table& t = view.table();
  std::array<unsigned, kFaces> seen{};
  const auto add = [&](Bits set) { for_each(set, [&](unsigned index) { ++seen[face_of(index)]; }); };
  if (((t.worker_row | t.worker_deck | single(t.worker_top)) & ~kAllWorkers) != 0)
    return broken("worker_row", "machines are no cards of the worker deck");
  add(t.worker_row);
  add(t.worker_deck);
  add(single(t.worker_top));
  for (unsigned seat = 0; seat < t.options.players; ++seat) {
    add(t.seats[seat].idle);
    for_each(t.seats[seat].open, [&](unsigned site) { add(at_work(t, site)); });
  }
  for (unsigned face = 0; face < kFirstMachine; ++face) {
    const unsigned copies = worker_domain().copies[face];
    if (seen[face] < copies) return broken("unseen_workers", name_of(worker_domain(), face) + " is missing");
    if (seen[face] > copies) return broken("unseen_workers", name_of(worker_domain(), face) + " lies in more places than it has cards");
  }
  for (unsigned m = kFirstMachine; m < kFaces; ++m)
    if (seen[m] > 1) return broken("seats", name_of(worker_domain(), m) + " works in one place");
  return {};
}

// A finished machine works for its owner, and for nobody before.
Violation check_machines(const View& view) {
  const Table& t = view.table();
  for (unsigned seat = 0; seat < t.options.players; ++seat) {
    Bits own = t.seats[seat].idle;
    for_each(t.seats[seat].open, [&](unsigned site) { own |= at_work(t, site); });
    for (unsigned site = kFirstMachineSite; site < kSiteCount; ++site)
      if (contains(own, machine_of(site)) != contains(t.seats[seat].done, site))
        return broken(seat_field(seat, "idle"), name_of(worker_domain(), machine_of(site)) + " works for the seat that completed it");
  }
  return {};
}

Violation check_work(const View& view) {
  const Table& t = view.table();
  for (unsigned seat = 0; seat < t.options.players; ++seat) {
    Violation result;
    for_each(t.seats[seat].open, [&](unsigned site) {
      if (result) return;
      if (t.missing[site] == 0)
        result = broken(seat_field(seat, "sites"), name_of(site_domain(), site) + " has all it needs and would be complete");
      if (t.sent[site] == 0) return;
      if (!in_turn(t) || seat != t.mover) result = broken(seat_field(seat, "sites"), "only the mover has sent workers this turn");
      if (t.sent[site] > count(at_work(t, site)))
        result = broken(seat_field(seat, "sites"), "sent counts workers of this turn on the site");
    });
    if (result) return result;
    const unsigned to_come = in_turn(t) && seat == t.mover ? coins_to_sell(t, t.actions) : 0;
    if (t.coins[seat] + to_come > most_coins(t, seat)) return broken(seat_field(seat, "coins"), "more than the seat can have earned");
  }
  return {};
}

// The order of play: the game would have ended if a seat that still has a turn this round had reached the goal before.
Violation check_end(const View& view) {
  const Table& t = view.table();
  const auto players = t.options.players;
  if (t.phase == Phase::kOver) {
    const auto* points = t.points.data();
    const bool reached = std::any_of(points, points + players, [](unsigned p) { return p >= kGoal; });
    if (!reached && t.round != t.options.max_rounds) return broken("phase", "the game ends at 17 points or after max_rounds");
  } else if (in_turn(t)) {
    for (unsigned seat = 0; seat < players; ++seat)
      if (seat != t.mover && t.points[seat] >= kGoal && order(t, seat) > order(t, t.mover))
        return broken(seat_field(seat, "points"), "17 points in an earlier round would have ended the game");
  }
  return {};
}

Violation check_row(const Table& t, std::string_view name, Bits row, std::uint8_t top) {
  const std::string field(name);
  if (count(row) > kRow) return broken(field + "_row", "at most five cards");
  if (top != kNone && t.options.visible_tops == 0) return broken(field + "_top", "empty without visible_tops");
  if (top != kNone && count(row) < kRow) return broken(field + "_top", "a card of the deck fills the row first");
  return {};
}

// Rows are full, or the deck is empty, or the next card is due.
Violation check_rows(const View& view) {
  const Table& t = view.table();
  if (auto found = check_row(t, "building", t.site_row, t.site_top)) return found;
  if (auto found = check_row(t, "worker", t.worker_row, t.worker_top)) return found;
  const Pending next = pending(t);
  if (t.phase == Phase::kPlay || t.phase == Phase::kOver)
    return next == Pending::kNothing ? Violation{} : broken("phase", "a card is due: reveal");
  if (t.phase != Phase::kReveal) {
    if ((t.site_row | t.worker_row) != 0) return broken("building_row", "empty before the deal");
    return {};
  }
  if (next == Pending::kNothing) return broken("phase", "no card is due");
  if (t.round == 0) {
    const bool tops_too_early = t.site_top != kNone && next != Pending::kWorkerToTop;
    if (next == Pending::kSiteToRow && t.worker_row != 0) return broken("worker_row", "the building row is dealt first");
    if (tops_too_early || t.worker_top != kNone) return broken("building_top", "the rows are dealt before the deck tops");
    return {};
  }
  // In play one card was taken, so one is due.
  const unsigned sites = count(t.site_row) + (t.site_top != kNone ? 1u : 0u);
  const unsigned workers = count(t.worker_row) + (t.worker_top != kNone ? 1u : 0u);
  const unsigned full = kRow + (t.options.visible_tops != 0 ? 1u : 0u);
  const bool site_due = t.site_deck != 0 && sites < full;
  const bool worker_due = t.worker_deck != 0 && workers < full;
  if ((site_due && sites + 1 < full) || (worker_due && workers + 1 < full) || (site_due && worker_due))
    return broken("phase", "one card at a time is due");
  return {};
}

// Before the first turn nobody has more than coins and an apprentice.
Violation check_setup(const View& view) {
  const Table& t = view.table();
  if (!in_setup(t)) return {};
  if (t.phase == Phase::kStart && t.start_player != 0) return broken("start_player", "0 before it is drawn");
  bool dealt = t.phase != Phase::kStart;
  for (unsigned seat = 0; seat < t.options.players; ++seat) {
    const Seat& own = t.seats[seat];
    if ((own.open | own.done) != 0) return broken(seat_field(seat, "sites"), "none before the first turn");
    if (t.coins[seat] != kStartCoins) return broken(seat_field(seat, "coins"), "10 before the first turn");
    const bool apprentice = count(own.idle) == 1 && (own.idle & ~kApprentices) == 0;
    if (own.idle != 0 && !apprentice) return broken(seat_field(seat, "idle"), "one apprentice before the first turn");
    if (own.idle != 0 && !dealt) return broken(seat_field(seat, "idle"), "apprentices are dealt in seat order");
    dealt = dealt && own.idle != 0;
  }
  if (t.phase != Phase::kStart && dealt == (t.phase == Phase::kApprentices))
    return broken("phase", "apprentices are due until each seat has one");
  return {};
}

}  // namespace

SeatFields seat_fields(const Table& table, unsigned seat) {
  const Seat& own = table.seats[seat];
  SeatFields fields;
  fields.completed = list_of(own.done);
  fields.coins = table.coins[seat];
  fields.idle = list_of(own.idle);
  for_each(own.open, [&](unsigned site) {
    fields.sites.push_back({static_cast<std::uint8_t>(site), list_of(at_work(table, site)), table.sent[site]});
  });
  return fields;
}

bool store_seat(Table& table, unsigned seat, const SeatFields& fields) {
  Seat& own = table.seats[seat];
  own.done = set_of(fields.completed);
  own.idle = set_of(fields.idle);
  table.coins[seat] = fields.coins;
  table.points[seat] = static_cast<std::uint8_t>(points_of(own.done));
  for (const SiteFields& site : fields.sites) {
    if (contains(own.open, site.site)) return false;
    own.open |= bit(site.site);
    table.missing[site.site] = missing_on(site.site, site.workers);
    table.sent[site.site] = site.sent;
    for (const auto face : site.workers) {
      const unsigned index = face == kDoubleFace && table.place[face] != 0 ? kTwin : face;
      if (table.place[index] != 0) return false;
      table.place[index] = static_cast<std::uint8_t>(site.site + 1);
    }
  }
  if (table.place[kTwin] != 0 && table.place[kDoubleFace] > table.place[kTwin]) std::swap(table.place[kDoubleFace], table.place[kTwin]);
  return true;
}

Violation State::check(const View& view) {
  // Ranges, options and seats first: the later checks index by them.
  for (const auto check : {check_ranges, check_options, check_turn, check_sites, check_workers, check_machines, check_work, check_setup,
                           check_rows, check_end, check_derived})
    if (auto found = check(view)) return found;
  return {};
}

}  // namespace kingsbridge::builders
