#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/kernels.hpp"

namespace navvy::kernels {
namespace {

using Random = std::mt19937;

std::uint16_t random_short(Random& random, int most) {
  return static_cast<std::uint16_t>(std::uniform_int_distribution<int>(0, most)(random));
}

struct Problem {
  std::size_t rows;
  std::size_t levels;
  std::vector<Segment> segments;
  std::vector<CoarseBin> bins;
  std::vector<std::uint16_t> table;

  Problem(Random& random, std::size_t level_count) : rows(7), levels(level_count) {
    constexpr std::size_t coordinates = 50;
    for (std::uint32_t segment = 0; segment < 20; ++segment) {
      segments.push_back({segment * 3 % 7, 1 + segment % 6});
      for (std::uint32_t bin = 0; bin < segments.back().count; ++bin)
        bins.push_back({random_short(random, coordinates - 1), random_short(random, 65535)});
    }
    table.resize(coordinates * (2 * levels + 1) * coarse_lanes);
    // Up to 18 bins per row, each with a product below 2^16 * 900 per level: no sum overflows.
    for (std::uint16_t& value : table) value = random_short(random, 900);
  }

  [[nodiscard]] std::vector<std::uint16_t> expected() const {
    std::vector<std::uint16_t> costs(rows * coarse_lanes);
    const CoarseBin* bin = bins.data();
    for (const Segment& segment : segments)
      for (std::uint32_t i = 0; i < segment.count; ++i, ++bin)
        for (std::size_t lane = 0; lane < coarse_lanes; ++lane)
          costs[segment.row * coarse_lanes + lane] = static_cast<std::uint16_t>(
              costs[segment.row * coarse_lanes + lane] + cost(*bin, lane));
    return costs;
  }

  [[nodiscard]] std::uint32_t cost(CoarseBin bin, std::size_t lane) const {
    const std::uint16_t* entry =
        table.data() + bin.coordinate * (2 * levels + 1) * coarse_lanes + lane;
    std::uint32_t sum = std::uint32_t{bin.weight} * entry[0] >> 16;
    for (std::size_t level = 0; level < levels; ++level) {
      const std::uint32_t capacity = entry[(2 * level + 1) * coarse_lanes];
      const std::uint32_t step = entry[(2 * level + 2) * coarse_lanes];
      if (bin.weight > capacity) sum += (bin.weight - capacity) * step >> 16;
    }
    return sum;
  }
};

TEST(Coarse, ChargesLikeThePlainLoop) {
  Random random(1);
  for (const std::size_t levels : {0U, 1U, 2U, 4U}) {
    const Problem problem(random, levels);
    const std::vector<std::uint16_t> expected = problem.expected();
    for (const KernelTable* kernels : supported_kernels()) {
      std::vector<std::uint16_t> out(problem.rows * coarse_lanes);
      kernels->charge_coarse(
          {problem.segments.data(), problem.segments.size(), problem.bins.data()},
          {problem.table.data(), levels}, out.data());
      EXPECT_EQ(out, expected) << kernels->name << ", levels " << levels;
    }
  }
}

TEST(Coarse, ListsWhatIsAtMostTheLargerLimit) {
  Random random(2);
  constexpr std::size_t rows = 9;
  for (const int most : {20, 65535}) {
    std::vector<std::uint16_t> values(rows * coarse_lanes);
    std::vector<std::uint16_t> row_limits(rows);
    std::vector<std::uint16_t> lane_limits(coarse_lanes);
    for (std::uint16_t& value : values) value = random_short(random, most);
    for (std::uint16_t& limit : row_limits) limit = random_short(random, most / 5);
    for (std::uint16_t& limit : lane_limits) limit = random_short(random, most / 5);
    row_limits[3] = 65535;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t place = 0; place < values.size(); ++place)
      if (values[place] <=
          std::max(row_limits[place / coarse_lanes], lane_limits[place % coarse_lanes]))
        expected.push_back(place);
    ASSERT_LT(expected.size(), values.size() / 2);
    for (const KernelTable* kernels : supported_kernels()) {
      std::vector<std::uint32_t> places(values.size());
      places.resize(kernels->at_most(values.data(), rows, row_limits.data(), lane_limits.data(),
                                     places.data()));
      EXPECT_EQ(places, expected) << kernels->name;
    }
  }
}

}  // namespace
}  // namespace navvy::kernels
