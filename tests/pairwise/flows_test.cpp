// Who sends how much to whom: flows keep their constraints and add up to the distance.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "pairwise/pairs.hpp"

namespace navvy::test {
namespace {

/// What a flow takes from each bin of p and brings to each bin of q, and what it costs.
struct Totals {
  std::vector<double> p, q;
  double cost = 0;
  double mass = 0;

  Totals(const MatrixPair& pair, const std::vector<Move>& flow)
      : p(pair.p.size(), 0.0), q(pair.q.size(), 0.0) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const Move& move : flow) {
      EXPECT_TRUE(seen.emplace(move.from, move.to).second) << "two moves between the same bins";
      EXPECT_GT(move.mass, 0);
      EXPECT_EQ(move.distance, pair.costs().at(move.from, move.to));
      p[move.from] += move.mass;
      q[move.to] += move.mass;
      cost += move.mass * move.distance;
      mass += move.mass;
    }
  }
};

std::vector<double> scaled_to_one(std::vector<double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// Sums of n weights near 1 are this far from exact at most.
double mass_slack(const MatrixPair& pair) {
  return 16 * static_cast<double>(pair.p.size() + pair.q.size()) *
         std::numeric_limits<double>::epsilon();
}

void expect_marginal(const std::vector<double>& found, const std::vector<double>& weights,
                     double tolerance) {
  const std::vector<double> expected = scaled_to_one(weights);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], tolerance) << "bin " << i;
  }
}

TEST(Flows, ARelaxedFlowEmptiesItsSourceWithinTheCapacitiesOfItsMeasure) {
  const std::vector<Measure> measures = some_relaxations();
  for_random_samples([&](const Sample& sample, Rng& rng) {
    const MatrixPair pair = random_pair(sample, rng);
    const std::vector<double> p = scaled_to_one(pair.p);
    const std::vector<double> q = scaled_to_one(pair.q);
    for (const Measure& measure : measures) {
      for (const Direction direction : both_directions) {
        const Transport result = pair.run(measure, direction, true);
        const Totals totals(pair, result.flow);
        ASSERT_NEAR(totals.cost, result.distance, slack(pair)) << to_string(measure);
        const bool from_p = direction == Direction::database_to_query;
        expect_marginal(from_p ? totals.p : totals.q, from_p ? pair.p : pair.q, mass_slack(pair));
        if (measure.kind != MeasureKind::ict) continue;
        for (const Move& move : result.flow) {
          ASSERT_LE(move.mass, std::min(p[move.from], q[move.to]) + mass_slack(pair));
        }
      }
    }
  });
}

TEST(Flows, OmrRespectsCapacitiesWhereBinsOverlap) {
  const auto fact = [](const Sample& sample, Rng&) {
    const MatrixPair pair(sample);
    const std::vector<double> q = scaled_to_one(pair.q);
    const Transport result = pair.run({MeasureKind::omr}, Direction::database_to_query, true);
    for (const Move& move : result.flow) {
      if (pair.q.size() > 1 && move.distance == 0) {
        ASSERT_LE(move.mass, q[move.to]);
      }
    }
  };
  for_random_samples(fact, [](SampleShape& shape) { shape.coinciding = shape.grid = false; });
}

TEST(Flows, AnExactFlowMeetsBothSides) {
  for_random_samples([](const Sample& sample, Rng& rng) {
    const MatrixPair pair = random_pair(sample, rng);
    const Transport result = pair.run({MeasureKind::emd}, Direction::symmetric, true);
    const Totals totals(pair, result.flow);
    ASSERT_NEAR(totals.cost, result.distance, slack(pair));
    expect_marginal(totals.p, pair.p, mass_slack(pair));
    expect_marginal(totals.q, pair.q, mass_slack(pair));
    // A basis of the transportation problem.
    ASSERT_LT(result.flow.size(), pair.p.size() + pair.q.size());
  });
}

TEST(Flows, AnExactFlowFromCoordinatesKeepsCommonMassInPlace) {
  TransportOptions options;
  options.with_flow = true;
  for_random_samples([&](const Sample& sample, Rng&) {
    const Histogram p = sample.rows[0];
    const Histogram q = sample.rows[1];
    const MatrixPair pair(sample);
    const Transport result = transport({MeasureKind::emd}, sample.vocabulary, p, q, options);
    const Totals totals(pair, result.flow);
    ASSERT_NEAR(totals.cost, result.distance, slack(pair));
    expect_marginal(totals.p, pair.p, mass_slack(pair));
    expect_marginal(totals.q, pair.q, mass_slack(pair));
    const std::vector<double> p_weights = scaled_to_one(pair.p);
    const std::vector<double> q_weights = scaled_to_one(pair.q);
    for (const Move& move : result.flow) {
      if (p.coordinates[move.from] != q.coordinates[move.to]) continue;
      ASSERT_EQ(move.mass, std::min(p_weights[move.from], q_weights[move.to]));
    }
  });
}

TEST(Flows, SinkhornMeetsItsMarginalsAndCostsNoLessThanEmd) {
  TransportOptions options;
  options.with_flow = true;
  options.sinkhorn.tolerance = 1e-3;
  options.sinkhorn.max_iterations = 100;
  int converged = 0;
  int tried = 0;
  for_random_samples([&](const Sample& sample, Rng& rng) {
    const MatrixPair pair = random_pair(sample, rng);
    const Transport result =
        transport({MeasureKind::sinkhorn}, pair.p, pair.q, pair.costs(), options);
    const Totals totals(pair, result.flow);
    ASSERT_NEAR(totals.cost, result.distance, slack(pair));
    // The last step meets p; logarithms and exponentials round more than sums do.
    expect_marginal(totals.p, pair.p, 1e-12);
    ASSERT_LE(result.iterations, options.sinkhorn.max_iterations);
    ++tried;
    if (!result.converged) return;
    ++converged;
    const std::vector<double> q = scaled_to_one(pair.q);
    double error = 0;
    for (std::size_t j = 0; j < q.size(); ++j) error += std::abs(totals.q[j] - q[j]);
    ASSERT_LE(error, options.sinkhorn.tolerance + 1e-12);
    // Repairing the columns would move half of the error again, at most over the largest cost.
    ASSERT_GE(result.distance + options.sinkhorn.tolerance * pair.largest(),
              pair.distance({MeasureKind::emd}));
  });
  EXPECT_GT(converged, tried / 2);
}

TEST(Flows, BowListsWhatEachCommonBinAddsToTheCosine) {
  TransportOptions options;
  options.with_flow = true;
  for_random_samples([&](const Sample& sample, Rng&) {
    const Histogram p = sample.rows[0];
    const Histogram q = sample.rows[1];
    const Transport result = transport({MeasureKind::bow}, sample.vocabulary, p, q, options);
    double cosine = 0;
    for (const Move& move : result.flow) {
      ASSERT_EQ(p.coordinates[move.from], q.coordinates[move.to]);
      ASSERT_EQ(move.distance, 0);
      cosine += move.mass;
    }
    ASSERT_NEAR(1 - cosine, result.distance, 1e-14);
    ASSERT_TRUE(transport({MeasureKind::wcd}, sample.vocabulary, p, q, options).flow.empty());
  });
}

}  // namespace
}  // namespace navvy::test
