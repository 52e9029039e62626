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

constexpr std::size_t coordinates = 50;

// Up to 18 bins per row, each with a product below 2^16 * 900: no sum overflows.
std::vector<std::uint16_t> random_table(Random& random, std::size_t size) {
  std::vector<std::uint16_t> table(size);
  for (std::uint16_t& value : table) value = random_short(random, 900);
  return table;
}

CoarseBin random_bin(Random& random) {
  return {random_short(random, coordinates - 1), random_short(random, 65535)};
}

TEST(Coarse, ChargesLikeThePlainLoop) {
  Random random(1);
  constexpr std::size_t rows = 7;
  std::vector<Segment> segments;
  std::vector<CoarseBin> bins;
  for (std::uint32_t segment = 0; segment < 20; ++segment) {
    segments.push_back({segment * 3 % 7, 1 + segment % 6});
    for (std::uint32_t bin = 0; bin < segments.back().count; ++bin)
      bins.push_back(random_bin(random));
  }
  const auto table = random_table(random, coordinates * coarse_lanes);
  std::vector<std::uint16_t> expected(rows * coarse_lanes);
  const CoarseBin* bin = bins.data();
  for (const Segment& segment : segments)
    for (std::uint32_t i = 0; i < segment.count; ++i, ++bin)
      for (std::size_t lane = 0; lane < coarse_lanes; ++lane) {
        std::uint16_t& cost = expected[segment.row * coarse_lanes + lane];
        const std::uint32_t product = table[bin->coordinate * coarse_lanes + lane] * bin->weight;
        cost = static_cast<std::uint16_t>(cost + (product >> 16));
      }
  for (const KernelTable* kernels : supported_kernels()) {
    std::vector<std::uint16_t> out(rows * coarse_lanes);
    kernels->charge_coarse({segments.data(), segments.size(), bins.data()}, table.data(),
                           out.data());
    EXPECT_EQ(out, expected) << kernels->name;
  }
}

TEST(Coarse, ChargesTheOverflowOfChosenRows) {
  Random random(2);
  std::vector<CoarseBin> bins;
  std::vector<std::uint64_t> offsets{0};
  for (std::size_t row = 0; row < 6; ++row) {
    for (std::size_t bin = 0; bin < 3 * row; ++bin) bins.push_back(random_bin(random));
    offsets.push_back(bins.size());
  }
  const std::vector<std::uint32_t> chosen{5, 0, 3};
  for (const std::size_t levels : {1U, 2U, 4U}) {
    const auto table = random_table(random, coordinates * levels * 2 * coarse_group);
    std::vector<std::uint16_t> expected(6 * coarse_lanes, 7);
    for (const std::uint32_t row : chosen)
      for (std::uint64_t bin = offsets[row]; bin < offsets[row + 1]; ++bin)
        for (std::size_t i = 0; i < levels * coarse_group; ++i) {
          const std::size_t level = i / coarse_group;
          const std::size_t lane = i % coarse_group;
          const std::size_t entry =
              (bins[bin].coordinate * levels + level) * 2 * coarse_group + lane;
          if (bins[bin].weight <= table[entry]) continue;
          const std::uint32_t over = bins[bin].weight - std::uint32_t{table[entry]};
          std::uint16_t& cost = expected[row * coarse_lanes + lane];
          cost = static_cast<std::uint16_t>(cost + (over * table[entry + coarse_group] >> 16));
        }
    for (const KernelTable* kernels : supported_kernels()) {
      std::vector<std::uint16_t> out(expected.size(), 7);
      kernels->charge_coarse_overflow({offsets.data(), bins.data()}, chosen.data(), chosen.size(),
                                      {table.data(), levels}, out.data());
      EXPECT_EQ(out, expected) << kernels->name << ", levels " << levels;
    }
  }
}

TEST(Coarse, ListsWhatIsAtMostTheLargerLimit) {
  Random random(3);
  for (const std::size_t rows : {std::size_t{9}, coarse_square})
    for (const bool both : {false, true})
      for (const int most : {20, 65535}) {
        std::vector<std::uint16_t> forward(coarse_square * coarse_lanes);
        std::vector<std::uint16_t> backward(coarse_square * coarse_lanes);
        std::vector<std::uint16_t> row_limits(rows);
        std::vector<std::uint16_t> lane_limits(coarse_square);
        for (std::uint16_t& value : forward) value = random_short(random, most);
        for (std::uint16_t& value : backward) value = random_short(random, most);
        for (std::uint16_t& limit : row_limits) limit = random_short(random, most / 5);
        for (std::uint16_t& limit : lane_limits) limit = random_short(random, most / 5);
        row_limits[3] = 65535;
        std::vector<std::uint32_t> expected;
        for (std::size_t row = 0; row < rows; ++row)
          for (std::size_t lane = 0; lane < coarse_square; ++lane) {
            std::uint16_t cost = forward[row * coarse_lanes + lane];
            if (both) cost = std::max(cost, backward[lane * coarse_lanes + row]);
            if (cost <= std::max(row_limits[row], lane_limits[lane]))
              expected.push_back(static_cast<std::uint32_t>(row * coarse_square + lane));
          }
        ASSERT_LT(expected.size(), rows * coarse_square / 2);
        for (const KernelTable* kernels : supported_kernels()) {
          std::vector<std::uint32_t> places(coarse_square * coarse_square);
          places.resize(kernels->at_most({forward.data(), both ? backward.data() : nullptr, rows},
                                         row_limits.data(), lane_limits.data(), places.data()));
          EXPECT_EQ(places, expected) << kernels->name << ", both " << both;
        }
      }
}

}  // namespace
}  // namespace navvy::kernels
