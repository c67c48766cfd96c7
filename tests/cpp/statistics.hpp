// Pearson's chi-square test, for laws on distributions.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace kingsbridge::tests {

// How many standard deviations the chi-square statistic lies above its mean, by the cube root of Wilson and Hilferty (1931).
// Expected counts should be 10 or more.
inline double chi_square_deviation(std::span<const double> observed, std::span<const double> expected) {
  double sum = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) sum += (observed[i] - expected[i]) * (observed[i] - expected[i]) / expected[i];
  if (observed.size() < 2) return sum > 0 ? INFINITY : 0;
  const double freedom = static_cast<double>(observed.size()) - 1;
  const double spread = 2 / (9 * freedom);
  return (std::cbrt(sum / freedom) - (1 - spread)) / std::sqrt(spread);
}

// A sample is refused above this many: once in 30 million for a true sampler, and seeds are fixed.
inline constexpr double kRefused = 5.5;

}  // namespace kingsbridge::tests
