// Numbers worked out by hand, defined refusals, and the paper's counterexample.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "navvy/error.hpp"
#include "pairwise/pairs.hpp"

namespace navvy::test {
namespace {

using testing::HasSubstr;

// Two bins at distance 1 apart, a third 10 away; p is heavy on the first, q on the second.
const std::vector<double> p{0.75, 0.25};
const std::vector<double> q{0.25, 0.5, 0.25};
const std::vector<double> values{0, 1, 10,  //
                                 1, 0, 11};
const CostMatrix costs{2, 3, values};

double cost_of(const char* measure, Direction direction = Direction::database_to_query) {
  TransportOptions options;
  options.direction = direction;
  return transport(parse_measure(measure), p, q, costs, options).distance;
}

TEST(Transport, GivesTheCostsWorkedOutByHand) {
  EXPECT_EQ(cost_of("rwmd"), 0);
  EXPECT_EQ(cost_of("omr"), 0.5);    // 0.25 stays, 0.5 moves by 1
  EXPECT_EQ(cost_of("act-1"), 0.5);  // all overlaps: the same as omr
  EXPECT_EQ(cost_of("act-2"), 0.5);
  EXPECT_EQ(cost_of("ict"), 0.5);
  EXPECT_EQ(cost_of("emd"), 0.25 * 10 + 0.25);
  const auto back = Direction::query_to_database;
  EXPECT_EQ(cost_of("rwmd", back), 0.25 * 10);
  EXPECT_EQ(cost_of("omr", back), 0.25 * 1 + 0.25 * 10);
  EXPECT_EQ(cost_of("ict", back), 0.25 * 1 + 0.25 * 10);
  EXPECT_EQ(cost_of("rwmd", Direction::symmetric), 0.25 * 10);
  EXPECT_DOUBLE_EQ(cost_of("bow"), 1 - (0.75 * 0.25 + 0.25 * 0.5) / std::sqrt(0.625 * 0.375));
}

TEST(Transport, ZeroWeightBinsAreDestinationsWithoutCapacity) {
  const std::vector<double> one{1};
  const std::vector<double> ends{0, 1};
  const std::vector<double> near_and_far{0, 5};
  const CostMatrix matrix{1, 2, near_and_far};
  const auto cost = [&](const char* measure) {
    TransportOptions options;
    options.direction = Direction::database_to_query;
    return transport(parse_measure(measure), one, ends, matrix, options).distance;
  };
  EXPECT_EQ(cost("rwmd"), 0);
  EXPECT_EQ(cost("omr"), 5);
  EXPECT_EQ(cost("act-1"), 5);
  EXPECT_EQ(cost("emd"), 5);
}

TEST(Transport, TheCounterexampleOfTheAppendix) {
  // Equal coordinates, different weights: RWMD sees nothing, OMR does.
  const Vocabulary vocabulary(1, Array(std::vector<float>{0, 1}));
  HistogramsBuilder builder(2);
  const std::vector<std::uint32_t> ids{0, 1};
  builder.add(ids, std::vector<double>{0.75, 0.25});
  builder.add(ids, std::vector<double>{0.25, 0.75});
  const Histograms rows = builder.build();
  const auto cost = [&](const char* measure) {
    return transport(parse_measure(measure), vocabulary, rows[0], rows[1]).distance;
  };
  EXPECT_EQ(cost("rwmd"), 0);
  EXPECT_EQ(cost("omr"), 0.5);
  EXPECT_EQ(cost("emd"), 0.5);
  EXPECT_EQ(cost("wcd"), 0.5);
}

TEST(Transport, NonMetricCostsAreNotCancelled) {
  // The way over bin 1 is cheaper than staying and going straight: only a non-metric does this.
  const std::vector<double> from{0.5, 0.5, 0};
  const std::vector<double> to{0, 0.5, 0.5};
  const std::vector<double> matrix{0, 1, 9,  //
                                   1, 0, 1,  //
                                   9, 1, 0};
  EXPECT_EQ(transport({MeasureKind::emd}, from, to, {3, 3, matrix}).distance, 1);
}

TEST(Transport, TiesGoToTheEarlierBin) {
  const std::vector<double> one{1};
  const std::vector<double> three{0.5, 0.25, 0.25};
  const std::vector<double> equal{2, 2, 2};
  TransportOptions options{Direction::database_to_query, {}, true};
  const Transport rwmd = transport({MeasureKind::rwmd}, one, three, {1, 3, equal}, options);
  ASSERT_EQ(rwmd.flow.size(), 1U);
  EXPECT_EQ(rwmd.flow[0].to, 0U);
  const Transport act = transport({MeasureKind::act, 1}, one, three, {1, 3, equal}, options);
  ASSERT_EQ(act.flow.size(), 2U);
  EXPECT_EQ(act.flow[1].to, 1U);
}

void expect_refusal(ErrorCode code, const char* text, const std::function<void()>& action) {
  try {
    action();
    ADD_FAILURE() << "accepted; expected: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST(Transport, StopsWhenTold) {
  const std::size_t bins = 40;
  std::vector<double> weights, matrix;
  for (std::size_t i = 0; i < bins; ++i) weights.push_back(1 + static_cast<double>(i));
  for (std::size_t i = 0; i < bins * bins; ++i)
    matrix.push_back(static_cast<double>(i * 7919 % 101));
  const std::vector<double> reversed(weights.rbegin(), weights.rend());
  TransportOptions options;
  options.progress = [](const Progress&) { return false; };
  for (const char* measure : {"rwmd", "omr", "act-3", "ict", "emd", "sinkhorn"}) {
    expect_refusal(ErrorCode::interrupted, "interrupted", [&] {
      transport(parse_measure(measure), weights, reversed, {bins, bins, matrix}, options);
    });
  }
}

TEST(Transport, RefusesWeightsAndCostsThatMeanNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const Measure emd{MeasureKind::emd};
  const auto refused = [&](const char* text, std::vector<double> a, std::vector<double> b,
                           std::vector<double> matrix, std::size_t rows) {
    expect_refusal(ErrorCode::bad_input, text, [&] {
      transport(emd, a, b, {rows, b.size(), matrix});
    });
  };
  refused("weight 1 of p is -1", {1, -1}, {1}, {0, 0}, 2);
  refused("weight 0 of q is nan", {1, 1}, {nan}, {0, 0}, 2);
  refused("weight 0 of q is inf", {1, 1}, {infinity}, {0, 0}, 2);
  refused("q has no weight", {1}, {0, 0}, {0, 0}, 1);
  refused("p has no weight", {}, {1}, {}, 0);
  refused("sum to infinity", {1e308, 1e308}, {1}, {0, 0}, 2);
  refused("cost (1, 0) is -2", {1, 1}, {1}, {0, -2}, 2);
  refused("cost (0, 0) is nan", {1, 1}, {1}, {nan, 0}, 2);
  refused("3 x 1 with 2 values; expected 2 x 1", {1, 1}, {1}, {0, 0}, 3);
  refused("2 x 1 with 1 values", {1, 1}, {1}, {0}, 2);
}

TEST(Transport, RefusesHistogramsThatDoNotFitTheVocabulary) {
  const Vocabulary vocabulary(1, Array(std::vector<float>{0, 1}));
  const std::vector<std::uint32_t> good{0, 1}, large{0, 2}, unsorted{1, 0};
  const std::vector<float> weights{0.5F, 0.5F}, short_weights{1}, none{0, 0};
  const Histogram fine{good, weights};
  const auto refused = [&](const char* text, const Histogram& bad) {
    for (const char* measure : {"bow", "wcd", "rwmd", "sinkhorn", "emd"}) {
      expect_refusal(ErrorCode::bad_input, text,
                     [&] { transport(parse_measure(measure), vocabulary, fine, bad); });
    }
  };
  refused("bin 1 of q has coordinate 2; expected less than 2", {large, weights});
  refused("bin 1 of q has coordinate 0; expected ascending", {unsorted, weights});
  refused("q has 1 weights for 2 bins", {good, short_weights});
  refused("q has no weight", {good, none});
  refused("q has no weight", {});
}

TEST(Transport, RefusesMeasuresAndOptionsOutsideTheirRange) {
  const auto refused = [](const char* text, const Measure& measure, SinkhornOptions sinkhorn) {
    expect_refusal(ErrorCode::usage, text, [&] {
      transport(measure, p, q, costs, {Direction::symmetric, sinkhorn, false});
    });
  };
  const Measure sinkhorn{MeasureKind::sinkhorn};
  refused("wcd needs coordinates", {MeasureKind::wcd}, {});
  refused("act with 0 iterations", {MeasureKind::act, 0}, {});
  refused("emd-hat with threshold 0", {MeasureKind::emd_hat}, {});
  refused("emd-hat with threshold inf",
          {MeasureKind::emd_hat, 1, std::numeric_limits<double>::infinity()}, {});
  refused("emd takes no threshold", {MeasureKind::emd, 1, 2.0}, {});
  refused("lambda", sinkhorn, {0, 0, 1e-9, 10});
  refused("lambda", sinkhorn, {std::nan(""), 0, 1e-9, 10});
  refused("cost scale", sinkhorn, {20, -1, 1e-9, 10});
  refused("tolerance", sinkhorn, {20, 0, 0, 10});
  refused("iteration limit", sinkhorn, {20, 0, 1e-9, 0});
  refused("not finite", sinkhorn, {1e300, 1e-300, 1e-9, 10});
}

TEST(Transport, SinkhornSaysWhetherItConverged) {
  TransportOptions options;
  options.sinkhorn.max_iterations = 1;
  const Transport stopped = transport({MeasureKind::sinkhorn}, p, q, costs, options);
  EXPECT_FALSE(stopped.converged);
  EXPECT_EQ(stopped.iterations, 1);
  options.sinkhorn.max_iterations = 10000;
  const Transport done = transport({MeasureKind::sinkhorn}, p, q, costs, options);
  EXPECT_TRUE(done.converged);
  EXPECT_GT(done.iterations, 1);
}

TEST(Transport, PotentialsProveEmd) {
  TransportOptions options;
  EXPECT_TRUE(transport({MeasureKind::emd}, p, q, costs, options).p_potentials.empty());
  options.with_flow = true;
  const Transport done = transport({MeasureKind::emd}, p, q, costs, options);
  double proven = 0;
  for (std::size_t i = 0; i < p.size(); ++i) proven += p[i] * done.p_potentials[i];
  for (std::size_t j = 0; j < q.size(); ++j) proven += q[j] * done.q_potentials[j];
  EXPECT_NEAR(proven, done.distance, 1e-12);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j)
      EXPECT_LE(done.p_potentials[i] + done.q_potentials[j], costs.at(i, j) + 1e-12);
}

TEST(Transport, PotentialsOfSinkhornMakeItsPlan) {
  TransportOptions options;
  options.with_flow = true;
  const Transport done = transport({MeasureKind::sinkhorn}, p, q, costs, options);
  ASSERT_EQ(done.p_potentials.size(), p.size());
  for (const Move& move : done.flow) {
    const double exponent = done.p_potentials[move.from] + done.q_potentials[move.to] -
                            20 * move.distance / 11;  // lambda, and the largest cost
    EXPECT_NEAR(std::exp(exponent), move.mass, 1e-9);
  }
  const std::vector<double> less{0.0, 1.0};
  const Transport part = transport({MeasureKind::sinkhorn}, less, q, costs, options);
  EXPECT_EQ(part.p_potentials[0], -std::numeric_limits<double>::infinity());
}

TEST(Transport, SinkhornApproachesEmdAsLambdaGrowsAndScalesWithItsCosts) {
  TransportOptions options;
  const auto distance = [&](double lambda, double scale) {
    options.sinkhorn.lambda = lambda;
    options.sinkhorn.cost_scale = scale;
    return transport({MeasureKind::sinkhorn}, p, q, costs, options).distance;
  };
  const double exact = cost_of("emd");
  EXPECT_GT(distance(5, 0), distance(50, 0));
  EXPECT_GE(distance(50, 0), exact);
  EXPECT_NEAR(distance(1000, 0), exact, 1e-6);
  // The largest cost is 11: only lambda / scale counts.
  EXPECT_NEAR(distance(20, 0), distance(20, 11), 1e-12);
  EXPECT_NEAR(distance(20, 0), distance(40, 22), 1e-12);
}

TEST(Transport, SinkhornOfOnePlaceCostsNothing) {
  const std::vector<double> nothing(6, 0.0);
  const Transport result = transport({MeasureKind::sinkhorn}, p, q, {2, 3, nothing});
  EXPECT_EQ(result.distance, 0);
  EXPECT_TRUE(result.converged);
}

}  // namespace
}  // namespace navvy::test
