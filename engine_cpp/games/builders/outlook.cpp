// What each seat may expect to have in the end: its standing, and what it has prospects of.
//
// The weights are those of a ridge regression, rounded: of the final scores of 100 light rollouts from each of 21,000 positions, from
// games of greedy, light and searching seats, on what such a position shows. On games left out they explain 82 % of the variance between
// seats; the standing alone, 40 %. Only differences between seats count, so what all have alike has no weight.
#include <algorithm>

#include "games/builders/builders.hpp"
#include "games/builders/tables.hpp"

namespace kingsbridge::builders {
namespace {

using Value = std::int32_t;  // thousandths of a point

constexpr Value kPoint = 1000;
constexpr Value kSiteCoin = 125;  // in the worth of a site
constexpr Value kHundred = 100;   // parts of that worth

// Of a seat that has still to act. The gap is what the leader lacks to the end of the game: the measure of the time to come.
constexpr Value kCoin = 115, kCoinByGap = 9;
constexpr Value kOneSend = 93;  // a site that one worker at hand completes

// As long as there is another round.
constexpr Value kAction = 615;                     // of this round, not yet used
constexpr Value kWagePaid = 140;                   // that can be paid: coins, up to what all workers at hand cost
constexpr Value kMade = 30, kMadeByMachine = 265;  // for each resource that the workers at hand produce
constexpr Value kTwoSends = 18;                    // a site that two workers at hand complete
constexpr Value kReward = 145;                     // for each coin of a site that takes more than one
constexpr Value kSiteByGap = 7;
constexpr Value kMissing = -380, kMissingByGap = -28;  // resources of open sites
constexpr Value kUncovered = -220;                     // of those, what all workers at hand together could not give

// What a seat still has of the game.
struct Rest {
  Value actions;  // of this round
  Value gap;      // 0 in the last round
  bool goes_on;   // there is another round
};

struct Crew {
  std::array<Packed, kFaces + 1> makes;
  unsigned size = 0;
  Packed all = 0;  // together, each resource capped at 7
  Value wages = 0, made = 0, made_by_machines = 0;
};

// The mover's points count when the turn ends; they are never lost, so they are counted now.
bool is_last_round(const Table& t) { return final_round(t) || t.points[t.mover] >= kGoal; }

Rest rest_of(const Table& t, unsigned i) {
  const auto place = [&](unsigned seat) { return place_in_round(seat, t.start_player, t.options.players); };
  if (t.phase == Phase::kOver) return {0, 0, false};
  const unsigned actions = i == t.mover ? t.actions : place(i) > place(t.mover) ? kTurnActions : 0;
  if (is_last_round(t)) return {static_cast<Value>(actions), 0, false};
  const auto* points = t.points.data();
  return {static_cast<Value>(actions), Value{kGoal} - *std::max_element(points, points + kMaxSeats), true};
}

Crew crew_of(Bits idle) {
  Crew crew;
  std::array<unsigned, 4> sum{};
  for_each(idle, [&](unsigned index) {
    const Packed makes = crew.makes[crew.size++] = kProduction[index];
    for (unsigned r = 0; r < 4; ++r) sum[r] += makes >> (4 * r) & 7u;
    crew.wages += kWage[index];
    crew.made += static_cast<Value>(total(makes));
    if (index >= kFirstMachine && index != kTwin) crew.made_by_machines += static_cast<Value>(total(makes));
  });
  for (unsigned r = 0; r < 4; ++r) crew.all = static_cast<Packed>(crew.all | std::min(sum[r], 7u) << (4 * r));
  return crew;
}

bool completes(const Crew& crew, Packed missing, unsigned from = 0) {
  for (unsigned i = from; i < crew.size; ++i)
    if (without(missing, crew.makes[i]) == 0) return true;
  return false;
}

bool two_complete(const Crew& crew, Packed missing) {
  if (without(missing, crew.all) != 0) return false;
  for (unsigned i = 0; i + 1 < crew.size; ++i)
    if (completes(crew, without(missing, crew.makes[i]), i + 1)) return true;
  return false;
}

Value site_outlook(const Table& t, const Crew& crew, const Rest& rest, unsigned site) {
  const Packed missing = t.missing[site];
  const Value worth = kPoint * kSites[site].points + kSiteCoin * kSites[site].coins;
  const bool in_one = completes(crew, missing);
  Value value = in_one ? worth * kOneSend / kHundred : 0;
  if (!rest.goes_on) return value;
  if (!in_one) value += kReward * kSites[site].coins;
  if (!in_one && two_complete(crew, missing)) value += worth * kTwoSends / kHundred;
  value += worth * rest.gap * kSiteByGap / kHundred + kUncovered * static_cast<Value>(total(without(missing, crew.all)));
  return value + static_cast<Value>(total(missing)) * (kMissing + kMissingByGap * rest.gap);
}

Value prospects(const Table& t, unsigned i, const Rest& rest) {
  const Value coins = t.coins[i];
  if (!rest.goes_on && rest.actions == 0) return kPoint * (coins / Value{kCoinsPerPoint});
  const Crew crew = crew_of(t.seats[i].idle);
  Value value = coins * (kCoin + kCoinByGap * rest.gap);
  for_each(t.seats[i].open, [&](unsigned site) { value += site_outlook(t, crew, rest, site); });
  if (!rest.goes_on) return value;
  return value + kAction * rest.actions + kWagePaid * std::min(coins, crew.wages) + kMade * crew.made +
         kMadeByMachine * crew.made_by_machines;
}

}  // namespace

Outlook State::outlook() const {
  const Table& t = table;
  Outlook outlook{};
  for (unsigned i = 0; i < t.options.players; ++i)
    outlook[i] = (kPoint * t.points[i] + prospects(t, i, rest_of(t, i))) * kOutlookPoint / kPoint;
  return outlook;
}

}  // namespace kingsbridge::builders
