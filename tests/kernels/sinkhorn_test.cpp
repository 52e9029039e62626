#include <gtest/gtest.h>

#include "kernels/reference.hpp"

namespace navvy::kernels {
namespace {

using reference::Random;

// A random plan in the making, with everything that a Scaling points to.
struct Plan {
  std::size_t rows, columns, stride;
  std::vector<float> costs;
  std::vector<double> kernel, p, q, u, v, sums;

  Plan(Random& random, std::size_t row_count, std::size_t column_count)
      : rows(row_count),
        columns(column_count),
        stride((column_count + scaling_lanes - 1) / scaling_lanes * scaling_lanes),
        costs(rows * stride, 0.0F),
        kernel(rows * stride, 0.0),
        p(rows),
        q(stride, 0.0),
        u(rows),
        v(stride, 0.0),
        sums(stride) {
    const auto positive = [&] {
      return static_cast<double>(reference::random_value(random, false)) + 0.1;
    };
    for (std::size_t i = 0; i < rows; ++i) {
      p[i] = positive();
      u[i] = positive();
      for (std::size_t j = 0; j < columns; ++j) {
        costs[i * stride + j] = reference::random_value(random, false);
        kernel[i * stride + j] = positive();
      }
    }
    for (std::size_t j = 0; j < columns; ++j) {
      q[j] = positive();
      v[j] = positive();
    }
  }

  Scaling work() {
    return {kernel.data(), rows,     columns,  stride,     p.data(),
            q.data(),      u.data(), v.data(), sums.data()};
  }
};

// A sum over columns as eight lanes that are added in pairs.
template <class Term>
double sum_in_lanes(std::size_t count, const Term& term) {
  double lanes[scaling_lanes] = {};
  for (std::size_t j = 0; j < count; ++j)
    lanes[j % scaling_lanes] = term(j, lanes[j % scaling_lanes]);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

double scale_plainly(Plan& plan) {
  std::vector<double> sums(plan.columns, 0.0);
  double error = 0;
  double group = 0;
  for (std::size_t i = 0; i < plan.rows; ++i) {
    const double* row = plan.kernel.data() + i * plan.stride;
    const double sum = sum_in_lanes(
        plan.stride, [&](std::size_t j, double lane) { return std::fma(row[j], plan.v[j], lane); });
    // Errors are added by groups of four rows, then one by one.
    group += std::abs(plan.u[i] * sum - plan.p[i]);
    if (i % 4 == 3 || i >= plan.rows / 4 * 4) {
      error += group;
      group = 0;
    }
    plan.u[i] = plan.p[i] / sum;
    for (std::size_t j = 0; j < plan.columns; ++j) sums[j] = std::fma(row[j], plan.u[i], sums[j]);
  }
  for (std::size_t j = 0; j < plan.columns; ++j) plan.v[j] = plan.q[j] / sums[j];
  return error;
}

TEST(Sinkhorn, AnIterationGivesTheBitsOfPlainLoops) {
  Random random(1);
  for (const KernelTable* kernels : supported_kernels())
    for (const std::size_t rows : {1U, 3U, 4U, 13U})
      for (const std::size_t columns : {1U, 7U, 8U, 29U}) {
        Plan expected(random, rows, columns);
        Plan found = expected;
        for (int iteration = 0; iteration < 3; ++iteration) {
          ASSERT_EQ(kernels->scale(found.work()), scale_plainly(expected)) << kernels->name;
          ASSERT_EQ(found.u, expected.u) << kernels->name;
          ASSERT_EQ(found.v, expected.v) << kernels->name;
        }
      }
}

TEST(Sinkhorn, TheCostOfAPlanIsThatOfPlainLoops) {
  Random random(2);
  for (const KernelTable* kernels : supported_kernels())
    for (const std::size_t columns : {1U, 8U, 21U}) {
      Plan plan(random, 5, columns);
      double expected = 0;
      for (std::size_t i = 0; i < plan.rows; ++i)
        expected += plan.u[i] * sum_in_lanes(plan.stride, [&](std::size_t j, double lane) {
                      const std::size_t at = i * plan.stride + j;
                      return std::fma(plan.kernel[at] * plan.v[j],
                                      static_cast<double>(plan.costs[at]), lane);
                    });
      EXPECT_EQ(kernels->plan_cost(plan.work(), plan.costs.data()), expected) << kernels->name;
    }
}

TEST(Sinkhorn, ExpIsThatOfTheLibraryAndTheSameEverywhere) {
  std::vector<float> costs;
  for (int i = 0; i < 8000; ++i) costs.push_back(static_cast<float>(i) * 0.0123F);
  std::vector<double> best(costs.size());
  constexpr double factor = 1.7;
  best_kernels().exp_of_costs(costs.data(), costs.size(), factor, best.data());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const double expected = std::exp(-factor * static_cast<double>(costs[i]));
    ASSERT_NEAR(best[i], expected, 4e-16 * expected) << costs[i];
  }
  EXPECT_EQ(best[0], 1.0);
  for (const KernelTable* kernels : supported_kernels()) {
    std::vector<double> found(costs.size());
    kernels->exp_of_costs(costs.data(), costs.size(), factor, found.data());
    EXPECT_EQ(found, best) << kernels->name;
  }
}

TEST(Sinkhorn, LargestFindsTheLargestWhereverItStands) {
  Random random(3);
  for (const KernelTable* kernels : supported_kernels()) {
    EXPECT_EQ(kernels->largest(nullptr, 0), 0);
    for (const std::size_t count : {1U, 8U, 37U})
      for (std::size_t place = 0; place < count; ++place) {
        auto values = reference::random_values(random, count, false);
        values[place] = 2;
        ASSERT_EQ(kernels->largest(values.data(), count), 2) << kernels->name;
      }
  }
}

}  // namespace
}  // namespace navvy::kernels
