// Rows with every coordinate as a bin, as images with their background have: the nearest bins are
// then looked up instead of searched for.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "backends/small_ground.hpp"
#include "core/parallel.hpp"
#include "kernels/kernels.hpp"
#include "navvy/navvy.hpp"
#include "support/random_histograms.hpp"

namespace navvy {
namespace {

constexpr std::size_t side = 7;
constexpr std::size_t size = side * side;

Vocabulary grid() {
  std::vector<float> places;
  for (std::size_t i = 0; i < size; ++i) {
    places.push_back(static_cast<float>(i % side));
    places.push_back(static_cast<float>(i / side));
  }
  return {2, Array(std::move(places))};
}

std::vector<float> random_weights(test::Rng& rng) {
  std::vector<float> weights(size);
  for (float& weight : weights)
    weight = test::chance(rng, 0.5) ? 0.0F : static_cast<float>(test::random_size(rng, 1, 9)) / 97;
  return weights;
}

TEST(FullRows, NeighboursAreWhatTheKernelFinds) {
  core::ThreadPool pool(1);
  const ProgressCallback nobody;
  core::Monitor monitor(nobody);
  const backends::SmallGround ground(grid(), std::numeric_limits<double>::infinity(), pool,
                                     monitor);
  std::vector<std::uint32_t> all(size);
  std::iota(all.begin(), all.end(), 0U);
  test::Rng rng(1);
  const std::vector<float> weights = random_weights(rng);
  for (const auto overflow : {kernels::Overflow::everywhere, kernels::Overflow::at_distance_zero})
    for (const std::size_t k : {1U, 2U, 3U, 8U, 16U, 20U, 60U})
      for (std::size_t tile = 0; tile < ground.tiles(); ++tile) {
        std::vector<float> expected(2 * k * kernels::tile_rows);
        std::vector<float> found(expected.size());
        kernels::best_kernels().k_smallest(ground.tile(tile), {all.data(), weights.data(), size}, k,
                                           overflow, expected.data());
        ground.k_nearest(tile, weights.data(), k, overflow, found.data());
        const std::size_t lanes = std::min(kernels::tile_rows, size - tile * kernels::tile_rows);
        for (std::size_t plane = 0; plane + 1 < 2 * k; ++plane)
          for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::size_t place = plane * kernels::tile_rows + lane;
            ASSERT_EQ(found[place], expected[place])
                << "k " << k << " plane " << plane << " lane " << lane << " tile " << tile;
          }
      }
}

TEST(FullRows, DistancesAreTheReference) {
  test::Rng rng(2);
  HistogramsBuilder builder(size, ZeroBins::keep);
  std::vector<std::uint32_t> all(size);
  std::iota(all.begin(), all.end(), 0U);
  for (int row = 0; row < 12; ++row) {
    const std::vector<float> weights = random_weights(rng);
    builder.add(all, std::vector<double>(weights.begin(), weights.end()));
  }
  Index index;
  index.vocabulary = grid();
  index.rows = builder.build();
  Searcher searcher(index);
  for (const char* name : {"rwmd", "omr", "act-1", "act-7", "act-15", "ict"}) {
    RunOptions options;
    options.measure = parse_measure(name);
    const std::size_t n = index.rows.size();
    searcher.distances(
        {0, n, 0, n}, options,
        [&](std::size_t first, std::size_t count, std::span<const float> values) {
          for (std::size_t i = 0; i < count * n; ++i) {
            const double expected = transport(options.measure, index.vocabulary, index.rows[i % n],
                                              index.rows[first + i / n], {})
                                        .distance;
            ASSERT_NEAR(static_cast<double>(values[i]), expected, 1e-6 * expected + 1e-6) << name;
          }
        });
  }
}

}  // namespace
}  // namespace navvy
