#include <gtest/gtest.h>

#include "kernels/reference.hpp"

namespace navvy::kernels {
namespace {

using reference::Problem;
using reference::Random;

// Tables wider than their lanes, so that a kernel that takes one for the other fails. 48 and 112
// lanes give the strides 64 and 128 that the kernels know as constants.
struct Tables {
  std::vector<float> values;
  std::vector<float> capacities;
  std::vector<float> steps;
  LaneTable nearest;
  OverflowTable overflow;

  Tables(Random& random, const Problem& problem, std::size_t lanes, bool integers)
      : values(
            reference::random_values(random, problem.coordinates_count * (lanes + 16), integers)),
        capacities(reference::random_values(random, values.size(), integers)),
        steps(reference::random_values(random, values.size(), integers)),
        nearest{values.data(), lanes + 16, lanes},
        overflow{capacities.data(), steps.data(), lanes + 16, lanes} {}
};

// Runs check(kernels, problem, tables) for every table of kernels and several shapes.
template <class Check>
void for_problems(const Check& check) {
  Random random(1);
  for (const bool integers : {true, false}) {
    for (const std::size_t lanes : {16U, 48U, 64U, 112U}) {
      const Problem problem = reference::random_problem(random, 2100, 9, 0.1, integers);
      const Tables tables(random, problem, lanes, integers);
      for (const KernelTable* kernels : supported_kernels()) {
        SCOPED_TRACE(std::string(kernels->name) + " lanes " + std::to_string(lanes));
        check(*kernels, problem, tables);
      }
    }
  }
}

template <class Real, class Reference>
void expect_equal(const Problem& problem, std::size_t lanes, const std::vector<Real>& out,
                  const Reference& reference) {
  for (std::size_t row = 0; row < problem.size(); ++row) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      ASSERT_EQ(out[row * lanes + lane], reference(row, lane)) << "row " << row << " lane " << lane;
    }
  }
}

TEST(Charge, NearestHasTheBitsOfThePlainLoop) {
  for_problems([](const KernelTable& kernels, const Problem& problem, const Tables& tables) {
    std::vector<float> out(problem.size() * tables.nearest.lanes);
    reference::for_pieces(problem, [&](const Segments& segments) {
      kernels.charge_nearest(segments, tables.nearest, out.data());
    });
    expect_equal(problem, tables.nearest.lanes, out, [&](std::size_t row, std::size_t lane) {
      return reference::nearest_cost(problem, row, tables.nearest, lane);
    });
  });
}

TEST(Charge, OneCallForAllPiecesGivesTheSameBits) {
  for_problems([](const KernelTable& kernels, const Problem& problem, const Tables& tables) {
    std::vector<float> out(problem.size() * tables.nearest.lanes);
    const Segments all{problem.segments.data(), problem.segments.size(), problem.bins.data(),
                       problem.bins.data() + problem.bins.size()};
    kernels.charge_nearest(all, tables.nearest, out.data());
    expect_equal(problem, tables.nearest.lanes, out, [&](std::size_t row, std::size_t lane) {
      return reference::nearest_cost(problem, row, tables.nearest, lane);
    });
  });
}

// As large vocabularies are walked: the segments of a row follow each other.
TEST(Charge, RowAfterRowGivesTheSameBits) {
  for_problems([](const KernelTable& kernels, const Problem& problem, const Tables& tables) {
    std::vector<Segment> segments;
    std::vector<Bin> bins;
    for (std::uint32_t row = 0; row < problem.size(); ++row) {
      std::uint32_t done = 0;
      for (auto s = problem.segment_offsets[row]; s < problem.segment_offsets[row + 1]; ++s) {
        segments.push_back({row, problem.segment_ends[s] - done});
        done = problem.segment_ends[s];
      }
      for (auto bin = problem.offsets[row]; bin < problem.offsets[row + 1]; ++bin) {
        bins.push_back({problem.coordinates[bin], problem.weights[bin]});
      }
    }
    const Segments all{segments.data(), segments.size(), bins.data(), bins.data() + bins.size()};
    std::vector<float> nearest(problem.size() * tables.nearest.lanes);
    std::vector<float> overflow(nearest.size());
    kernels.charge_nearest(all, tables.nearest, nearest.data());
    kernels.charge_overflow(all, tables.overflow, overflow.data());
    expect_equal(problem, tables.nearest.lanes, nearest, [&](std::size_t row, std::size_t lane) {
      return reference::nearest_cost(problem, row, tables.nearest, lane);
    });
    expect_equal(problem, tables.overflow.lanes, overflow, [&](std::size_t row, std::size_t lane) {
      return reference::overflow_cost(problem, row, tables.overflow, lane);
    });
  });
}

TEST(Charge, OverflowHasTheBitsOfThePlainLoop) {
  for_problems([](const KernelTable& kernels, const Problem& problem, const Tables& tables) {
    std::vector<float> out(problem.size() * tables.overflow.lanes);
    reference::for_pieces(problem, [&](const Segments& segments) {
      kernels.charge_overflow(segments, tables.overflow, out.data());
    });
    expect_equal(problem, tables.overflow.lanes, out, [&](std::size_t row, std::size_t lane) {
      return reference::overflow_cost(problem, row, tables.overflow, lane);
    });
  });
}

TEST(Charge, DotHasTheBitsOfThePlainLoop) {
  for_problems([](const KernelTable& kernels, const Problem& problem, const Tables& tables) {
    std::vector<double> out(problem.size() * tables.nearest.lanes);
    reference::for_pieces(problem, [&](const Segments& segments) {
      kernels.dot(segments, tables.nearest, out.data());
    });
    expect_equal(problem, tables.nearest.lanes, out, [&](std::size_t row, std::size_t lane) {
      return reference::dot(problem, row, tables.nearest, lane);
    });
  });
}

// Copies lane `lane` of some levels into a table with levels as lanes.
std::vector<float> level_table(const LaneTable& nearest, const std::vector<OverflowTable>& levels,
                               std::size_t coordinates, std::size_t lane, std::size_t width) {
  std::vector<float> table(coordinates * 2 * width);
  for (std::size_t c = 0; c < coordinates; ++c) {
    float* entry = table.data() + c * 2 * width;
    entry[width] = nearest.values[c * nearest.stride + lane];
    for (std::size_t l = 0; l < levels.size(); ++l) {
      entry[l + 1] = levels[l].capacities[c * levels[l].stride + lane];
      entry[width + l + 1] = levels[l].steps[c * levels[l].stride + lane];
    }
  }
  return table;
}

TEST(Charge, CandidatesHaveTheBitsOfTheLevelsAddedInOrder) {
  Random random(2);
  for (const std::size_t width : {4U, 8U, 16U, 24U}) {
    const Problem problem = reference::random_problem(random, 2100, 9, 0.1, false);
    const Tables tables(random, problem, 16, false);
    std::vector<Tables> more;
    std::vector<OverflowTable> levels;
    for (std::size_t l = 1; l < width - 2; ++l) more.emplace_back(random, problem, 16, false);
    for (const Tables& level : more) levels.push_back(level.overflow);
    const auto values = level_table(tables.nearest, levels, problem.coordinates_count, 5, width);
    const std::vector<std::uint32_t> listed = {8, 0, 3, 3};
    for (const KernelTable* kernels : supported_kernels()) {
      std::vector<float> costs(listed.size(), -1.0F);
      kernels->candidate_costs(problem.rows(), listed.data(), listed.size(),
                               LevelTable{values.data(), width}, costs.data());
      for (std::size_t i = 0; i < listed.size(); ++i) {
        float cost = reference::nearest_cost(problem, listed[i], tables.nearest, 5);
        for (const auto& level : levels) {
          cost += reference::overflow_cost(problem, listed[i], level, 5);
        }
        EXPECT_EQ(costs[i], cost) << kernels->name << " width " << width;
      }
    }
  }
}

TEST(Charge, RowsWithoutBinsCostNothing) {
  Problem problem;
  problem.coordinates_count = 1;
  problem.offsets = {0, 0};
  problem.segment_offsets = {0, 0};
  const std::vector<float> values(16);
  const std::uint32_t row = 0;
  for (const KernelTable* kernels : supported_kernels()) {
    float cost = -1;
    kernels->candidate_costs(problem.rows(), &row, 1, LevelTable{values.data(), 8}, &cost);
    EXPECT_EQ(cost, 0.0F) << kernels->name;
  }
}

}  // namespace
}  // namespace navvy::kernels
