// Sinkhorn's kernels, whose sums may run in any order: near the plain iterations, not equal to
// them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "devices/self_test_phases.hpp"

namespace navvy::devices::phases {
namespace {

constexpr double lambda = 8;
constexpr double tolerance = 1e-9;
constexpr U32 most_iterations = 400;

// Weights that sum to 1.
std::vector<double> scaled(std::span<const SampleBin> bins) {
  double sum = 0;
  for (const SampleBin& bin : bins) sum += static_cast<double>(bin.weight);
  std::vector<double> weights;
  for (const SampleBin& bin : bins) weights.push_back(static_cast<double>(bin.weight) / sum);
  return weights;
}

// One side of a pair: what it weighs and how it is scaled.
struct Side {
  std::vector<double> weights;
  std::vector<double> scaling;

  // Scales this side to its weights; returns by how much it missed them.
  template <class Kernel>
  double scale(const Side& other, const Kernel& kernel) {
    double error = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < other.weights.size(); ++j) sum += kernel(i, j) * other.scaling[j];
      error += std::abs(scaling[i] * sum - weights[i]);
      scaling[i] = weights[i] / sum;
    }
    return error;
  }
};

// The cost of the plan of a row and a query whose costs are [bin of the row][bin of the query].
double plan_cost(std::span<const SampleBin> row, std::span<const SampleBin> query,
                 const std::vector<double>& costs) {
  const double largest = *std::ranges::max_element(costs);
  Side first{scaled(row), std::vector<double>(row.size(), 0.0)};
  Side second{scaled(query), std::vector<double>(query.size(), 1.0)};
  std::vector<double> kernels;
  kernels.reserve(costs.size());
  for (const double cost : costs) kernels.push_back(std::exp(-lambda * cost / largest));
  const auto kernel = [&](std::size_t i, std::size_t j) { return kernels[i * query.size() + j]; };
  const auto turned = [&](std::size_t j, std::size_t i) { return kernel(i, j); };
  for (U32 iteration = 0; iteration <= most_iterations; ++iteration) {
    const double error = first.scale(second, kernel);
    second.scale(first, turned);
    if (iteration > 0 && error <= tolerance) break;
  }
  double cost = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    for (std::size_t j = 0; j < query.size(); ++j)
      cost += first.scaling[i] * kernel(i, j) * second.scaling[j] * costs[i * query.size() + j];
  return cost;
}

// Some rows against one query.
struct Pairs {
  std::span<const SampleBin> query;
  std::vector<U32> query_ids, row_ids, starts{0}, turned;
  std::vector<double> row_weights, expected;

  explicit Pairs(const Prepared& with) : query(with.sample.queries[28]) {
    for (const SampleBin& bin : query) query_ids.push_back(bin.id());
    for (std::size_t number = 1; number < with.sample.rows.size(); number += 6) {
      const auto row = with.sample.rows[number];
      std::vector<double> costs;
      for (const SampleBin& bin : row) {
        row_ids.push_back(bin.id());
        for (const U32 id : query_ids)
          costs.push_back(static_cast<double>(
              std::sqrt(with.squares[std::size_t{bin.id()} * size + std::size_t{id}])));
      }
      for (const double weight : scaled(row)) row_weights.push_back(weight);
      starts.push_back(static_cast<U32>(row_ids.size()));
      turned.push_back(number % 4 == 1 ? 0 : 1);  // either converges to the same plan
      expected.push_back(plan_cost(row, query, costs));
    }
  }
};

}  // namespace

void test_sinkhorn(TestBench& bench, const Prepared& with) {
  constexpr U32 running = 0;
  constexpr U32 converged = 1;
  constexpr double limit = 100;
  const Pairs pairs(with);
  const auto bins = static_cast<U32>(pairs.query.size());
  const std::size_t count = pairs.expected.size();
  Memory* squares = bench.room<float>(pairs.row_ids.size() * bins);
  run_squares(bench, with, infinite, pairs.query_ids, pairs.row_ids, squares);
  Memory* starts = bench.put(pairs.starts);
  Memory* turned = bench.put(pairs.turned);
  Memory* kernels = bench.room<double>(2 * pairs.row_ids.size() * bins);
  Memory* vectors = bench.room<double>(2 * (pairs.row_ids.size() + count * bins));
  Memory* states = bench.room<U32>(count);
  Memory* costs = bench.room<double>(count);
  const Grid grid{count, 1, bench.items(16)};
  bench.run({"sinkhorn_start"}, grid,
            {squares, bins, starts, turned, bench.put(pairs.row_weights),
             bench.put(scaled(pairs.query)), lambda, 0.0, limit, kernels, vectors, states});
  bench.expect({"sinkhorn_start"}, states, std::vector<U32>(count, running));
  bench.run({"sinkhorn_scale"}, grid,
            {bins, starts, turned, kernels, vectors, -1.0, U32{1}, states});
  bench.run({"sinkhorn_scale"}, grid,
            {bins, starts, turned, kernels, vectors, tolerance, most_iterations, states});
  bench.expect({"sinkhorn_scale"}, states, std::vector<U32>(count, converged));
  bench.run({"sinkhorn_costs"}, grid,
            {squares, bins, starts, turned, kernels, vectors, states, costs});
  bench.expect_near({"sinkhorn_costs"}, costs, pairs.expected, 1e-6);
}

}  // namespace navvy::devices::phases
