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

// Half of the utility is the share of the win, half the margin to the best other seat, clipped to +-kMarginRange points: the win
// alone is too coarse a signal for some hundred rollouts, the margin alone plays for second place.
inline constexpr std::int32_t kMarginRange = 16;

// Seats with the best rank share the win.
inline int winners(const Returns& returns, int players) {
  const auto* first = returns.rank.data();
  return static_cast<int>(std::count(first, first + players, *std::max_element(first, first + players)));
}

inline std::array<Utility, kMaxSeats> utilities(const Returns& returns, int players) {
  const auto* ranks = returns.rank.data();
  const std::int32_t best = *std::max_element(ranks, ranks + players);
  const Utility share = kUtilityOne / winners(returns, players);
  std::array<Utility, kMaxSeats> result{};
  for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p) {
    std::int32_t rival = INT32_MIN;
    for (std::size_t q = 0; q < static_cast<std::size_t>(players); ++q)
      if (q != p) rival = std::max(rival, returns.score[q]);
    const std::int32_t margin = std::clamp(returns.score[p] - rival, -kMarginRange, kMarginRange);
    const Utility by_margin = (margin + kMarginRange) * (kUtilityOne / (2 * kMarginRange));
    result[p] = ((ranks[p] == best ? share : 0) + by_margin) / 2;
  }
  return result;
}

// What each seat will have in the end by an evaluation, in units of 1 / kOutlookPoint points.
using Outlook = std::array<std::int32_t, kMaxSeats>;
inline constexpr std::int32_t kOutlookPoint = 16;

// Utilities of a game that is not over: the win is shared out by a logistic law, in which a lead of kOutlookLead points doubles the odds
// twice; the margin counts as in utilities().
inline constexpr std::int32_t kOutlookLead = 12;

inline std::array<Utility, kMaxSeats> expected_utilities(const Outlook& outlook, int players) {
  const std::int32_t best = *std::max_element(outlook.data(), outlook.data() + players);
  std::array<double, kMaxSeats> odds{};
  double sum = 0;
  for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p)
    sum += odds[p] = std::exp2((outlook[p] - best) * (2.0 / (kOutlookLead * kOutlookPoint)));
  std::array<Utility, kMaxSeats> result{};
  for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p) {
    std::int32_t rival = INT32_MIN;
    for (std::size_t q = 0; q < static_cast<std::size_t>(players); ++q)
      if (q != p) rival = std::max(rival, outlook[q]);
    constexpr std::int32_t range = kMarginRange * kOutlookPoint;
    const std::int32_t margin = std::clamp(outlook[p] - rival, -range, range);
    const Utility by_margin = (margin + range) * (kUtilityOne / (2 * range));
    result[p] = (static_cast<Utility>(odds[p] / sum * kUtilityOne) + by_margin) / 2;
  }
  return result;
}

}  // namespace kingsbridge
