// Rows of so many bins that small budgets take them piece by piece: the bits of the plain walk.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "backends/cpu/ground/bin_distances.hpp"
#include "backends/plain_walk.hpp"
#include "navvy/error.hpp"
#include "support/effort.hpp"
#include "support/random_histograms.hpp"

namespace navvy::test {
namespace {

constexpr std::size_t most_bins = sanitized ? 500 : 1500;

// More coordinates than are kept sorted. Reals, and a grid of ties, coinciding places and bins
// without weight.
std::vector<Sample> long_samples() {
  std::vector<Sample> samples;
  for (const bool grid : {false, true}) {
    Rng rng(grid ? 4 : 3);
    samples.push_back(random_sample(rng, {.dimensions = 3,
                                          .vocabulary_size = 4500,
                                          .rows = 3,
                                          .max_bins = most_bins,
                                          .grid = grid,
                                          .coinciding = grid,
                                          .zero_bins = grid,
                                          .uneven = grid}));
  }
  return samples;
}

// Who is told and asked, and what is kept, within a budget.
struct Setting {
  explicit Setting(std::uint64_t memory) : run(2, memory, monitor, workspaces) {}

  ProgressCallback nobody;
  core::Monitor monitor{nobody};
  core::Workspaces workspaces;
  backends::Run run;
};

// The distances of all rows to all rows, one query after the other; nothing where it is refused.
std::optional<std::vector<float>> distances_within(std::uint64_t memory,
                                                   const backends::RowSet& set,
                                                   const backends::Task& task) {
  Setting setting(memory);
  try {
    const auto rows = backends::find_backend("cpu").prepare(
        set, std::numeric_limits<double>::infinity(), setting.run);
    const auto block = rows->queries(task, set.rows.size(), setting.run);
    std::vector<std::uint32_t> all(set.rows.size());
    std::iota(all.begin(), all.end(), 0U);
    std::vector<float> found;
    for (std::size_t query = 0; query < all.size(); ++query) {
      if (query % block->block() == 0)
        block->prepare(set.rows, {query, std::min(query + block->block(), all.size())},
                       setting.run);
      std::vector<float> line(all.size());
      static_cast<void>(block->bounds(query));
      block->distances(all, line, setting.run);
      found.insert(found.end(), line.begin(), line.end());
    }
    return found;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit) << error.what();
    return std::nullopt;
  }
}

std::vector<float> plain_distances(const backends::RowSet& set, const backends::Task& task) {
  PlainDistances plain(set, std::numeric_limits<double>::infinity(), task);
  std::vector<float> all;
  for (std::size_t query = 0; query < set.rows.size(); ++query) {
    const std::vector<float> line = plain.of(set.rows[query]);
    all.insert(all.end(), line.begin(), line.end());
  }
  return all;
}

TEST(LongRows, HaveTheBitsOfThePlainWalkUnderEveryBudget) {
  for (const Sample& sample : long_samples())
    for (const char* name :
         sample.shape.grid ? std::vector{"omr", "act-19"} : std::vector{"rwmd", "act-1", "act-7"}) {
      if (sanitized && name != std::string("act-7")) continue;
      const backends::RowSet set{sample.vocabulary, sample.rows};
      const backends::Task task{parse_measure(name)};
      const std::vector<float> expected = plain_distances(set, task);
      std::uint64_t least = 0;
      for (std::uint64_t memory = 1 << 17U; memory < std::uint64_t{1} << 29U;
           memory += memory / 2) {
        const auto found = distances_within(memory, set, task);
        ASSERT_TRUE(found || least == 0) << name << " is refused " << memory << " but not less";
        if (!found) continue;
        if (least == 0) least = memory;
        ASSERT_EQ(*found, expected) << name << " in " << memory;
      }
      ASSERT_NE(least, 0U) << name;
      EXPECT_GT(least, 1U << 17U) << name << ": the least budget is not small";
    }
}

TEST(LongRows, AreShownPieceByPiece) {
  Rng rng(5);
  const SampleShape shape{.dimensions = 3, .vocabulary_size = 900};
  const Vocabulary vocabulary = random_vocabulary(rng, shape);
  const backends::Ground ground = backends::Ground::euclidean(vocabulary);
  const backends::SlabGround slabs(ground, kernels::best_kernels());
  std::vector<std::uint32_t> bins;
  for (std::uint32_t id = 0; id < vocabulary.size(); id += id % 5 == 3 ? 2 : 1) bins.push_back(id);
  Setting setting(std::uint64_t{256} << 10U);
  backends::BinDistances distances(slabs);
  ASSERT_FALSE(distances.set_query(bins, 0, setting.run));
  std::atomic<std::size_t> bins_seen{0};
  std::atomic<std::size_t> pieces{0};
  std::atomic<std::size_t> wrong{0};
  distances.fill(setting.run,
                 [&](std::size_t slab, core::Range piece, const float* squares, unsigned) {
                   ++pieces;
                   bins_seen += piece.size();
                   for (std::size_t bin = piece.begin; bin < piece.end; ++bin)
                     for (std::size_t i = 0; i < kernels::slab_rows; ++i) {
                       const auto id = static_cast<std::uint32_t>(slab * kernels::slab_rows + i);
                       if (id >= vocabulary.size()) continue;
                       const float square = squares[(bin - piece.begin) * kernels::slab_rows + i];
                       if (square != ground.squared(id, bins[bin])) ++wrong;
                     }
                 });
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(bins_seen, bins.size() * slabs.slabs());
  EXPECT_GT(pieces, 2 * slabs.slabs());
}

}  // namespace
}  // namespace navvy::test
