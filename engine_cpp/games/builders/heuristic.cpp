// A few words of knowledge: the light rollout policy and the greedy bot's order of actions.
#include "games/builders/builders.hpp"
#include "games/builders/tables.hpp"

namespace kingsbridge::builders {
namespace {

constexpr unsigned kOpenSites = 2;  // more at a time lose (rules file, strategy: 73:27 against up to four)
constexpr unsigned kCrew = 6;       // workers worth having

// Values below are in tenths of a coin, ten coins to the point.

std::int32_t worth(unsigned site) { return 100 * kSites[site].points + 10 * kSites[site].coins; }

// Production of all workers at hand together, each resource capped at 7.
Packed crew_production(const Table& t) {
  unsigned sum[4] = {0, 0, 0, 0};
  for_each(t.seats[t.mover].idle, [&](unsigned index) {
    for (unsigned r = 0; r < 4; ++r) sum[r] += kProduction[index] >> (4 * r) & 7u;
  });
  unsigned result = 0;
  for (unsigned r = 0; r < 4; ++r) result |= (sum[r] < 7 ? sum[r] : 7u) << (4 * r);
  return static_cast<Packed>(result);
}

// Completing pays the card; a part pays by its share of the need, less what is wasted and the dearer actions.
std::int32_t value_of_send(const Table& t, unsigned face, unsigned site) {
  const Packed left = without(t.missing[site], kProduction[face]);
  const auto added = static_cast<std::int32_t>(total(t.missing[site]) - total(left));
  const auto wasted = static_cast<std::int32_t>(total(kProduction[face])) - added;
  if (added == 0) return -1000;
  const std::int32_t dearer = 60 * t.sent[site];
  if (left == 0) return 1000 + worth(site) - 10 * wasted - dearer;
  return 60 + worth(site) * added / static_cast<std::int32_t>(total(kNeed[site])) / 4 - 25 * wasted - dearer;
}

// A site is worth opening while few are open and the crew at hand covers most of it.
std::int32_t value_of_open(const Table& t, unsigned site) {
  if (count(t.seats[t.mover].open) >= kOpenSites) return -1000;
  const auto uncovered = static_cast<std::int32_t>(total(without(kNeed[site], crew_production(t))));
  return 150 + worth(site) / 4 - 30 * uncovered;
}

// A worker is worth what he adds to the sites that the crew cannot finish alone.
std::int32_t value_of_recruit(const Table& t, unsigned face) {
  const Seat& seat = t.seats[t.mover];
  if (count(seat.idle) >= kCrew) return -1000;
  const Packed crew = crew_production(t);
  std::int32_t useful = 0;
  for_each(seat.open, [&](unsigned site) {
    const Packed gap = without(t.missing[site], crew);
    useful += static_cast<std::int32_t>(total(gap) - total(without(gap, kProduction[face])));
  });
  return 10 * static_cast<std::int32_t>(total(kProduction[face])) + 35 * useful;
}

// Coins are for those who cannot pay their workers.
std::int32_t value_of_coins(const Table& t, unsigned k) { return (t.coins[t.mover] < 4 ? 100 : 5) + static_cast<std::int32_t>(k); }

// An extra action is worth its five coins when it completes a site now.
std::int32_t value_of_buy(const Table& t) {
  const Seat& seat = t.seats[t.mover];
  std::int32_t best = -1000;
  if (t.actions > 0) return best;
  for_each(seat.open, [&](unsigned site) {
    if (t.sent[site] > 0) return;
    for_each(faces(seat.idle), [&](unsigned face) {
      const bool finishes = without(t.missing[site], kProduction[face]) == 0 && kWage[face] + kActionPrice <= t.coins[t.mover];
      if (finishes && kSites[site].points >= 3) best = 100 * kSites[site].points;
    });
  });
  return best;
}

}  // namespace

// Few open sites, only sends that add something missing, no bought actions; a site that can be completed is completed.
Action State::sample_light(Rng& rng) const {
  const Table& t = table;
  if (t.actions == 0) return pack(kEnd);
  const Seat& seat = t.seats[t.mover];
  const unsigned coins = t.coins[t.mover];
  ActionList choices;
  for (Bits sites = seat.open; sites != 0; sites &= sites - 1) {
    const unsigned site = lowest(sites);
    if (t.sent[site] + 1u > t.actions) continue;
    for (Bits idle = faces(seat.idle); idle != 0; idle &= idle - 1) {
      const unsigned face = lowest(idle);
      if (kWage[face] > coins) continue;
      const Packed left = without(t.missing[site], kProduction[face]);
      if (left == 0) return pack(kSend, face, site);
      if (left != t.missing[site]) choices.push_back(pack(kSend, face, site));
    }
  }
  if (count(seat.open) < kOpenSites) for_each(t.site_row, [&](unsigned site) { choices.push_back(pack(kOpen, site)); });
  if (count(seat.idle) < kCrew) for_each(faces(t.worker_row), [&](unsigned face) { choices.push_back(pack(kRecruit, face)); });
  if (choices.empty()) return pack(kCoins, (t.actions < 3 ? t.actions : 3) - 1u);
  return choices[rng.below(static_cast<std::uint32_t>(choices.size()))];
}

std::int32_t State::heuristic(Action action) const {
  const Table& t = table;
  switch (kind_of(action)) {
    case kSend: return value_of_send(t, argument(action, 0), argument(action, 1));
    case kOpen: return value_of_open(t, argument(action, 0));
    case kRecruit: return value_of_recruit(t, argument(action, 0));
    case kCoins: return value_of_coins(t, argument(action, 0) + 1);
    case kBuy: return value_of_buy(t);
    default: return 0;  // end: legal only when nothing but buying is left
  }
}

}  // namespace kingsbridge::builders
