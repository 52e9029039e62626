// The network simplex against LEMON's, on the problems that are hardest for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "pairwise/network_simplex.hpp"
#include "pairwise/pairs.hpp"
#include "support/effort.hpp"
#include "support/lemon_emd.hpp"

namespace navvy::test {
namespace {

using pairwise::EmdSolver;

// Both price a plan that integers call best: each may be off by a unit of cost per unit of mass.
double allowed(const MatrixPair& pair) {
  return 1e-12 * pair.largest() * std::accumulate(pair.p.begin(), pair.p.end(), 0.0);
}

void expect_lemons(EmdSolver& solver, const MatrixPair& pair) {
  ASSERT_NEAR(solver.solve(pair.p, pair.q, pair.values), lemon_emd(pair.p, pair.q, pair.values),
              allowed(pair))
      << pair.p.size() << " x " << pair.q.size() << " bins";
}

TEST(Lemon, AgreesOnRandomPairs) {
  EmdSolver solver;
  for_random_samples(
      [&](const Sample& sample, Rng& rng) { expect_lemons(solver, random_pair(sample, rng)); });
}

// One way to fill a problem: weights and costs by a name.
enum class Weights { equal, few_values, any, uneven, tiny, with_zeros };
enum class Values { any, few_values, all_equal, none, far_apart, grid, cheap_diagonal };

double random_weight(Weights kind, Rng& rng) {
  std::uniform_real_distribution<double> uniform(0, 1);
  switch (kind) {
    case Weights::equal:
      return 1;
    case Weights::few_values:
      return static_cast<double>(random_size(rng, 1, 3));
    case Weights::any:
      return uniform(rng);
    case Weights::uneven:
      return std::exp(30 * uniform(rng));
    case Weights::tiny:
      return chance(rng, 0.5) ? 1e-17 : 1;  // a few units each
    case Weights::with_zeros:
      return chance(rng, 0.4) ? 0 : uniform(rng);
  }
  return 0;
}

double random_cost(Values kind, std::size_t i, std::size_t j, Rng& rng) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto [x, y] = std::pair(i * 37 % 101 % 28, i * 53 % 89 % 28);
  const auto [z, w] = std::pair(j * 41 % 103 % 28, j * 59 % 97 % 28);
  switch (kind) {
    case Values::any:
      return uniform(rng);
    case Values::few_values:
      return static_cast<double>(random_size(rng, 0, 3));
    case Values::all_equal:
      return 0.7;
    case Values::none:
      return 0;
    case Values::far_apart:
      return std::exp(-40 * uniform(rng));
    case Values::grid:
      return std::hypot(static_cast<double>(x) - static_cast<double>(z),
                        static_cast<double>(y) - static_cast<double>(w));
    case Values::cheap_diagonal:
      return i == j ? 1e-9 * uniform(rng) : 1 + 1e-9 * uniform(rng);
  }
  return 0;
}

constexpr Weights all_weights[] = {Weights::equal,  Weights::few_values, Weights::any,
                                   Weights::uneven, Weights::tiny,       Weights::with_zeros};
constexpr Values all_values[] = {Values::any,           Values::few_values, Values::all_equal,
                                 Values::none,          Values::far_apart,  Values::grid,
                                 Values::cheap_diagonal};

MatrixPair filled(std::size_t rows, std::size_t columns, Weights weights, Values values, Rng& rng) {
  MatrixPair pair;
  for (std::size_t i = 0; i < rows; ++i) pair.p.push_back(random_weight(weights, rng));
  for (std::size_t j = 0; j < columns; ++j) pair.q.push_back(random_weight(weights, rng));
  pair.p[random_size(rng, 0, rows - 1)] += 1;  // some weight at least
  pair.q[random_size(rng, 0, columns - 1)] += 1;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) pair.values.push_back(random_cost(values, i, j, rng));
  return pair;
}

TEST(Lemon, AgreesOnTiesTracesAndShapesOfEveryKind) {
  EmdSolver solver;
  Rng rng(3);
  for (const auto& [rows, columns] :
       {std::pair(1, 1), {1, 40}, {40, 1}, {2, 3}, {15, 16}, {16, 17}, {33, 5}, {4, 130}, {64, 64}})
    for (const Weights weights : all_weights)
      for (const Values values : all_values)
        for (int round = 0; round < (sanitized ? 1 : 4); ++round) {
          SCOPED_TRACE("weights " + std::to_string(static_cast<int>(weights)) + ", costs " +
                       std::to_string(static_cast<int>(values)));
          expect_lemons(solver, filled(static_cast<std::size_t>(rows),
                                       static_cast<std::size_t>(columns), weights, values, rng));
        }
}

TEST(Lemon, AgreesOnLargeProblems) {
  EmdSolver solver;
  Rng rng(4);
  const std::size_t bins = sanitized ? 60 : 400;
  for (const Values values : all_values)
    for (const Weights weights : {Weights::equal, Weights::any})
      expect_lemons(solver, filled(bins, bins + 37, weights, values, rng));
}

// Potentials prove that the distance is the least, whoever found it.
void expect_proof(EmdSolver& solver, const MatrixPair& pair) {
  const double distance = solver.solve(pair.p, pair.q, pair.values);
  const pairwise::Potentials found = solver.potentials(pair.values);
  const double ratio = std::accumulate(pair.p.begin(), pair.p.end(), 0.0) /
                       std::accumulate(pair.q.begin(), pair.q.end(), 0.0);
  double value = 0;
  for (std::size_t i = 0; i < pair.p.size(); ++i) value += found.p[i] * pair.p[i];
  for (std::size_t j = 0; j < pair.q.size(); ++j) value += found.q[j] * pair.q[j] * ratio;
  double most = 0;
  for (std::size_t i = 0; i < pair.p.size(); ++i)
    for (std::size_t j = 0; j < pair.q.size(); ++j)
      most = std::max(most, found.p[i] + found.q[j] - pair.costs().at(i, j));
  ASSERT_LE(most, slack(pair));
  ASSERT_NEAR(value, distance, allowed(pair) * 10);
}

TEST(Lemon, IsNotNeededToProveThreeThousandBins) {
  EmdSolver solver;
  Rng rng(6);
  const std::size_t bins = sanitized ? 300 : 3000;
  for (const auto& [weights, values] :
       {std::pair(Weights::any, Values::grid), {Weights::equal, Values::few_values}}) {
    const MatrixPair pair = filled(bins, bins, weights, values, rng);
    expect_proof(solver, pair);
    if (thorough()) expect_lemons(solver, pair);
  }
}

TEST(Lemon, WouldNotMindWhichKernelsPrice) {
  Rng rng(5);
  std::vector<EmdSolver> solvers;
  for (const kernels::KernelTable* kernels : kernels::supported_kernels())
    solvers.emplace_back(*kernels);
  for (const std::size_t rows : {1U, 7U, 16U, 50U, 120U})
    for (const Weights weights : all_weights)
      for (const Values values : all_values) {
        const MatrixPair pair = filled(rows, 3 * rows / 2, weights, values, rng);
        const double distance = solvers[0].solve(pair.p, pair.q, pair.values);
        const pairwise::Potentials potentials = solvers[0].potentials(pair.values);
        for (EmdSolver& solver : solvers) {
          ASSERT_EQ(solver.solve(pair.p, pair.q, pair.values), distance);
          ASSERT_TRUE(std::ranges::equal(
              solver.flow(), solvers[0].flow(), [](const Move& a, const Move& b) {
                return a.from == b.from && a.to == b.to && a.mass == b.mass;
              }));
          ASSERT_EQ(solver.potentials(pair.values).p, potentials.p);
          ASSERT_EQ(solver.potentials(pair.values).q, potentials.q);
        }
      }
}

}  // namespace
}  // namespace navvy::test
