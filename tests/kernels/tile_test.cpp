#include <gtest/gtest.h>

#include "kernels/reference.hpp"

namespace navvy::kernels {
namespace {

using reference::Random;

TEST(KernelTables, AreListedOnceAndFoundByName) {
  ASSERT_FALSE(supported_kernels().empty());
  for (const KernelTable* kernels : supported_kernels()) {
    EXPECT_EQ(find_kernels(kernels->name), kernels);
  }
  EXPECT_EQ(&best_kernels(), supported_kernels().front());
  EXPECT_EQ(find_kernels("no such set"), nullptr);
}

TEST(Tile, TransposeMovesEveryEntryAndNoOther) {
  Random random(6);
  for (const KernelTable* kernels : supported_kernels()) {
    for (const std::size_t rows : {1U, 4U, 16U, 19U}) {
      for (const std::size_t columns : {1U, 4U, 32U, 35U}) {
        const auto from = reference::random_values(random, rows * (columns + 3), false);
        std::vector<float> to(columns * (rows + 2), -1.0F);
        kernels->transpose(from.data(), columns + 3, rows, columns, to.data(), rows + 2);
        for (std::size_t c = 0; c < columns; ++c) {
          for (std::size_t r = 0; r < rows + 2; ++r) {
            const float expected = r < rows ? from[r * (columns + 3) + c] : -1.0F;
            ASSERT_EQ(to[c * (rows + 2) + r], expected) << kernels->name << ' ' << r << ' ' << c;
          }
        }
      }
    }
  }
}

TEST(Tile, LargerWithTransposedTakesTheLargerDirection) {
  Random random(7);
  for (const KernelTable* kernels : supported_kernels()) {
    for (const std::size_t rows : {3U, 64U}) {
      for (const std::size_t columns : {5U, 64U}) {
        const auto a = reference::random_values(random, rows * columns, false);
        const auto b = reference::random_values(random, rows * columns, false);
        auto larger = a;
        kernels->larger_with_transposed(larger.data(), columns, rows, columns, b.data(), rows);
        for (std::size_t i = 0; i < larger.size(); ++i) {
          ASSERT_EQ(larger[i], std::max(a[i], b[i % columns * rows + i / columns]));
        }
      }
    }
  }
}

TEST(Tile, BelowListsPlacesInOrder) {
  Random random(8);
  const std::size_t rows = 21;
  const std::size_t lanes = 48;
  for (const KernelTable* kernels : supported_kernels()) {
    for (const float scale : {0.0F, 0.05F, 1.0F, 2.0F}) {
      const auto values = reference::random_values(random, rows * lanes, false);
      auto row_thresholds = reference::random_values(random, rows, false);
      auto lane_thresholds = reference::random_values(random, lanes, false);
      for (float& threshold : row_thresholds) threshold *= scale;
      for (float& threshold : lane_thresholds) threshold *= scale;
      lane_thresholds[2] = values[2];  // equal is not below
      row_thresholds[0] = 0;
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < values.size(); ++i) {
        const float threshold = std::max(row_thresholds[i / lanes], lane_thresholds[i % lanes]);
        if (values[i] < threshold) expected.push_back(i);
      }
      std::vector<std::uint32_t> places(values.size());
      places.resize(kernels->below(values.data(), rows, lanes,
                                   Thresholds{row_thresholds.data(), lane_thresholds.data()},
                                   places.data()));
      EXPECT_EQ(places, expected) << kernels->name << ' ' << scale;
    }
  }
}

TEST(FmaPeak, RunsAtLeastWhatWasAskedFor) {
  for (const KernelTable* kernels : supported_kernels()) {
    EXPECT_GE(kernels->fma_peak(1000), 1000U) << kernels->name;
  }
}

}  // namespace
}  // namespace navvy::kernels
