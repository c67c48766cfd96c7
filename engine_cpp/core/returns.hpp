// What a game is worth to each seat, and the utility that search maximises.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/types.hpp"

namespace kingsbridge {

struct Returns {
  std::array<std::int32_t, kMaxSeats> score{};  // as the rules count it
  std::array<std::int32_t, kMaxSeats> rank{};   // higher is better, tie-breaks included; equal values share the place
};

// Integers, so that sums over rollouts are exact and equal on every machine and in every language.
using Utility = std::int32_t;
inline constexpr Utility kUtilityOne = 1 << 16;  // a sure win

// How a result becomes a utility: partly by the share of the win, partly by the margin to the best other seat. The win alone is too coarse
// a signal for some hundred rollouts, the margin alone plays for second place.
struct UtilityRule {
  Utility margin = kUtilityOne / 2;  // the margin's part
  std::int32_t reach = 16;           // points at which a margin is clipped, from 1

  // Of a share of the win, and a margin in units of 1 / `point` points.
  Utility blend(Utility share, std::int32_t ahead, std::int32_t point) const {
    const std::int64_t most = std::int64_t{reach} * point;
    const std::int64_t by_margin = (std::clamp<std::int64_t>(ahead, -most, most) + most) * kUtilityOne / (2 * most);
    return static_cast<Utility>((std::int64_t{share} * (kUtilityOne - margin) + by_margin * margin) / kUtilityOne);
  }
};

// Points of a seat ahead of the best other one, or behind it.
inline std::int32_t lead_of(const std::array<std::int32_t, kMaxSeats>& points, int players, std::size_t seat) {
  std::int32_t rival = INT32_MIN;
  for (std::size_t other = 0; other < static_cast<std::size_t>(players); ++other)
    if (other != seat) rival = std::max(rival, points[other]);
  return points[seat] - rival;
}

// Seats with the best rank share the win.
inline int winners(const Returns& returns, int players) {
  const auto* first = returns.rank.data();
  return static_cast<int>(std::count(first, first + players, *std::max_element(first, first + players)));
}

// What each seat will have in the end by an evaluation, in units of 1 / kOutlookPoint points.
using Outlook = std::array<std::int32_t, kMaxSeats>;
inline constexpr std::int32_t kOutlookPoint = 16;

// What a game is worth to each seat: its utility, its share of the win (a whole one is kUtilityOne), and its score.
struct Worth {
  std::array<Utility, kMaxSeats> utilities{};
  std::array<Utility, kMaxSeats> shares{};
  Outlook scores{};
};

inline Worth worth_of(const Returns& returns, int players, const UtilityRule& rule = {}) {
  const auto* ranks = returns.rank.data();
  const std::int32_t best = *std::max_element(ranks, ranks + players);
  const Utility share = kUtilityOne / winners(returns, players);
  Worth worth;
  for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p) {
    worth.shares[p] = ranks[p] == best ? share : 0;
    worth.utilities[p] = rule.blend(worth.shares[p], lead_of(returns.score, players, p), 1);
    worth.scores[p] = returns.score[p] * kOutlookPoint;
  }
  return worth;
}

// The lead in an outlook, in its units, that makes the odds of the win 4 to 1. In the utility it is what searches play best with, in the
// share of the win that they tell what it took in games.
struct OutlookLead {
  std::int32_t utility = 12 * kOutlookPoint;
  std::int32_t share = utility;
};

// The win by a logistic law.
inline std::array<Utility, kMaxSeats> shares_by(const Outlook& outlook, int players, std::int32_t lead) {
  const std::int32_t best = *std::max_element(outlook.data(), outlook.data() + players);
  std::array<double, kMaxSeats> odds{};
  double sum = 0;
  for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p) sum += odds[p] = std::exp2((outlook[p] - best) * (2.0 / lead));
  std::array<Utility, kMaxSeats> shares{};
  for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p) shares[p] = static_cast<Utility>(odds[p] / sum * kUtilityOne);
  return shares;
}

// Of a game that is not over; the margin counts as in worth_of().
inline Worth expected_worth(const Outlook& outlook, int players, const OutlookLead& lead = {}, const UtilityRule& rule = {}) {
  const std::array<Utility, kMaxSeats> wins = shares_by(outlook, players, lead.utility);
  Worth worth{.shares = lead.share == lead.utility ? wins : shares_by(outlook, players, lead.share), .scores = outlook};
  for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p)
    worth.utilities[p] = rule.blend(wins[p], lead_of(outlook, players, p), kOutlookPoint);
  return worth;
}

}  // namespace kingsbridge
