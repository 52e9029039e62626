// Sinkhorn of one query against many rows: the distances that pairs have alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "navvy/pairwise.hpp"
#include "navvy/search.hpp"
#include "support/expect_error.hpp"
#include "support/random_histograms.hpp"

namespace navvy {
namespace {

using test::Rng;
using test::SampleShape;

const Measure sinkhorn{MeasureKind::sinkhorn, 1};

Index random_index(Rng& rng, const SampleShape& shape) {
  const test::Sample sample = test::random_sample(rng, shape);
  Index index;
  index.vocabulary = sample.vocabulary;
  index.rows = sample.rows;
  return index;
}

SampleShape text_like() {
  SampleShape shape;
  shape.dimensions = 20;
  shape.rows = 25;
  shape.vocabulary_size = 4200;  // more than the backend for small supports takes
  shape.max_bins = 30;
  return shape;
}

std::vector<float> matrix(const Index& index, const SearchOptions& options) {
  std::vector<float> values;
  const std::size_t n = index.rows.size();
  Searcher(index).distances({0, n, 0, n}, options.question, options.run,
                            [&](std::size_t, std::size_t, std::span<const float> block) {
                              values.insert(values.end(), block.begin(), block.end());
                            });
  return values;
}

void expect_pairs(const Index& index, const SinkhornOptions& settings, double tolerance) {
  SearchOptions options;
  options.question.measure = sinkhorn;
  options.question.sinkhorn = settings;
  options.run.threads = 2;
  const std::vector<float> found = matrix(index, options);
  const std::size_t n = index.rows.size();
  TransportOptions pair;
  pair.sinkhorn = settings;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double expected =
          transport(sinkhorn, index.vocabulary, index.rows[i], index.rows[j], pair).distance;
      ASSERT_NEAR(static_cast<double>(found[i * n + j]), expected, tolerance * expected + 1e-7)
          << i << ' ' << j;
      ASSERT_EQ(found[i * n + j], found[j * n + i]) << i << ' ' << j;
    }
}

TEST(SinkhornQuery, GivesTheDistancesOfPairs) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    SampleShape shape = test::random_shape(rng);
    shape.rows = 12;
    // Where it converges slowly, a small error of the marginals may be far from the end.
    ASSERT_NO_FATAL_FAILURE(expect_pairs(random_index(rng, shape), {}, 1e-4)) << "seed " << seed;
  }
}

TEST(SinkhornQuery, GivesTheDistancesOfPairsOverALargeVocabulary) {
  Rng rng(1);
  expect_pairs(random_index(rng, text_like()), {}, 1e-5);
}

TEST(SinkhornQuery, GoesToLogarithmsWhereNumbersWouldLeaveTheirRange) {
  Rng rng(2);
  SinkhornOptions settings;
  settings.lambda = 1000;
  settings.tolerance = 1e-3;
  settings.max_iterations = 100'000;
  expect_pairs(random_index(rng, {.rows = 8}), settings, 1e-9);
}

TEST(SinkhornQuery, IsTheSameForAnyThreadsAndCountsWhatDidNotConverge) {
  Rng rng(3);
  for (const SampleShape& shape : {SampleShape{.rows = 40, .max_bins = 16}, text_like()}) {
    const Index index = random_index(rng, shape);
    Searcher searcher(index);
    const std::vector<std::uint32_t> rows{0, 9};
    SearchOptions options;
    options.question.measure = sinkhorn;
    options.top = 8;
    options.run.threads = 1;
    const Matches expected = searcher.search_rows(rows, options);
    std::uint64_t unconverged = 0;
    for (const std::uint32_t query : rows)
      for (std::size_t row = 0; row < index.rows.size(); ++row)
        unconverged +=
            !transport(sinkhorn, index.vocabulary, index.rows[row], index.rows[query]).converged;
    EXPECT_EQ(expected.counters.unconverged, unconverged);
    EXPECT_GT(expected.counters.stages.at(0).seconds, 0);
    for (const unsigned threads : {2U, 5U}) {
      options.run.threads = threads;
      const Matches found = searcher.search_rows(rows, options);
      EXPECT_EQ(found.rows, expected.rows);
      EXPECT_EQ(found.distances, expected.distances);
    }
    options.question.sinkhorn.max_iterations = 1;
    EXPECT_GT(searcher.search_rows(rows, options).counters.unconverged, index.rows.size());
  }
}

TEST(SinkhornQuery, RefusesOptionsOutsideTheirRangeAndTooLittleMemory) {
  Rng rng(4);
  Searcher searcher(random_index(rng, text_like()));
  const std::vector<std::uint32_t> rows{0};
  SearchOptions options;
  options.question.measure = sinkhorn;
  options.run.memory = 1000;
  const auto search = [&] { searcher.search_rows(rows, options); };
  EXPECT_THAT(test::error_of(ErrorCode::limit, search), testing::HasSubstr("(memory)"));
  options.run.memory = 0;
  options.question.sinkhorn.lambda = -1;
  EXPECT_THAT(test::error_of(ErrorCode::usage, search), testing::HasSubstr("lambda"));
}

}  // namespace
}  // namespace navvy
