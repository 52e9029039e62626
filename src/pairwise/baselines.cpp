// Cosines and centroids of one pair, in double.
#include "pairwise/baselines.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace navvy::pairwise {
namespace {

double squared_length(std::span<const double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight * weight;
  return sum;
}

std::vector<double> centroid(const Vocabulary& vocabulary, const Histogram& histogram,
                             std::span<const double> weights) {
  std::vector<double> sum(vocabulary.dimensions(), 0.0);
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    const auto coordinate = vocabulary.coordinate(histogram.coordinates[i]);
    for (std::size_t d = 0; d < sum.size(); ++d) {
      sum[d] += weights[i] * static_cast<double>(coordinate[d]);
    }
  }
  return sum;
}

}  // namespace

std::vector<Overlap> overlaps(const Histogram& p, const Histogram& q) {
  std::vector<Overlap> common;
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  while (i < p.size() && j < q.size()) {
    if (p.coordinates[i] == q.coordinates[j]) {
      common.push_back({i++, j++});
    } else if (p.coordinates[i] < q.coordinates[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return common;
}

std::vector<Overlap> overlaps(const CostMatrix& costs) {
  std::vector<Overlap> common;
  for (std::uint32_t i = 0; i < costs.rows; ++i) {
    for (std::uint32_t j = 0; j < costs.columns; ++j) {
      if (costs.at(i, j) == 0) common.push_back({i, j});
    }
  }
  return common;
}

Transport bow(std::span<const double> p, std::span<const double> q, std::span<const Overlap> common,
              bool with_flow) {
  // For equal histograms the three sums are the same additions in the same order, and the root of a
  // square is exact, so that the cosine is exactly 1.
  const double lengths = std::sqrt(squared_length(p) * squared_length(q));
  double product = 0;
  Transport result;
  for (const Overlap& overlap : common) {
    const double share = p[overlap.p] * q[overlap.q];
    product += share;
    if (with_flow && share > 0) result.flow.push_back({overlap.p, overlap.q, share / lengths, 0});
  }
  result.distance = std::max(0.0, 1 - product / lengths);
  return result;
}

Transport wcd(const Vocabulary& vocabulary, const Histogram& p, std::span<const double> p_weights,
              const Histogram& q, std::span<const double> q_weights) {
  const std::vector<double> a = centroid(vocabulary, p, p_weights);
  const std::vector<double> b = centroid(vocabulary, q, q_weights);
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  Transport result;
  result.distance = std::sqrt(sum);
  return result;
}

}  // namespace navvy::pairwise
