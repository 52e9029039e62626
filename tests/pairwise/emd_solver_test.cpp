#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "navvy/error.hpp"
#include "pairwise/network_simplex.hpp"
#include "pairwise/pairs.hpp"

namespace navvy::test {
namespace {

using pairwise::EmdSolver;
using pairwise::Potentials;

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double dual_value(const Potentials& potentials, const MatrixPair& pair) {
  const double p_sum = sum_of(pair.p);
  const double q_sum = sum_of(pair.q);
  double value = 0;
  for (std::size_t i = 0; i < pair.p.size(); ++i) value += potentials.p[i] * pair.p[i];
  for (std::size_t j = 0; j < pair.q.size(); ++j) {
    value += potentials.q[j] * pair.q[j] * (p_sum / q_sum);
  }
  return value;
}

TEST(EmdSolver, PotentialsProveTheDistance) {
  EmdSolver solver;
  for_random_samples([&](const Sample& sample, Rng& rng) {
    const MatrixPair pair = random_pair(sample, rng);
    const double distance = solver.solve(pair.p, pair.q, pair.values);
    const Potentials potentials = solver.potentials(pair.values);
    for (std::size_t i = 0; i < pair.p.size(); ++i) {
      for (std::size_t j = 0; j < pair.q.size(); ++j) {
        ASSERT_LE(potentials.p[i] + potentials.q[j], pair.costs().at(i, j) + slack(pair));
      }
    }
    // Potentials reach up to the sum of all costs of a path, so their rounding is n times that of
    // the costs.
    const auto n = static_cast<double>(pair.p.size() + pair.q.size());
    ASSERT_NEAR(dual_value(potentials, pair), distance, n * slack(pair));
  });
}

TEST(EmdSolver, IsAsGoodAsNewAfterItWasStopped) {
  EmdSolver solver;
  int stops = 0;
  for_random_samples([&](const Sample& sample, Rng& rng) {
    const MatrixPair pair = random_pair(sample, rng);
    const ProgressCallback stop = [](const Progress&) { return false; };
    core::Monitor monitor(stop);
    try {
      solver.solve(pair.p, pair.q, pair.values, &monitor);
    } catch (const Error&) {
      ++stops;
    }
    ASSERT_EQ(solver.solve(pair.p, pair.q, pair.values),
              EmdSolver().solve(pair.p, pair.q, pair.values));
  });
  EXPECT_GT(stops, 100);
}

TEST(EmdSolver, AgreesWithTryingEveryAssignment) {
  EmdSolver solver;
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = random_size(rng, 1, 6);
    MatrixPair pair;
    pair.p.assign(n, 1.0);
    pair.q.assign(n, 1.0);
    // Small integers keep every sum exact.
    for (std::size_t i = 0; i < n * n; ++i) {
      pair.values.push_back(static_cast<double>(random_size(rng, 0, 20)));
    }
    std::vector<std::size_t> target(n);
    std::iota(target.begin(), target.end(), 0U);
    double best = 1e9;
    do {
      double cost = 0;
      for (std::size_t i = 0; i < n; ++i) cost += pair.costs().at(i, target[i]);
      best = std::min(best, cost);
    } while (std::next_permutation(target.begin(), target.end()));
    ASSERT_NEAR(solver.solve(pair.p, pair.q, pair.values), best, slack(pair) * 6);
  }
}

TEST(EmdSolver, AgreesWithCumulativeSumsOnALine) {
  EmdSolver solver;
  const auto fact = [&](const Sample& sample, Rng&) {
    const MatrixPair pair(sample);
    std::vector<std::pair<double, double>> steps;  // place, weight
    const auto add = [&](const Histogram& row, const std::vector<double>& weights, double sign) {
      const double sum = sum_of(weights);
      for (std::size_t i = 0; i < row.size(); ++i) {
        steps.emplace_back(sample.vocabulary.coordinate(row.coordinates[i])[0],
                           sign * weights[i] / sum);
      }
    };
    add(sample.rows[0], pair.p, 1);
    add(sample.rows[1], pair.q, -1);
    std::sort(steps.begin(), steps.end());
    double carried = 0;
    double expected = 0;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      carried += steps[i].second;
      expected += std::abs(carried) * (steps[i + 1].first - steps[i].first);
    }
    // Cumulative sums carry their rounding over the whole span, also outside the pair's costs.
    const double span = steps.back().first - steps.front().first;
    ASSERT_NEAR(solver.solve(pair.p, pair.q, pair.values), expected * sum_of(pair.p),
                slack(pair) + 1e-13 * span);
  };
  for_random_samples(fact, [](SampleShape& shape) { shape.dimensions = 1; });
}

TEST(EmdSolver, GivesTheSameBitsWhateverItSolvedBefore) {
  EmdSolver used;
  Rng rng(7);
  for (int round = 0; round < 500; ++round) {
    const MatrixPair pair(random_sample(rng, random_shape(rng)));
    EmdSolver fresh;
    ASSERT_EQ(used.solve(pair.p, pair.q, pair.values), fresh.solve(pair.p, pair.q, pair.values));
    ASSERT_EQ(used.potentials(pair.values).p, fresh.potentials(pair.values).p);
  }
}

TEST(EmdSolver, CopesWithCostsAndWeightsOfAnySize) {
  EmdSolver solver;
  Rng rng(11);
  for (const double cost_size : {1e-300, 1e-30, 1e30, 1e300}) {
    for (const double weight_size : {1e-300, 1e300}) {
      for (int round = 0; round < 50; ++round) {
        const MatrixPair pair(random_sample(rng, random_shape(rng)));
        MatrixPair sized = pair;
        for (double& value : sized.values) value *= cost_size;
        for (double& weight : sized.p) weight *= weight_size;
        for (double& weight : sized.q) weight *= weight_size;
        ASSERT_NEAR(sized.distance({MeasureKind::emd}) / cost_size,
                    pair.distance({MeasureKind::emd}), slack(pair));
      }
    }
  }
}

TEST(EmdSolver, AFreePlanIsFoundBesideCostsTooSmallForItsUnits) {
  // 1e-30 is far below one unit of cost, which is about 1e-17 here; it must still not count as 0.
  EmdSolver solver;
  Rng rng(17);
  for (std::size_t n = 2; n < 30; ++n) {
    MatrixPair pair;
    pair.p.assign(n, 1.0);
    pair.q.assign(n, 1.0);
    for (std::size_t i = 0; i < n * n; ++i) pair.values.push_back(chance(rng, 0.7) ? 1e-30 : 1);
    std::vector<std::size_t> target(n);
    std::iota(target.begin(), target.end(), 0U);
    std::shuffle(target.begin(), target.end(), rng);
    for (std::size_t i = 0; i < n; ++i) pair.values[i * n + target[i]] = 0;
    ASSERT_EQ(solver.solve(pair.p, pair.q, pair.values), 0) << n << " bins";
  }
}

TEST(EmdSolver, LargeProblemsWithManyTiesEnd) {
  EmdSolver solver;
  Rng rng(13);
  MatrixPair pair;
  pair.p.assign(300, 1.0);
  pair.q.assign(300, 1.0);
  for (std::size_t i = 0; i < 300U * 300U; ++i) {
    pair.values.push_back(static_cast<double>(random_size(rng, 0, 3)));
  }
  const double distance = solver.solve(pair.p, pair.q, pair.values);
  EXPECT_NEAR(dual_value(solver.potentials(pair.values), pair), distance, 300 * slack(pair));
}

}  // namespace
}  // namespace navvy::test
