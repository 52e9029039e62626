#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "navvy/pairwise.hpp"
#include "support/facts.hpp"

namespace navvy::test {

inline std::vector<double> weights_of(const Histogram& histogram) {
  return {histogram.weights.begin(), histogram.weights.end()};
}

/// One pair with its costs in hand.
struct MatrixPair {
  std::vector<double> p, q, values;

  MatrixPair() = default;
  explicit MatrixPair(const Sample& sample)
      : p(weights_of(sample.rows[0])),
        q(weights_of(sample.rows[1])),
        values(ground_distances(sample.vocabulary, sample.rows[0], sample.rows[1])) {}

  [[nodiscard]] CostMatrix costs() const { return {p.size(), q.size(), values}; }
  [[nodiscard]] double largest() const { return *std::max_element(values.begin(), values.end()); }

  [[nodiscard]] Transport run(const Measure& measure, Direction direction = Direction::symmetric,
                              bool with_flow = false) const {
    TransportOptions options;
    options.direction = direction;
    options.with_flow = with_flow;
    return transport(measure, p, q, costs(), options);
  }
  [[nodiscard]] double distance(const Measure& measure,
                                Direction direction = Direction::symmetric) const {
    return run(measure, direction).distance;
  }
};

/// What rounding can do to a cost of this pair: every cost is a sum of at most n = bins of p + bins
/// of q terms per bin, none above weight x largest cost, and weights themselves are divided by a
/// sum of n terms; 4 n epsilon covers both sides of a comparison, the rest is margin.
inline double slack(const MatrixPair& pair) {
  const auto n = static_cast<double>(pair.p.size() + pair.q.size());
  return 16 * n * std::numeric_limits<double>::epsilon() * pair.largest();
}

/// Half of the pairs get costs that no metric has: the facts ask for nonnegative costs alone.
inline MatrixPair random_pair(const Sample& sample, Rng& rng) {
  MatrixPair pair(sample);
  if (chance(rng, 0.5)) {
    const bool tied = chance(rng, 0.5);
    std::uniform_real_distribution<double> uniform(0, 3);
    for (double& value : pair.values) {
      if (value == 0 || chance(rng, 0.3)) continue;
      value = tied ? static_cast<double>(random_size(rng, 0, 3)) : uniform(rng);
    }
  }
  return pair;
}

/// rwmd, omr, act-1, ..., act-15, ict: each a lower bound of the next.
inline std::vector<Measure> relaxations() {
  std::vector<Measure> measures{{MeasureKind::rwmd}, {MeasureKind::omr}};
  for (int j = 1; j <= 15; ++j) measures.push_back({MeasureKind::act, j});
  measures.push_back({MeasureKind::ict});
  return measures;
}

/// Some of them, enough where the number of levels makes no difference to the argument.
inline std::vector<Measure> some_relaxations() {
  return {{MeasureKind::rwmd},   {MeasureKind::omr},     {MeasureKind::act, 1},
          {MeasureKind::act, 3}, {MeasureKind::act, 15}, {MeasureKind::ict}};
}

inline constexpr Direction both_directions[] = {Direction::database_to_query,
                                                Direction::query_to_database};

}  // namespace navvy::test
