// What evaluations say: means over queries, how sure they are, and which measures they set apart.
#include "navvy/evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>

#include "navvy/error.hpp"

namespace navvy {
namespace {

// How many standard errors to both sides of a mean hold 95 % of Student's t: by a table where the
// degrees of freedom are few, then by its expansion around the normal distribution (Cornish and
// Fisher), which has five digits right from there on.
double standard_errors(std::size_t freedom) {
  constexpr auto few = std::to_array(
      {12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157});
  if (freedom <= few.size()) return few[freedom - 1];
  constexpr double z = 1.959963985;
  constexpr double z2 = z * z;
  const double by = 1 / static_cast<double>(freedom);
  const double first = z * (z2 + 1) / 4;
  const double second = z * (5 * z2 * z2 + 16 * z2 + 3) / 96;
  const double third = z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / 384;
  const double fourth =
      z * (79 * z2 * z2 * z2 * z2 + 776 * z2 * z2 * z2 + 1482 * z2 * z2 - 1920 * z2 - 945) / 92160;
  return z + by * (first + by * (second + by * (third + by * fourth)));
}

}  // namespace

Estimate estimate(std::span<const double> values, double least, double most) {
  if (values.empty()) return {0, least, most};
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (values.size() == 1) return {mean, least, most};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  double half = standard_errors(values.size() - 1) * std::sqrt(squares / (count - 1) / count);
  // Differences of shares can be the same and yet differ in their last digits.
  constexpr double noise = 1e-12;
  const auto [low, high] = std::ranges::minmax(values);
  if (high - low <= noise * (most - least)) half = 3 / count * (most - least);
  return {mean, std::max(least, mean - half), std::min(most, mean + half)};
}

std::size_t Evaluation::place_of(std::size_t top) const {
  const auto found = std::ranges::find(tops, top);
  if (found == tops.end())
    throw Error(ErrorCode::usage, "lists of " + std::to_string(top) + " were not evaluated");
  return static_cast<std::size_t>(found - tops.begin());
}

std::vector<double> Evaluation::of_each(std::size_t place) const {
  std::vector<double> shares;
  shares.reserve(asked.size());
  const auto length = static_cast<double>(tops[place]);
  for (std::size_t i = 0; i < asked.size(); ++i)
    shares.push_back(equal[i * tops.size() + place] / length);
  return shares;
}

Estimate difference(const Evaluation& a, const Evaluation& b, std::size_t top) {
  if (a.asked != b.asked)
    throw Error(ErrorCode::usage, "evaluations with different queries cannot be compared in pairs");
  std::vector<double> apart = a.of_each(a.place_of(top));
  const std::vector<double> other = b.of_each(b.place_of(top));
  for (std::size_t i = 0; i < apart.size(); ++i) apart[i] -= other[i];
  return estimate(apart, -1, 1);
}

std::vector<std::size_t> not_clearly_worse(std::span<const Evaluation> evaluations,
                                           std::size_t top) {
  const auto precision = [&](std::size_t i) {
    return evaluations[i].precision[evaluations[i].place_of(top)].mean;
  };
  std::vector<std::size_t> order(evaluations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](auto i, auto j) { return precision(i) > precision(j); });
  const auto is_clearly_worse = [&](std::size_t i) {
    return i != order.front() &&
           difference(evaluations[order.front()], evaluations[i], top).low > 0;
  };
  std::vector<std::size_t> left;
  std::ranges::copy_if(order, std::back_inserter(left),
                       [&](std::size_t i) { return !is_clearly_worse(i); });
  return left;
}

}  // namespace navvy
