// Exact search against the distance of every pair: same rows, same distances, whatever is switched
// off, cut short or shared out; and what an answer claims is true.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "navvy/loaders.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/search.hpp"
#include "navvy/text.hpp"
#include "search/exact_search.hpp"
#include "support/random_histograms.hpp"
#include "support/shared_data.hpp"

namespace navvy {
namespace {

using test::Rng;
using test::SampleShape;

const Measure emd{MeasureKind::emd, 1};

SearchOptions options_for(std::size_t top, unsigned threads = 2) {
  SearchOptions options;
  options.measure = emd;
  options.top = top;
  options.threads = threads;
  return options;
}

Index random_index(Rng& rng, const SampleShape& shape) {
  const test::Sample sample = test::random_sample(rng, shape);
  Index index;
  index.vocabulary = sample.vocabulary;
  index.rows = sample.rows;
  return index;
}

// Some rows twice and thrice, in an order of their own.
Index with_duplicates(const Index& index, Rng& rng) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < index.rows.size(); ++row)
    order.insert(order.end(), test::random_size(rng, 1, 3), row);
  std::shuffle(order.begin(), order.end(), rng);
  HistogramsBuilder builder(index.vocabulary.size(), ZeroBins::keep);
  for (const std::uint32_t row : order) {
    const Histogram histogram = index.rows[row];
    builder.add(histogram.coordinates,
                std::vector<double>(histogram.weights.begin(), histogram.weights.end()));
  }
  Index result = index;
  result.rows = builder.build();
  return result;
}

// The true distances of one query to all rows, by row; infinity for what cannot match.
std::vector<double> true_distances(const Index& index, std::uint32_t query) {
  std::vector<double> distances(index.rows.size(), std::numeric_limits<double>::infinity());
  for (std::uint32_t row = 0; row < index.rows.size(); ++row)
    if (row != query && !is_empty(index.rows[row]))
      distances[row] =
          transport(emd, index.vocabulary, index.rows[row], index.rows[query]).distance;
  return distances;
}

// Rows in order of distance, ties by row.
std::vector<std::uint32_t> order_of(const std::vector<double>& distances) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < distances.size(); ++row)
    if (std::isfinite(distances[row])) order.push_back(row);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return distances[row]; });
  return order;
}

void expect_exact(const Matches& found, std::size_t query, const std::vector<double>& distances) {
  const auto order = order_of(distances);
  const std::size_t expected = std::min(found.top, order.size());
  for (std::size_t rank = 0; rank < expected; ++rank) {
    const std::size_t place = query * found.top + rank;
    const double distance = distances[order[rank]];
    ASSERT_EQ(found.rows[place], order[rank]) << "query " << query << " rank " << rank;
    ASSERT_NEAR(found.distances[place], distance, 1e-9 * distance);
    ASSERT_EQ(found.lower[place], found.distances[place]);
    ASSERT_EQ(found.upper[place], found.distances[place]);
    ASSERT_TRUE(found.exact[place]);
  }
  const Proof& proof = found.proofs[query];
  ASSERT_EQ(proof.rows, order.size());
  ASSERT_EQ(proof.matches, expected);
  ASSERT_EQ(proof.certain, expected);
  ASSERT_EQ(proof.undecided, 0U);
  for (std::size_t rank = expected; rank < found.top; ++rank)
    ASSERT_EQ(found.rows[query * found.top + rank], Matches::no_row);
}

// What an answer that was cut short says about itself.
void expect_honest(const Matches& found, std::size_t query, const std::vector<double>& distances) {
  const auto order = order_of(distances);
  const std::size_t wanted = std::min(found.top, order.size());
  std::uint64_t right = 0;
  for (std::size_t rank = 0; rank < wanted; ++rank) {
    const std::size_t place = query * found.top + rank;
    const std::uint32_t row = found.rows[place];
    ASSERT_NE(row, Matches::no_row) << "rank " << rank;
    ASSERT_LE(found.lower[place], distances[row]);
    ASSERT_GE(found.upper[place], distances[row]);
    ASSERT_EQ(found.distances[place], found.upper[place]);
    if (found.exact[place]) {
      ASSERT_NEAR(found.upper[place], distances[row], 1e-9 * distances[row]);
    }
    if (rank > 0) {
      ASSERT_GE(found.distances[place], found.distances[place - 1]);
    }
    right += static_cast<std::uint64_t>(
        std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted), row) !=
        order.begin() + static_cast<std::ptrdiff_t>(wanted));
  }
  ASSERT_LE(found.proofs[query].certain, right);
}

void expect_search_is_brute_force(const Index& index, std::span<const std::uint32_t> rows,
                                  std::size_t top) {
  Searcher searcher(index);
  const Matches found = searcher.search_rows(rows, options_for(top));
  for (std::size_t i = 0; i < rows.size(); ++i)
    ASSERT_NO_FATAL_FAILURE(expect_exact(found, i, true_distances(index, rows[i])));
}

SampleShape text_like(std::size_t rows) {
  SampleShape shape;
  shape.dimensions = 9;
  shape.rows = rows;
  shape.vocabulary_size = 4200;  // more than the backend for small supports takes
  shape.max_bins = 40;
  return shape;
}

std::vector<std::uint32_t> rows_with_weight(const Index& index, std::size_t step) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < index.rows.size(); row += static_cast<std::uint32_t>(step))
    if (!is_empty(index.rows[row])) rows.push_back(row);
  return rows;
}

TEST(Exact, IsBruteForceOnRandomHistogramsWithTiesAndDuplicates) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    SampleShape shape = test::random_shape(rng);
    shape.rows = 40;
    const Index index = with_duplicates(random_index(rng, shape), rng);
    const std::size_t top = test::random_size(rng, 1, 12);
    ASSERT_NO_FATAL_FAILURE(expect_search_is_brute_force(index, rows_with_weight(index, 13), top))
        << "seed " << seed;
  }
}

TEST(Exact, IsBruteForceOverALargeVocabulary) {
  Rng rng(2);
  const Index index = with_duplicates(random_index(rng, text_like(120)), rng);
  expect_search_is_brute_force(index, rows_with_weight(index, 31), 7);
}

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
    options.max_solves = 12;
    const Matches expected_cut = searcher.search_rows(rows, options);
    for (const unsigned threads : {2U, 3U, 8U}) {
      options = options_for(10, threads);
      const Matches found = searcher.search_rows(rows, options);
      EXPECT_EQ(found.rows, expected.rows);
      EXPECT_EQ(found.distances, expected.distances);
      options.max_solves = 12;
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
      {.potentials = false},
      {.greedy = false},
      {.iterations = 0},
      {.projections = false, .into_query = false, .into_row = false},
      {.into_query = false, .into_row = false, .potentials = false}};
  for (const SampleShape& shape : {SampleShape{.rows = 150, .max_bins = 12},
                                   SampleShape{.rows = 150, .grid = true}, text_like(60)}) {
    const Index index = with_duplicates(random_index(rng, shape), rng);
    const search::Engine engine(index);
    const std::vector<std::uint32_t> rows{1, 40};
    const std::vector<std::vector<double>> distances{true_distances(index, 1),
                                                     true_distances(index, 40)};
    HistogramsBuilder builder(index.vocabulary.size(), ZeroBins::keep);
    for (const std::uint32_t row : rows) {
      const Histogram histogram = index.rows[row];
      builder.add(histogram.coordinates,
                  std::vector<double>(histogram.weights.begin(), histogram.weights.end()));
    }
    const Histograms queries = builder.build();
    for (const search::BoundSwitches& switches : variants) {
      Matches found;
      found.queries = rows.size();
      found.top = 6;
      found.rows.assign(rows.size() * found.top, Matches::no_row);
      found.distances.assign(rows.size() * found.top, 0);
      core::Budget budget(0);
      core::ThreadPool pool(2);
      const ProgressCallback nobody;
      core::Monitor monitor(nobody);
      search::search_exact(engine, {&queries, rows}, options_for(6), switches, budget, pool,
                           monitor, found);
      for (std::size_t i = 0; i < rows.size(); ++i)
        ASSERT_NO_FATAL_FAILURE(expect_exact(found, i, distances[i]));
    }
  }
}

TEST(Exact, CutShortItClaimsOnlyWhatIsTrue) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Rng rng(seed);
    SampleShape shape = test::random_shape(rng);
    shape.rows = 60;
    const Index index = with_duplicates(random_index(rng, shape), rng);
    Searcher searcher(index);
    const auto rows = rows_with_weight(index, 37);
    std::vector<std::vector<double>> distances;
    for (const std::uint32_t row : rows) distances.push_back(true_distances(index, row));
    for (const std::uint64_t solves : {1U, 3U, 9U, 20U}) {
      SearchOptions options = options_for(8);
      options.max_solves = solves;
      const Matches found = searcher.search_rows(rows, options);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_LE(found.proofs[i].solves, solves);
        ASSERT_NO_FATAL_FAILURE(expect_honest(found, i, distances[i])) << "seed " << seed;
      }
    }
    SearchOptions options = options_for(8);
    options.deadline = 1e-9;
    const Matches found = searcher.search_rows(rows, options);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(found.proofs[i].solves, 0U);
      ASSERT_NO_FATAL_FAILURE(expect_honest(found, i, distances[i])) << "seed " << seed;
    }
  }
}

TEST(Exact, ToleranceBoundsTheError) {
  Rng rng(8);
  SampleShape shape;
  shape.rows = 400;
  shape.max_bins = 12;
  const Index index = random_index(rng, shape);
  Searcher searcher(index);
  SearchOptions options = options_for(10);
  const std::vector<std::uint32_t> rows{3, 200};
  const Matches exact = searcher.search_rows(rows, options);
  options.tolerance = 0.2;
  const Matches found = searcher.search_rows(rows, options);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    expect_honest(found, i, true_distances(index, rows[i]));
    EXPECT_LE(found.proofs[i].solves, exact.proofs[i].solves);
    for (std::size_t rank = 0; rank < 10; ++rank)
      EXPECT_LE(found.distances[i * 10 + rank], 1.2 * exact.distances[i * 10 + rank]);
  }
}

TEST(Exact, IsBruteForceOnDigits) {
  const Index index = index_images(
      read_idx_images(std::string(NAVVY_TEST_DATA) + "/../../data/demo/digits-images.idx3"));
  expect_search_is_brute_force(index, std::vector<std::uint32_t>{0, 100, 555}, 16);
}

// The first rows of an index.
Index first_rows(const Index& index, std::size_t count) {
  HistogramsBuilder builder(index.vocabulary.size());
  for (std::size_t row = 0; row < count; ++row) {
    const Histogram histogram = index.rows[row];
    builder.add(histogram.coordinates,
                std::vector<double>(histogram.weights.begin(), histogram.weights.end()));
  }
  Index result = index;
  result.rows = builder.build();
  return result;
}

TEST(Exact, IsBruteForceOnImages) {
  const auto path = test::shared_data("mnist/t10k-images-idx3-ubyte.gz");
  NAVVY_NEEDS_DATA(path);
  const Index index = first_rows(index_images(read_idx_images(path)), 2000);
  expect_search_is_brute_force(index, std::vector<std::uint32_t>{7, 1234}, 16);
}

TEST(Exact, IsBruteForceOnTexts) {
  const auto corpus = test::shared_data("wmd/r8-train-all-terms.txt.gz");
  const auto vectors = test::shared_data("vectors/glove-6b-100d-20news.bin.gz");
  NAVVY_NEEDS_DATA(corpus);
  NAVVY_NEEDS_DATA(vectors);
  std::vector<Document> documents;
  CorpusOptions tsv;
  tsv.format = CorpusFormat::tsv;
  read_corpus(corpus, tsv, [&](Document&& document) {
    if (documents.size() < 1000) documents.push_back(std::move(document));
  });
  const Index index = build_text(documents, vectors, {}).index;
  expect_search_is_brute_force(index, std::vector<std::uint32_t>{11, 700}, 16);
}

}  // namespace
}  // namespace navvy
