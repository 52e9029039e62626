// The ground distance is one definition: slabs and the sorted ground have its bits, on every table
// of kernels, and it keeps what it promises.

#include "backends/ground/ground.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "backends/cpu/ground/bin_distances.hpp"
#include "backends/cpu/ground/slabs.hpp"
#include "backends/cpu/ground/sorted.hpp"
#include "core/run.hpp"
#include "kernels/kernels.hpp"
#include "pairwise/metric_emd.hpp"
#include "support/random_histograms.hpp"

namespace navvy::backends {
namespace {

using test::SampleShape;

constexpr double everywhere = std::numeric_limits<double>::infinity();

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

// Odd sizes around those of slabs, panels and groups of words; clusters, so that both forms of the
// square occur.
std::vector<Vocabulary> vocabularies() {
  test::Rng rng(7);
  std::vector<Vocabulary> result;
  for (const std::size_t dimensions : {1U, 2U, 3U, 17U, 100U})
    for (const std::size_t size : {1U, 5U, 31U, 33U, 70U}) {
      const SampleShape shape{.dimensions = dimensions,
                              .vocabulary_size = size,
                              .grid = size % 10 == 1,
                              .coinciding = size > 31};
      result.push_back(test::random_vocabulary(rng, shape));
      std::vector<float> shifted;
      for (const float value : result.back().coordinates().span()) shifted.push_back(value + 5);
      result.emplace_back(dimensions, Array(std::move(shifted)));
    }
  return result;
}

TEST(Ground, SlabsHaveItsBitsOnAllKernels) {
  for (const Vocabulary& vocabulary : vocabularies())
    for (const double threshold : {everywhere, 1.3}) {
      const Ground ground = Ground::euclidean(vocabulary, threshold);
      std::vector<std::uint32_t> words;
      for (std::uint32_t id = 0; id < vocabulary.size(); ++id)
        if (id % 3 != 1) words.push_back(id);
      for (const kernels::KernelTable* kernels : kernels::supported_kernels()) {
        const SlabGround slabs(ground, *kernels);
        const PackedWords packed = slabs.pack(words);
        std::vector<float> squares(packed.slab_size());
        for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
          const std::size_t lane = id % kernels::slab_rows;
          if (lane == 0) slabs.squared_distances(id / kernels::slab_rows, packed, squares.data());
          for (std::size_t word = 0; word < words.size(); ++word) {
            const std::size_t place = word * kernels::slab_rows + lane;
            ASSERT_EQ(bits(squares[place]), bits(ground.squared(id, words[word])));
            ASSERT_EQ(bits(slabs.squared_distance(id, words[word])), bits(squares[place]));
          }
        }
      }
    }
}

TEST(Ground, DistancesToTheBinsOfAQueryHaveItsBitsKeptOrNot) {
  for (const Vocabulary& vocabulary : vocabularies())
    for (const bool kept : {true, false}) {
      const Ground ground = Ground::euclidean(vocabulary);
      const SlabGround slabs(ground, kernels::best_kernels());
      std::vector<std::uint32_t> bins;
      for (std::uint32_t id = 0; id < vocabulary.size(); id += 2) bins.push_back(id);
      const ProgressCallback nobody;
      core::Monitor monitor(nobody);
      core::Workspaces workspaces;
      constexpr std::uint64_t memory = std::uint64_t{1} << 30U;
      core::Run run(2, memory, monitor, workspaces);
      BinDistances distances(slabs);
      ASSERT_EQ(distances.set_query(bins, kept ? 0 : memory, run), kept);
      std::atomic<std::size_t> visited{0};
      distances.fill(run, [&](std::size_t, core::Range, const float*, unsigned) { ++visited; });
      ASSERT_EQ(visited, slabs.slabs());
      std::vector<float> line(bins.size());
      for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
        distances.line(id, line);
        for (std::size_t bin = 0; bin < bins.size(); ++bin)
          ASSERT_EQ(bits(line[bin]), bits(ground.distance(id, bins[bin])));
      }
    }
}

TEST(Ground, TheSortedGroundHasItsBitsOnAllKernels) {
  core::ThreadPool pool(2);
  const ProgressCallback nobody;
  core::Monitor monitor(nobody);
  for (const Vocabulary& vocabulary : vocabularies())
    for (const kernels::KernelTable* kernels : kernels::supported_kernels()) {
      const Ground ground = Ground::euclidean(vocabulary, 4.5);
      const SortedGround sorted(SlabGround(ground, *kernels), pool, monitor);
      for (std::uint32_t a = 0; a < vocabulary.size(); ++a) {
        const auto neighbours = sorted.neighbours(a);
        for (std::size_t rank = 0; rank < neighbours.size(); ++rank) {
          ASSERT_EQ(bits(sorted.distances(a)[rank]), bits(ground.distance(a, neighbours[rank])));
          if (rank == 0) continue;
          const auto place = [&](std::size_t r) {
            return std::pair(ground.squared(a, neighbours[r]), neighbours[r]);
          };
          ASSERT_LT(place(rank - 1), place(rank));
        }
        for (std::uint32_t b = 0; b < vocabulary.size(); ++b)
          ASSERT_EQ(bits(sorted.distance(a, b)), bits(ground.distance(a, b)));
      }
    }
}

// Coordinates over many orders of magnitude, far from the origin, near each other, or integers.
Vocabulary awkward_vocabulary(test::Rng& rng) {
  const std::size_t dimensions = test::pick<std::size_t>(rng, {1, 2, 3, 16, 300});
  std::vector<float> values(dimensions * test::random_size(rng, 1, 12));
  std::normal_distribution<float> normal;
  const float scale = std::ldexp(1.0F, static_cast<int>(test::random_size(rng, 0, 150)) - 100);
  const float shift = test::chance(rng, 0.5) ? 0.0F : 20 * scale;
  const bool integers = test::chance(rng, 0.3);
  for (float& value : values)
    value = integers                 ? std::round(900 * normal(rng))
            : test::chance(rng, 0.1) ? normal(rng) * scale * 1e-12F
                                     : normal(rng) * scale + shift;
  return {dimensions, Array(std::move(values))};
}

RC_GTEST_PROP(Ground, KeepsItsPromises, (std::uint64_t seed)) {
  test::Rng rng(seed);
  const Vocabulary vocabulary = awkward_vocabulary(rng);
  const auto size = static_cast<std::uint32_t>(vocabulary.size());
  const double whole = Ground::euclidean(vocabulary).promises().diameter;
  const double threshold = test::chance(rng, 0.5) ? everywhere : 0.4 * whole;
  const Ground ground = Ground::euclidean(vocabulary, threshold);
  const Promises& promises = ground.promises();
  RC_ASSERT(promises.symmetric && promises.metric);
  RC_ASSERT(promises.norm == std::isinf(threshold));
  for (std::uint32_t a = 0; a < size; ++a)
    for (std::uint32_t b = 0; b < size; ++b) {
      const auto distance = static_cast<double>(ground.distance(a, b));
      const double exact = ground.exact(a, b);
      RC_ASSERT(bits(ground.distance(a, b)) == bits(ground.distance(b, a)));
      RC_ASSERT(a != b || (distance == 0 && exact == 0));
      RC_ASSERT(exact <= promises.diameter);
      RC_ASSERT(exact == 0 || exact >= promises.spacing);
      RC_ASSERT(promises.relative_error == 1 ||
                std::abs(distance - exact) <=
                    promises.relative_error * exact + 0x1p-40 * promises.diameter);
    }
}

// The solver has its own loops; they are the same numbers.
RC_GTEST_PROP(Ground, ExactIsWhatSolversUse, (std::uint64_t seed)) {
  test::Rng rng(seed);
  const Vocabulary vocabulary = awkward_vocabulary(rng);
  const Ground ground = Ground::euclidean(vocabulary);
  std::vector<std::uint32_t> ids(vocabulary.size());
  std::iota(ids.begin(), ids.end(), 0U);
  std::vector<double> distances;
  pairwise::GroundDistances().fill(vocabulary, ids, ids, distances);
  for (std::uint32_t a = 0; a < ids.size(); ++a)
    for (std::uint32_t b = 0; b < ids.size(); ++b)
      RC_ASSERT(distances[a * ids.size() + b] == ground.exact(a, b));
}

// Grids lose no solves to the error that text has, and keep the bits of squares made in double.
TEST(Ground, IntegersAreExactInEveryTerm) {
  std::vector<float> grid;
  for (int i = 0; i < 28 * 28; ++i)
    for (const int place : {i % 28, i / 28}) grid.push_back(static_cast<float>(place));
  const Vocabulary vocabulary(2, Array(std::move(grid)));
  const Ground ground = Ground::euclidean(vocabulary);
  EXPECT_EQ(ground.promises().relative_error, 0x1p-23);
  EXPECT_EQ(ground.promises().spacing, 1);
  for (std::uint32_t a = 0; a < vocabulary.size(); ++a)
    for (std::uint32_t b = 0; b < vocabulary.size(); ++b) {
      const auto square = static_cast<float>(squared_ground_distance(vocabulary, a, b));
      ASSERT_EQ(bits(ground.squared(a, b)), bits(square));
    }
}

TEST(Ground, PromisesNothingBeyondTheRangeOfFloats) {
  for (const float scale : {1e-20F, 1e25F}) {
    const Vocabulary vocabulary(1, Array(std::vector<float>{0, scale}));
    EXPECT_EQ(Ground::euclidean(vocabulary).promises().relative_error, 1);
  }
}

}  // namespace
}  // namespace navvy::backends
