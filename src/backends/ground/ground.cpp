// The Euclidean ground distance in floats, and why its error is what it promises.
#include "backends/ground/ground.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "core/coordinate_range.hpp"

namespace navvy::backends {
namespace {

// Half a unit in the last place of a float.
constexpr double unit = 0x1p-24;

bool are_integers(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return value == std::nearbyint(value); });
}

// Let N be |a|^2 + |b|^2 for m dimensions. Its terms are off by m units of N, their sum by another,
// and 2ab by m units of N, since 2|ab| <= N. The difference is used where it is at least N / 4, so
// the square is off by 4 (2m + 1) + 1 units of itself and its root by half of that and a unit; the
// direct sum used elsewhere is better. The quotient makes room for products of errors.
double general_error(std::size_t dimensions) {
  const double error = (4.0 * static_cast<double>(dimensions) + 8) * unit;
  return error < 0.125 ? error / (1 - 4 * error) : 1;
}

// Integers with N below 2^24: every product and partial sum is an integer below 2^24 and so exact.
// The square, at most 2N, is rounded once, and its root once more.
constexpr double integer_error = 2 * unit;

}  // namespace

Ground Ground::euclidean(const Vocabulary& vocabulary, double threshold) {
  return {vocabulary, threshold};
}

Ground::Ground(const Vocabulary& vocabulary, double threshold)
    : vocabulary_(vocabulary),
      threshold_(threshold),
      largest_squared_(static_cast<float>(threshold * threshold)) {
  const std::size_t dimensions = vocabulary.dimensions();
  const core::Extent extent = core::extent_of(vocabulary);
  const double norms = core::largest_norms(dimensions, extent.component);
  const bool integers = norms < 0x1p24 && are_integers(vocabulary.coordinates().span());
  // Twice the largest distance from one coordinate is at least the diameter, by the triangle.
  const double diameter = 2 * extent.farthest * (1 + 0x1p-40);
  promises_.symmetric = true;
  promises_.metric = true;  // with a threshold, too
  promises_.norm = std::isinf(threshold);
  promises_.spacing = integers ? std::min(1.0, threshold) : 0;
  promises_.diameter = std::min(diameter, threshold);
  // What squares lose below the range of floats must be small against the diameter, and no norm may
  // leave the range at its other end.
  const bool in_range =
      norms < core::norms_limit && core::lost_below(dimensions) <= 0x1p-40 * promises_.diameter;
  if (in_range) promises_.relative_error = integers ? integer_error : general_error(dimensions);
}

float Ground::squared_norm(std::uint32_t id) const noexcept {
  float sum = 0;
  for (const float x : vocabulary_.coordinate(id)) sum = std::fma(x, x, sum);
  return sum;
}

float Ground::squared(std::uint32_t from, std::uint32_t to, float from_norm,
                      float to_norm) const noexcept {
  if (from == to) return 0;
  const auto x = vocabulary_.coordinate(from);
  const auto y = vocabulary_.coordinate(to);
  float dot = 0;
  for (std::size_t d = 0; d < x.size(); ++d) dot = std::fma(x[d], y[d], dot);
  const float norms = from_norm + to_norm;
  const float squared = std::max(std::fma(dot, -2.0F, norms), 0.0F);
  if (squared >= norms * 0.25F) return std::min(squared, largest_squared_);
  // So near that the difference of the large numbers has lost their digits.
  float direct = 0;
  for (std::size_t d = 0; d < x.size(); ++d) direct = std::fma(x[d] - y[d], x[d] - y[d], direct);
  return std::min(direct, largest_squared_);
}

float Ground::distance(std::uint32_t from, std::uint32_t to) const noexcept {
  return std::sqrt(squared(from, to));
}

double Ground::exact(std::uint32_t from, std::uint32_t to) const noexcept {
  return std::min(ground_distance(vocabulary_, from, to), threshold_);
}

}  // namespace navvy::backends
