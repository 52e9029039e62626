// What a solver of pairs says it takes, against what the system gave it.

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "pairwise/metric_emd.hpp"
#include "support/effort.hpp"

namespace navvy::test {
namespace {

std::uint64_t memory_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// A pair whose supports have nothing in common.
struct DisjointPair {
  DisjointPair(std::uint32_t p_bins, std::uint32_t q_bins, std::mt19937& rng)
      : p_coordinates(p_bins), q_coordinates(q_bins) {
    std::iota(p_coordinates.begin(), p_coordinates.end(), 0U);
    std::iota(q_coordinates.begin(), q_coordinates.end(), p_bins);
    std::uniform_real_distribution<double> weight(0.5, 1);
    for (std::uint32_t i = 0; i < p_bins; ++i) p_weights.push_back(weight(rng) / p_bins);
    for (std::uint32_t i = 0; i < q_bins; ++i) q_weights.push_back(weight(rng) / q_bins);
  }

  std::vector<std::uint32_t> p_coordinates, q_coordinates;
  std::vector<double> p_weights, q_weights;
};

TEST(SolverMemory, IsNoMoreThanIsSaidAndNotMuchLess) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's own allocator does not say what is in use";
  constexpr std::size_t dimensions = 7;
  std::mt19937 rng(4);
  std::vector<float> values(1200 * dimensions);
  for (float& value : values) value = std::uniform_real_distribution<float>(0, 1)(rng);
  const Vocabulary vocabulary(dimensions, Array(std::move(values)));
  for (const auto& sizes : {std::vector<std::uint32_t>{600}, {100, 310, 200, 320, 600, 50}}) {
    const std::uint64_t before = memory_in_use();
    pairwise::MetricEmd emd(vocabulary);
    if (sizes.size() > 1) emd.make_room(600, 300);
    std::uint64_t most = 0;
    for (const std::uint32_t size : sizes) {
      const DisjointPair pair(size, size / 2, rng);
      emd.set_pair({pair.p_coordinates, {}}, pair.p_weights, {pair.q_coordinates, {}},
                   pair.q_weights);
      emd.solve();
      most = std::max(most, memory_in_use() - before);
    }
    const std::uint64_t said = pairwise::MetricEmd::memory(600, 300, dimensions);
    EXPECT_LE(most, said);
    EXPECT_GE(most, said / 2);
  }
}

}  // namespace
}  // namespace navvy::test
