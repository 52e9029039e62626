// Distances as they are defined, to the bit, by loops that anyone can check; and the same in double
// with how far the two may be apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/backend.hpp"
#include "backends/ground/ground.hpp"
#include "core/pieces.hpp"
#include "navvy/pairwise.hpp"

namespace navvy::test {

/// How many of the nearest bins a relaxation looks at.
inline std::size_t levels_of(const Measure& measure, std::size_t bins) {
  if (measure.kind == MeasureKind::rwmd) return 1;
  if (measure.kind == MeasureKind::omr) return std::min<std::size_t>(2, bins);
  if (measure.kind == MeasureKind::ict) return bins;
  return std::min(static_cast<std::size_t>(measure.iterations) + 1, bins);
}

/// A histogram into which others are moved, in the overflow form: what exceeds the capacity of the
/// nearer bins pays the step to the next.
class PlainDestination {
 public:
  struct Level {
    float capacity, step;
  };

  PlainDestination(const backends::Ground& ground, const Histogram& bins, const Measure& measure)
      : ground_(ground), bins_(bins), measure_(measure) {}

  [[nodiscard]] std::size_t levels() const { return levels_of(measure_, bins_.size()); }

  const std::vector<Level>& levels(std::uint32_t coordinate) {
    std::vector<Level>& levels = known_[coordinate];
    if (levels.empty()) find(coordinate, levels);
    return levels;
  }

 private:
  void find(std::uint32_t coordinate, std::vector<Level>& levels) const {
    std::vector<std::pair<float, std::size_t>> order;  // ties to the earlier bin
    for (std::size_t bin = 0; bin < bins_.size(); ++bin)
      order.emplace_back(ground_.squared(coordinate, bins_.coordinates[bin]), bin);
    std::sort(order.begin(), order.end());
    float reached = 0;
    float filled = 0;
    for (std::size_t level = 0; level < this->levels(); ++level) {
      const float distance = std::sqrt(order[level].first);
      const bool pays = level == 0 || measure_.kind != MeasureKind::omr || reached == 0;
      levels.push_back({filled, pays ? distance - reached : 0});
      reached = distance;
      filled += bins_.weights[order[level].second];
    }
  }

  const backends::Ground& ground_;
  Histogram bins_;
  Measure measure_;
  std::unordered_map<std::uint32_t, std::vector<Level>> known_;  // by coordinate
};

/// Calls add(bin) for the bins of a histogram and next() after each piece.
template <class Add, class Next>
void for_pieces(const Vocabulary& vocabulary, const Histogram& histogram, const Add& add,
                const Next& next) {
  const auto piece = [&](std::size_t bin) {
    return core::piece_of(vocabulary.number(histogram.coordinates[bin]));
  };
  for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
    add(bin);
    if (bin + 1 == histogram.size() || piece(bin) != piece(bin + 1)) next();
  }
}

/// The cost of moving a histogram: levels apart, piece by piece, added in the end.
inline float plain_cost(const Vocabulary& vocabulary, const Histogram& source,
                        PlainDestination& into) {
  std::vector<float> sums(into.levels(), 0.0F);
  std::vector<float> of_piece(into.levels(), 0.0F);
  for_pieces(
      vocabulary, source,
      [&](std::size_t bin) {
        const auto& levels = into.levels(source.coordinates[bin]);
        for (std::size_t level = 0; level < levels.size(); ++level) {
          const float overflow = source.weights[bin] - levels[level].capacity;
          if (overflow > 0)
            of_piece[level] = std::fma(levels[level].step, overflow, of_piece[level]);
        }
      },
      [&] {
        for (std::size_t level = 0; level < sums.size(); ++level)
          sums[level] += std::exchange(of_piece[level], 0.0F);
      });
  float cost = 0;
  for (const float sum : sums) cost += sum;
  return cost;
}

/// The sum of products of common bins, in double, where they are exact.
inline double plain_product(const Vocabulary& vocabulary, const Histogram& a, const Histogram& b) {
  double sum = 0;
  double of_piece = 0;
  for_pieces(
      vocabulary, a,
      [&](std::size_t bin) {
        const auto found = std::ranges::lower_bound(b.coordinates, a.coordinates[bin]);
        if (found == b.coordinates.end() || *found != a.coordinates[bin]) return;
        const auto other = static_cast<std::size_t>(found - b.coordinates.begin());
        of_piece = std::fma(static_cast<double>(a.weights[bin]),
                            static_cast<double>(b.weights[other]), of_piece);
      },
      [&] { sum += std::exchange(of_piece, 0.0); });
  return sum;
}

inline float plain_bow(const Vocabulary& vocabulary, const Histogram& a, const Histogram& b) {
  const double product = plain_product(vocabulary, a, b);
  const double squares = plain_product(vocabulary, a, a) * plain_product(vocabulary, b, b);
  return static_cast<float>(std::max(0.0, 1.0 - std::sqrt(product * product / squares)));
}

inline float plain_wcd(const Vocabulary& vocabulary, const Histogram& a, const Histogram& b) {
  const auto centroid = [&](const Histogram& histogram, std::size_t d) {
    double mass = 0;
    double sum = 0;
    for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
      const auto weight = static_cast<double>(histogram.weights[bin]);
      mass += weight;
      sum += weight * static_cast<double>(vocabulary.coordinate(histogram.coordinates[bin])[d]);
    }
    return sum / mass;
  };
  double sum = 0;
  for (std::size_t d = 0; d < vocabulary.dimensions(); ++d) {
    const double difference = centroid(a, d) - centroid(b, d);
    sum += difference * difference;
  }
  return static_cast<float>(std::sqrt(sum));
}

/// Distances of queries to all rows by the plain walk: for relaxations, bow and wcd.
class PlainDistances {
 public:
  PlainDistances(const backends::RowSet& set, double threshold, const backends::Task& task)
      : set_(set), task_(task), ground_(backends::Ground::euclidean(set.vocabulary, threshold)) {
    for (std::size_t row = 0; row < set.rows.size() && is_relaxation(task.measure); ++row)
      rows_.emplace_back(ground_, set.rows[row], task.measure);
  }
  PlainDistances(const PlainDistances&) = delete;
  PlainDistances& operator=(const PlainDistances&) = delete;

  /// NaN for rows without weight.
  std::vector<float> of(const Histogram& query) {
    std::vector<float> distances(set_.rows.size(), std::numeric_limits<float>::quiet_NaN());
    if (is_empty(query)) return distances;
    PlainDestination destination(ground_, query, task_.measure);
    for (std::size_t row = 0; row < distances.size(); ++row)
      if (!is_empty(set_.rows[row])) distances[row] = of(query, destination, row);
    return distances;
  }

  [[nodiscard]] const backends::Ground& ground() const { return ground_; }

 private:
  float of(const Histogram& query, PlainDestination& destination, std::size_t row) {
    const Vocabulary& vocabulary = set_.vocabulary;
    const Histogram source = set_.rows[row];
    if (task_.measure.kind == MeasureKind::bow) return plain_bow(vocabulary, source, query);
    if (task_.measure.kind == MeasureKind::wcd) return plain_wcd(vocabulary, source, query);
    const auto into_query = [&] { return plain_cost(vocabulary, source, destination); };
    const auto into_row = [&] { return plain_cost(vocabulary, query, rows_[row]); };
    if (task_.direction == Direction::database_to_query) return into_query();
    if (task_.direction == Direction::query_to_database) return into_row();
    if (task_.direction == Direction::symmetric) return std::max(into_query(), into_row());
    const double share = task_.direction.share;
    return static_cast<float>(share * into_query() + (1 - share) * into_row());
  }

  backends::RowSet set_;
  backends::Task task_;
  backends::Ground ground_;
  std::vector<PlainDestination> rows_;
};

/// The distance of a pair with weight in double, from costs alone wherever that is possible.
inline double true_distance(const backends::RowSet& set, double threshold,
                            const backends::Task& task, const Histogram& query,
                            const Histogram& row) {
  TransportOptions options;
  options.direction = task.direction;
  options.sinkhorn = task.sinkhorn;
  if (task.measure.kind == MeasureKind::emd) options.price = task.price;
  const bool partial = is_partial(task.measure, task.direction);
  if (partial || task.measure.kind == MeasureKind::wcd || task.measure.kind == MeasureKind::bow)
    return transport(task.measure, set.vocabulary, row, query, options).distance;
  std::vector<double> costs = ground_distances(set.vocabulary, row, query);
  for (double& cost : costs) cost = std::min(cost, threshold);
  const std::vector<double> p(row.weights.begin(), row.weights.end());
  const std::vector<double> q(query.weights.begin(), query.weights.end());
  return transport(task.measure, p, q, {row.size(), query.size(), costs}, options).distance;
}

/// How far a float distance may be from the true one, for histograms of up to so many bins.
inline double float_error(const backends::Ground& ground, const Measure& measure,
                          std::size_t bins) {
  constexpr double unit = 0x1p-24;
  const double diameter = ground.promises().diameter;
  // In double, where errors are a billionth of a float's unit: the last rounding is all. wcd knows
  // no threshold.
  if (measure.kind == MeasureKind::bow) return unit;
  if (measure.kind == MeasureKind::wcd)
    return unit * backends::Ground::euclidean(ground.vocabulary()).promises().diameter;
  // Every unit of mass pays at most the diameter. Ground distances are off by their own error.
  // A bin's overflow is off by a unit for each weight in its capacity, and by two for the rounding
  // of the weights themselves; each level's step by one. A sum over bins and pieces is off by a
  // unit for each, and so is that over levels.
  const auto h = static_cast<double>(bins);
  const auto k = static_cast<double>(levels_of(measure, bins));
  const double own = unit * (h * (k + 3) + 2 * h + 2 * k);
  return diameter * (ground.promises().relative_error + 0x1p-40 + own);
}

}  // namespace navvy::test
