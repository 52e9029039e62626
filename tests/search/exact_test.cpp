// Exact search against the distance of every pair: same rows, same distances, whatever is switched
// off, cut short or shared out; and what an answer claims is true.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "core/chosen_rows.hpp"
#include "core/run.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/search.hpp"
#include "search/answers.hpp"
#include "search/exact/search.hpp"
#include "search/exact_truth.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::awkward_index;
using test::expect_close;
using test::expect_exact;
using test::expect_honest;
using test::expect_search_is_brute_force;
using test::options_for;
using test::random_index;
using test::Rng;
using test::rows_with_weight;
using test::SampleShape;
using test::text_like;
using test::true_distances;
using test::with_duplicates;

TEST(Exact, GivesAllRowsWhereFewerThanAskedFor) {
  Rng rng(3);
  SampleShape shape;
  shape.rows = 5;
  expect_search_is_brute_force(random_index(rng, shape), std::vector<std::uint32_t>{0, 3}, 9);
}

TEST(Exact, IsTheSameForAnyThreads) {
  Rng rng(4);
  for (const SampleShape& shape : {SampleShape{.rows = 300, .grid = true}, text_like(150)}) {
    const Index index = random_index(rng, shape);
    const std::vector<std::uint32_t> rows{0, 7, 50};
    Searcher searcher(index);
    SearchOptions options = options_for(10, 1);
    const Matches expected = searcher.search_rows(rows, options);
    options.exact.max_solves = 12;
    const Matches expected_cut = searcher.search_rows(rows, options);
    for (const unsigned threads : {2U, 3U, 8U}) {
      options = options_for(10, threads);
      const Matches found = searcher.search_rows(rows, options);
      EXPECT_EQ(found.rows, expected.rows);
      EXPECT_EQ(found.distances, expected.distances);
      for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(found.proofs[i].solves, expected.proofs[i].solves);
      options.exact.max_solves = 12;
      const Matches cut = searcher.search_rows(rows, options);
      EXPECT_EQ(cut.rows, expected_cut.rows);
      EXPECT_EQ(cut.lower, expected_cut.lower);
      EXPECT_EQ(cut.upper, expected_cut.upper);
    }
  }
}

TEST(Exact, KnnIsSearchOfEveryRow) {
  Rng rng(5);
  SampleShape shape;
  shape.rows = 60;
  shape.zero_bins = true;
  const Index index = random_index(rng, shape);
  Searcher searcher(index);
  const Matches found = searcher.knn(options_for(5));
  for (const std::uint32_t row : rows_with_weight(index, 1))
    ASSERT_NO_FATAL_FAILURE(expect_exact(found, row, true_distances(index, row)));
}

// Each family of bounds alone must be safe, and the answer the same without any of them.
TEST(Exact, IsBruteForceWithAnyFamilyOfBoundsLeftOut) {
  Rng rng(6);
  const std::vector<search::BoundSwitches> variants = {
      {.projections = false},
      {.into_query = false},
      {.into_row = false},
      {.ict = true},
      {.potentials = false},
      {.greedy = false},
      {.iterations = 0},
      {.projections = false, .into_query = false, .into_row = false},
      {.into_query = false, .into_row = false, .potentials = false}};
  for (const SampleShape& shape : {SampleShape{.rows = 150, .max_bins = 12},
                                   SampleShape{.rows = 150, .grid = true}, text_like(60)}) {
    const Index index = with_duplicates(random_index(rng, shape), rng);
    const ProgressCallback nobody;
    core::Monitor monitor(nobody);
    core::Workspaces workspaces;
    core::Run run(2, 0, monitor, workspaces);
    const auto prepared = backends::find_backend("cpu").prepare(
        {index.vocabulary, index.rows}, std::numeric_limits<double>::infinity(), run);
    const std::vector<std::uint32_t> rows{1, 40};
    const auto distances = true_distances(index, rows);
    const Histograms queries = core::chosen_rows(index.rows, rows);
    for (const search::BoundSwitches& switches : variants) {
      const SearchOptions options = options_for(6);
      Matches found(rows.size(), options.top);
      search::search_exact(*prepared, {&queries, rows}, {options, switches}, run, found);
      for (std::size_t i = 0; i < rows.size(); ++i)
        ASSERT_NO_FATAL_FAILURE(expect_exact(found, i, distances[i]));
    }
  }
}

// What ends a search before all is proven; from at once to hardly ever.
std::vector<SearchOptions> limits(const Measure& measure) {
  std::vector<SearchOptions> result;
  SearchOptions options = options_for(8);
  options.question.measure = measure;
  for (const double deadline : {1e-9, 2e-5, 1e-4, 5e-4}) {
    result.push_back(options);
    result.back().exact.deadline = deadline;
  }
  for (const std::uint64_t solves : {1U, 3U, 9U, 20U}) {
    result.push_back(options);
    result.back().exact.max_solves = solves;
  }
  for (const double tolerance : {0.01, 0.2, 1.0}) {
    result.push_back(options);
    result.back().exact.tolerance = tolerance;
    result.push_back(result.back());
    result.back().exact.max_solves = 12;
  }
  return result;
}

// Answers under every limit, each held against the distances of all pairs.
void expect_honest_under_limits(const Index& index, const Measure& measure) {
  Searcher searcher(index);
  const auto rows = rows_with_weight(index, 11);
  const auto distances = true_distances(index, rows, measure);
  for (const SearchOptions& options : limits(measure)) {
    const Matches found = searcher.search_rows(rows, options);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(expect_honest(found, i, distances[i]));
      const Proof& proof = found.proofs[i];
      ASSERT_TRUE(options.exact.max_solves == 0 || proof.solves <= options.exact.max_solves);
      ASSERT_TRUE(options.exact.deadline != 1e-9 || proof.solves == 0);
      if (proof.undecided > 0) continue;
      ASSERT_NO_FATAL_FAILURE(expect_close(found, i, distances[i], options.exact.tolerance));
    }
  }
}

TEST(Exact, CutShortItClaimsOnlyWhatIsTrue) {
  const std::uint64_t seeds = test::thorough() ? 1000 : test::sanitized ? 10 : 100;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Rng rng(seed);
    const Index index = awkward_index(rng, 60);
    for (const Measure& measure : {test::emd, Measure{MeasureKind::emd_hat, 1, 1.5}})
      ASSERT_NO_FATAL_FAILURE(expect_honest_under_limits(index, measure)) << "seed " << seed;
  }
  Rng rng(1);
  expect_honest_under_limits(with_duplicates(random_index(rng, text_like(80)), rng), test::emd);
}

// Every row of a small index is in the answer, so that each search shows an interval per row: most
// of them from bounds and plans, since few are solved.
TEST(Exact, IntervalsContainTheTrueDistance) {
  const std::uint64_t wanted = test::thorough() ? 1'000'000 : test::sanitized ? 10'000 : 100'000;
  std::uint64_t open = 0;
  std::uint64_t pairs = 0;
  for (std::uint64_t seed = 1; pairs < wanted; ++seed) {
    Rng rng(seed);
    SampleShape shape = test::random_shape(rng);
    shape.rows = 50;
    const Index index = random_index(rng, shape);
    Searcher searcher(index);
    SearchOptions options = options_for(shape.rows, 1);
    options.exact.max_solves = test::random_size(rng, 1, 8);
    const auto rows = rows_with_weight(index, 5);
    const Matches found = searcher.search_rows(rows, options);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::vector<double> distances = true_distances(index, rows[i]);
      ASSERT_NO_FATAL_FAILURE(expect_honest(found, i, distances)) << "seed " << seed;
      pairs += found.proofs[i].matches;
      for (std::size_t rank = 0; rank < found.proofs[i].matches; ++rank)
        open += found.exact[i * found.top + rank] == 0;
    }
  }
  EXPECT_GT(open, pairs / 2);
}

TEST(Exact, HatIsBruteForceUnderItsThreshold) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    const Index index = awkward_index(rng, 40);
    for (const double threshold : {0.3, 1.5, 100.0})
      ASSERT_NO_FATAL_FAILURE(expect_search_is_brute_force(index, rows_with_weight(index, 29), 5,
                                                           {MeasureKind::emd_hat, 1, threshold}))
          << "seed " << seed << " threshold " << threshold;
  }
  Rng rng(1);
  const Index texts = with_duplicates(random_index(rng, text_like(120)), rng);
  expect_search_is_brute_force(texts, rows_with_weight(texts, 61), 7,
                               {MeasureKind::emd_hat, 1, 3.0});
}

// Proofs speak of the rows that were asked for alone.
TEST(Exact, SearchesAmongSomeRows) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Rng rng(seed);
    const Index index = awkward_index(rng, 60);
    std::vector<std::uint8_t> among(index.rows.size());
    for (std::uint8_t& each : among) each = test::random_size(rng, 0, 2) > 0 ? 1 : 0;
    const auto rows = rows_with_weight(index, 13);
    SearchOptions options = options_for(6);
    options.among = Array<std::uint8_t>(among);
    const Matches found = Searcher(index).search_rows(rows, options);
    auto distances = true_distances(index, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t row = 0; row < among.size(); ++row)
        if (among[row] == 0) distances[i][row] = std::numeric_limits<double>::infinity();
      ASSERT_NO_FATAL_FAILURE(expect_exact(found, i, distances[i])) << "seed " << seed;
    }
  }
}

// A limit leaves out what is farther, and costs no more solves than a search without.
TEST(Exact, StartsFromALimit) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Rng rng(seed);
    const Index index = awkward_index(rng, 60);
    const auto rows = rows_with_weight(index, 13);
    SearchOptions options = options_for(6);
    const Searcher searcher(index);
    const Matches all = searcher.search_rows(rows, options);
    std::vector<double> limits;
    for (std::size_t i = 0; i < rows.size(); ++i) limits.push_back(all.distances[i * all.top + 2]);
    options.limits = Array<double>(limits);
    const Matches found = searcher.search_rows(rows, options);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_LE(found.proofs[i].solves, all.proofs[i].solves);
      EXPECT_EQ(found.proofs[i].certain, found.proofs[i].matches);
      for (std::size_t place = i * all.top; place < (i + 1) * all.top; ++place) {
        const bool within = all.distances[place] <= limits[i];
        ASSERT_EQ(found.rows[place], within ? all.rows[place] : no_row)
            << "seed " << seed << " query " << i;
        if (within) {
          ASSERT_EQ(found.distances[place], all.distances[place]);
        }
      }
    }
  }
}

TEST(Exact, ProjectionsAreRefusedBeforeTheyAreMade) {
  Rng rng(1);
  Searcher searcher(random_index(rng, {.rows = 4000}));
  SearchOptions options = options_for(3);
  options.run.memory = 1 << 20;  // 4,000 rows x 4 lines x 32 intervals take twice as much
  const std::vector<std::uint32_t> rows{0};
  EXPECT_THAT(test::error_of(ErrorCode::limit, [&] { searcher.search_rows(rows, options); }),
              testing::HasSubstr("projections"));
}

TEST(Exact, StagesSayHowLongTheyTook) {
  Rng rng(2);
  Searcher searcher(random_index(rng, {.rows = 400, .grid = true}));
  const Matches found = searcher.search_rows(std::vector<std::uint32_t>{0}, options_for(5));
  const Proof& proof = found.proofs[0];
  double seconds = 0;
  for (const SearchCounters::Stage& stage : proof.stages) {
    EXPECT_GE(stage.seconds, 0) << stage.measure;
    seconds += stage.seconds;
  }
  EXPECT_GT(seconds, 0);
  EXPECT_LE(seconds, proof.seconds);
  EXPECT_EQ(found.counters.stages.size(), proof.stages.size());
}

TEST(Exact, ToleranceSavesSolves) {
  Rng rng(8);
  Searcher searcher(random_index(rng, {.rows = 400, .max_bins = 12}));
  SearchOptions options = options_for(10);
  const std::vector<std::uint32_t> rows{3, 200};
  const Matches exact = searcher.search_rows(rows, options);
  options.exact.tolerance = 0.2;
  const Matches found = searcher.search_rows(rows, options);
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_LT(found.proofs[i].solves, exact.proofs[i].solves);
}

}  // namespace
}  // namespace navvy
