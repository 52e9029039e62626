// What the paper proves or promises about the measures, tried on random pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pairwise/pairs.hpp"

namespace navvy::test {
namespace {

const Measure emd{MeasureKind::emd};
const Measure ict{MeasureKind::ict};

TEST(Facts, EachRelaxationIsALowerBoundOfTheNextAndOfEmd) {
  const std::vector<Measure> measures = relaxations();
  for_random_samples([&](const Sample& sample, Rng& rng) {
    const MatrixPair pair = random_pair(sample, rng);
    const double exact = pair.distance(emd);
    for (const Direction direction : both_directions) {
      double below = 0;
      for (const Measure& measure : measures) {
        const double cost = pair.distance(measure, direction);
        ASSERT_LE(below, cost + slack(pair)) << to_string(measure);
        below = cost;
      }
      ASSERT_LE(below, exact + slack(pair));
    }
  });
}

TEST(Facts, TheSymmetricDistanceIsTheLargerOfTheDirections) {
  const std::vector<Measure> measures = some_relaxations();
  for_random_samples([&](const Sample& sample, Rng& rng) {
    const MatrixPair pair = random_pair(sample, rng);
    for (const Measure& measure : measures) {
      const double there = pair.distance(measure, Direction::database_to_query);
      const double back = pair.distance(measure, Direction::query_to_database);
      const Transport both = pair.run(measure);
      ASSERT_EQ(both.distance, std::max(there, back)) << to_string(measure);
      ASSERT_EQ(both.direction,
                back > there ? Direction::query_to_database : Direction::database_to_query);
    }
  });
}

TEST(Facts, WhatTheTableCallsALowerBoundOfEmdIsOne) {
  for_random_samples([](const Sample& sample, Rng&) {
    const auto run = [&](const Measure& measure) {
      return transport(measure, sample.vocabulary, sample.rows[0], sample.rows[1]).distance;
    };
    // Centroids are sums of coordinates, so their rounding grows with the largest of these.
    double longest = 0;
    for (const float value : sample.vocabulary.coordinates()) {
      longest = std::max(longest, std::abs(static_cast<double>(value)));
    }
    const MatrixPair pair(sample);
    const double rounding =
        1e-13 * longest * std::sqrt(static_cast<double>(sample.shape.dimensions));
    const double exact = run(emd);
    for (const MeasureFacts& known : all_facts()) {
      if (!known.bounds_emd) continue;
      const bool hat = known.parameter == MeasureParameter::threshold;
      ASSERT_LE(run({known.kind, 1, hat ? 1.0 : 0.0}), exact + slack(pair) + rounding)
          << known.name;
    }
  });
}

TEST(Facts, CancellingCommonMassDoesNotChangeEmd) {
  for_random_samples([](const Sample& sample, Rng&) {
    const MatrixPair pair(sample);
    const double cancelled =
        transport(emd, sample.vocabulary, sample.rows[0], sample.rows[1]).distance;
    ASSERT_NEAR(cancelled, pair.distance(emd), slack(pair));
  });
}

TEST(Facts, HatIsEmdUnderCappedCosts) {
  for_random_samples([](const Sample& sample, Rng& rng) {
    const MatrixPair pair(sample);
    const double threshold = std::uniform_real_distribution<double>(0.01, 4)(rng);
    const Measure hat{MeasureKind::emd_hat, 1, threshold};
    MatrixPair capped = pair;
    for (double& value : capped.values) value = std::min(value, threshold);
    const double expected = capped.distance({MeasureKind::emd});
    const double rounding = slack(pair);
    ASSERT_NEAR(pair.distance(hat), expected, rounding);
    ASSERT_NEAR(transport(hat, sample.vocabulary, sample.rows[0], sample.rows[1]).distance,
                expected, rounding);
    ASSERT_LE(expected, pair.distance({MeasureKind::emd}) + rounding);
    ASSERT_LE(expected, threshold + rounding);
    // The relaxations of capped costs are bounds of it.
    ASSERT_LE(capped.distance({MeasureKind::ict}), expected + rounding);
  });
}

TEST(Facts, AHistogramIsAtDistanceExactlyZeroFromItself) {
  std::vector<Measure> measures = some_relaxations();
  measures.insert(measures.end(), {{MeasureKind::bow}, {MeasureKind::wcd}, emd});
  for_random_samples([&](const Sample& sample, Rng&) {
    const Histogram p = sample.rows[0];
    for (const Measure& measure : measures) {
      ASSERT_EQ(transport(measure, sample.vocabulary, p, p).distance, 0) << to_string(measure);
      if (measure.kind == MeasureKind::wcd) continue;
      const std::vector<double> costs = ground_distances(sample.vocabulary, p, p);
      const std::vector<double> weights = weights_of(p);
      ASSERT_EQ(transport(measure, weights, weights, {p.size(), p.size(), costs}).distance, 0)
          << to_string(measure) << " from costs";
    }
  });
}

/// Different ids are at different places: the paper's effective costs.
void effective(SampleShape& shape) { shape.coinciding = shape.grid = false; }

TEST(Facts, OmrIsZeroOnlyForEqualHistograms) {
  const auto bins_with_weight = [](const Histogram& row) {
    std::vector<std::pair<std::uint32_t, float>> bins;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row.weights[i] > 0) bins.emplace_back(row.coordinates[i], row.weights[i]);
    }
    return bins;
  };
  const auto fact = [&](const Sample& sample, Rng&) {
    const bool equal = bins_with_weight(sample.rows[0]) == bins_with_weight(sample.rows[1]);
    ASSERT_EQ(MatrixPair(sample).distance({MeasureKind::omr}) == 0, equal);
  };
  for_random_samples(fact, effective);
}

TEST(Facts, RwmdIsZeroWhereverTheBinsAreTheSame) {
  const auto fact = [](const Sample& sample, Rng&) {
    ASSERT_EQ(MatrixPair(sample).distance({MeasureKind::rwmd}), 0);
  };
  for_random_samples(fact, [](SampleShape& shape) { shape.shared_support = true; });
}

TEST(Facts, ActWithAllDestinationsIsIct) {
  for_random_samples([](const Sample& sample, Rng& rng) {
    const MatrixPair pair = random_pair(sample, rng);
    const auto bins = static_cast<int>(std::max(pair.p.size(), pair.q.size()));
    for (const int extra : {-1, 0, 7}) {
      const Measure act{MeasureKind::act, std::max(1, bins + extra)};
      ASSERT_EQ(pair.distance(act), pair.distance(ict));
    }
  });
}

TEST(Facts, EveryMeasureIsSymmetricToTheBit) {
  std::vector<Measure> measures;
  for (const MeasureFacts& known : all_facts())
    measures.push_back({known.kind, 1, known.parameter == MeasureParameter::threshold ? 1.0 : 0.0});
  TransportOptions options;
  options.sinkhorn.max_iterations = 10;
  for_random_samples([&](const Sample& sample, Rng&) {
    for (const Measure& measure : measures) {
      const auto run = [&](std::size_t a, std::size_t b) {
        return transport(measure, sample.vocabulary, sample.rows[a], sample.rows[b], options);
      };
      ASSERT_EQ(run(0, 1).distance, run(1, 0).distance) << to_string(measure);
      if (!facts(measure.kind).symmetric) continue;
      TransportOptions one_way = options;
      one_way.direction = Direction::query_to_database;
      ASSERT_EQ(
          run(0, 1).distance,
          transport(measure, sample.vocabulary, sample.rows[0], sample.rows[1], one_way).distance)
          << to_string(measure);
    }
  });
}

TEST(Facts, CostsScaleAndWeightsMayBeInAnyUnit) {
  std::vector<Measure> measures = some_relaxations();
  measures.push_back(emd);
  for_random_samples([&](const Sample& sample, Rng& rng) {
    const MatrixPair pair = random_pair(sample, rng);
    MatrixPair scaled = pair;
    const double factor = std::pow(10.0, std::uniform_real_distribution<double>(-8, 8)(rng));
    for (double& value : scaled.values) value *= factor;
    for (double& weight : scaled.p) weight *= 3;
    for (double& weight : scaled.q) weight *= factor;
    for (const Measure& measure : measures) {
      ASSERT_NEAR(scaled.distance(measure), factor * pair.distance(measure), slack(scaled))
          << to_string(measure);
    }
  });
}

TEST(Facts, TheOrderOfBinsDoesNotMatter) {
  std::vector<Measure> measures = some_relaxations();
  measures.push_back(emd);
  for_random_samples([&](const Sample& sample, Rng& rng) {
    const MatrixPair pair = random_pair(sample, rng);
    MatrixPair shuffled = pair;
    std::vector<std::size_t> rows(pair.p.size());
    std::vector<std::size_t> columns(pair.q.size());
    std::iota(rows.begin(), rows.end(), 0U);
    std::iota(columns.begin(), columns.end(), 0U);
    std::shuffle(rows.begin(), rows.end(), rng);
    std::shuffle(columns.begin(), columns.end(), rng);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      shuffled.p[i] = pair.p[rows[i]];
      for (std::size_t j = 0; j < columns.size(); ++j) {
        shuffled.q[j] = pair.q[columns[j]];
        shuffled.values[i * columns.size() + j] = pair.costs().at(rows[i], columns[j]);
      }
    }
    for (const Measure& measure : measures) {
      ASSERT_NEAR(shuffled.distance(measure), pair.distance(measure), slack(pair))
          << to_string(measure);
    }
  });
}

/// The cost of one source bin: everything goes to the nearest destination, and what overflows each
/// capacity pays the extra distance to the next, for `levels` levels.
double overflow_cost(double mass, const std::vector<std::pair<double, double>>& nearest,
                     std::size_t levels) {
  double cost = nearest[0].first * mass;
  double capacity = 0;
  for (std::size_t l = 0; l + 1 < nearest.size() && l < levels; ++l) {
    capacity += nearest[l].second;
    cost += (nearest[l + 1].first - nearest[l].first) * std::max(0.0, mass - capacity);
  }
  return cost;
}

TEST(Facts, TheOverflowFormEqualsThePrintedAlgorithms) {
  const std::vector<Measure> measures = relaxations();
  for_random_samples([&](const Sample& sample, Rng& rng) {
    const MatrixPair pair = random_pair(sample, rng);
    const double p_sum = std::accumulate(pair.p.begin(), pair.p.end(), 0.0);
    const double q_sum = std::accumulate(pair.q.begin(), pair.q.end(), 0.0);
    std::vector<double> costs(measures.size(), 0.0);
    for (std::size_t i = 0; i < pair.p.size(); ++i) {
      std::vector<std::pair<double, double>> nearest;
      for (std::size_t j = 0; j < pair.q.size(); ++j) {
        nearest.emplace_back(pair.costs().at(i, j), pair.q[j] / q_sum);
      }
      std::stable_sort(nearest.begin(), nearest.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t m = 0; m < measures.size(); ++m) {
        const bool overlap = nearest[0].first == 0;
        const std::size_t levels = measures[m].kind == MeasureKind::rwmd  ? 0
                                   : measures[m].kind == MeasureKind::omr ? (overlap ? 1 : 0)
                                   : measures[m].kind == MeasureKind::ict
                                       ? pair.q.size()
                                       : static_cast<std::size_t>(measures[m].iterations);
        costs[m] += overflow_cost(pair.p[i] / p_sum, nearest, levels);
      }
    }
    for (std::size_t m = 0; m < measures.size(); ++m) {
      ASSERT_NEAR(costs[m], pair.distance(measures[m], Direction::database_to_query), slack(pair))
          << to_string(measures[m]);
    }
  });
}

}  // namespace
}  // namespace navvy::test
