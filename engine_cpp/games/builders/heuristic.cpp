// A few words of knowledge: the light rollout policy and the greedy bot's order of actions.
#include "games/builders/builders.hpp"
#include "games/builders/tables.hpp"

namespace kingsbridge::builders {
namespace {

constexpr unsigned kOpenSites = 2;  // more at a time lose (rules file, strategy: 73:27 against up to four)
constexpr unsigned kCrew = 6;       // workers worth having

}  // namespace

// Few open sites, only sends that add something missing, no bought actions; a site that can be completed is completed.
Action State::sample_light(Rng& rng) const {
  const Table& t = table;
  if (t.actions == 0) return pack(kEnd);
  const Seat& seat = t.seats[t.mover];
  const unsigned coins = t.coins[t.mover];
  FixedVector<Action, 512> choices;
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
  const Seat& seat = t.seats[t.mover];
  switch (kind_of(action)) {
    case kSend: {
      const unsigned site = argument(action, 1);
      const Packed left = without(t.missing[site], kProduction[argument(action, 0)]);
      const unsigned added = total(t.missing[site]) - total(left);
      if (added == 0) return -1;
      return static_cast<std::int32_t>(100 + 20 * added + (left == 0 ? 1000 : 0));
    }
    case kOpen: return count(seat.open) < kOpenSites ? 50 + 10 * kSites[argument(action, 0)].points : -1;
    case kRecruit: return count(seat.idle) < kCrew ? 60 + static_cast<std::int32_t>(total(kProduction[argument(action, 0)])) : -1;
    case kCoins: return static_cast<std::int32_t>(argument(action, 0));
    case kEnd: return 0;
    default: return -2;
  }
}

}  // namespace kingsbridge::builders
