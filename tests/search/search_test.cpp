// The engine against the pairwise reference, and its promises: equal bits whatever the verb, the
// threads, the batch and the kernels; ties by row; exact zeros; the order of measures on floats.

#include "navvy/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "navvy/error.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/version.hpp"
#include "support/directions.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"
#include "support/random_histograms.hpp"

namespace navvy {
namespace {

using test::Rng;
using test::Sample;
using test::SampleShape;

const std::vector<std::string> relaxations = {"rwmd",  "omr",    "act-1",  "act-2",
                                              "act-7", "act-15", "act-20", "ict"};

Index index_of(const Sample& sample) {
  Index index;
  index.vocabulary = sample.vocabulary;
  index.rows = sample.rows;
  return index;
}

Index random_index(std::uint64_t seed, const SampleShape& shape) {
  Rng rng(seed);
  return index_of(test::random_sample(rng, shape));
}

SampleShape image_like(std::size_t rows) {
  SampleShape shape;
  shape.rows = rows;
  shape.vocabulary_size = 90;  // more than one piece of the vocabulary
  shape.max_bins = 40;
  shape.grid = true;
  return shape;
}

// More coordinates than the backend for small supports takes.
SampleShape text_like(std::size_t rows) {
  SampleShape shape;
  shape.dimensions = 7;
  shape.rows = rows;
  shape.vocabulary_size = 4200;
  shape.max_bins = 70;
  shape.uneven = true;
  shape.coinciding = true;
  return shape;
}

std::vector<float> matrix(const Searcher& searcher, const SearchOptions& options) {
  const std::size_t n = searcher.index().rows.size();
  std::vector<float> values(n * n);
  searcher.distances({0, n, 0, n}, options.question, options.run,
                     [&](std::size_t first, std::size_t, std::span<const float> block) {
                       std::copy(block.begin(), block.end(),
                                 values.begin() + static_cast<std::ptrdiff_t>(first * n));
                     });
  return values;
}

double largest_distance(const Index& index) {
  double largest = 0;
  for (std::size_t a = 0; a < index.vocabulary.size(); ++a)
    largest = std::max(largest, ground_distance(index.vocabulary, 0, a));
  return largest;
}

void expect_matrix_is_reference(const Index& index, const std::string& name, Direction direction) {
  Searcher searcher(index);
  SearchOptions options;
  options.question.measure = parse_measure(name);
  options.question.direction = direction;
  options.run.threads = 1;
  const std::vector<float> values = matrix(searcher, options);
  const std::size_t n = index.rows.size();
  // The engine computes in float: each term is off by a few units in the last place, and capacities
  // are sums whose rounding shows where they nearly equal a weight; hence the small absolute part.
  const double rounding = 2e-7 * largest_distance(index);
  TransportOptions reference;
  reference.direction = direction;
  for (std::size_t query = 0; query < n; ++query)
    for (std::size_t row = 0; row < n; ++row) {
      const float value = values[query * n + row];
      if (is_empty(index.rows[query]) || is_empty(index.rows[row])) {
        EXPECT_TRUE(std::isnan(value));
        continue;
      }
      const double expected = transport(options.question.measure, index.vocabulary, index.rows[row],
                                        index.rows[query], reference)
                                  .distance;
      ASSERT_NEAR(static_cast<double>(value), expected, 1e-6 * expected + rounding)
          << name << " " << to_string(direction) << " of query " << query << " and row " << row;
      if (query == row) {
        ASSERT_EQ(value, 0.0F) << name;
      }
    }
}

// The lists that a matrix of distances implies.
Matches lists_of(const Index& index, const std::vector<float>& values, std::size_t top) {
  const std::size_t n = index.rows.size();
  Matches matches(n, top);
  for (std::size_t query = 0; query < n; ++query) {
    std::vector<std::pair<float, std::uint32_t>> order;
    for (std::uint32_t row = 0; row < n; ++row)
      if (row != query && !std::isnan(values[query * n + row]))
        order.emplace_back(values[query * n + row], row);
    std::sort(order.begin(), order.end());
    for (std::size_t rank = 0; rank < std::min(top, order.size()); ++rank)
      matches.put(query, rank, {order[rank].second, static_cast<double>(order[rank].first)});
  }
  return matches;
}

void expect_equal(const Matches& found, const Matches& expected, const std::string& what) {
  ASSERT_EQ(found.rows, expected.rows) << what;
  for (std::size_t i = 0; i < expected.rows.size(); ++i)
    if (expected.rows[i] != no_row) {
      ASSERT_EQ(found.distances[i], expected.distances[i]) << what << " at " << i;
    }
}

SearchOptions search_options(const std::string& name, Direction direction, std::size_t top) {
  SearchOptions options;
  options.question.measure = parse_measure(name);
  options.question.direction = direction;
  options.top = top;
  options.run.threads = 2;
  return options;
}

void expect_verbs_agree(const Index& index, const std::string& name, Direction direction,
                        std::size_t top) {
  Searcher searcher(index);
  const SearchOptions options = search_options(name, direction, top);
  const Matches expected = lists_of(index, matrix(searcher, options), top);
  expect_equal(searcher.knn(options), expected, name + " knn");
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < index.rows.size(); row += 7)
    if (!is_empty(index.rows[row])) rows.push_back(row);
  const Matches found = searcher.search_rows(rows, options);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(found[i].size(), expected[rows[i]].size());
    for (std::size_t rank = 0; rank < found[i].size(); ++rank)
      ASSERT_EQ(found[i].row(rank), expected[rows[i]].row(rank))
          << name << " search, row " << rows[i] << " rank " << rank;
  }
}

TEST(Engine, AgreesWithTheReferenceForEveryMeasureAndDirection) {
  const std::uint64_t samples = test::sanitized ? 10 : 60;
  for (std::uint64_t seed = 1; seed <= samples; ++seed) {
    Rng rng(seed);
    SampleShape shape = test::random_shape(rng);
    shape.rows = 12;
    const Index index = index_of(test::random_sample(rng, shape));
    for (const std::string& name : relaxations)
      for (const Direction direction : test::every_direction)
        expect_matrix_is_reference(index, name, direction);
    for (const std::string name : {"bow", "wcd", "emd"})
      expect_matrix_is_reference(index, name, Direction::symmetric);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Engine, AgreesWithTheReferenceOverALargeVocabulary) {
  const Index index = random_index(3, text_like(40));
  for (const std::string& name : relaxations)
    for (const Direction direction : test::every_direction) {
      expect_matrix_is_reference(index, name, direction);
      if (HasFatalFailure()) return;
    }
}

TEST(Engine, VerbsAgreeOverALargeVocabulary) {
  for (const Direction direction : test::every_direction)
    for (const std::string name : {"bow", "wcd", "rwmd", "omr", "act-1", "act-7", "ict"}) {
      expect_verbs_agree(random_index(4, text_like(90)), name, direction, 9);
      if (HasFatalFailure()) return;
    }
}

TEST(Engine, OrderOfMeasuresHoldsOnTheFloats) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    SampleShape shape = test::random_shape(rng);
    shape.rows = 20;
    Searcher searcher(index_of(test::random_sample(rng, shape)));
    std::vector<float> smaller;
    for (const std::string& name : relaxations) {
      SearchOptions options;
      options.question.measure = parse_measure(name);
      options.run.threads = 1;
      std::vector<float> larger = matrix(searcher, options);
      for (std::size_t i = 0; i < smaller.size(); ++i)
        if (!std::isnan(smaller[i])) {
          ASSERT_LE(smaller[i], larger[i]) << name << " seed " << seed;
        }
      smaller = std::move(larger);
    }
  }
}

TEST(Engine, KnnAndSearchGiveTheListsOfTheMatrix) {
  for (const Direction direction : test::every_direction)
    for (const std::string name : {"bow", "wcd", "rwmd", "omr", "act-1", "act-7", "ict"}) {
      expect_verbs_agree(random_index(5, image_like(150)), name, direction, 9);
      if (HasFatalFailure()) return;
    }
}

TEST(Engine, KnnOverSeveralTilesGivesTheListsOfTheMatrix) {
  SampleShape shape = image_like(2300);
  shape.max_bins = 12;
  for (const std::string name : {"rwmd", "act-1", "ict"})
    expect_verbs_agree(random_index(6, shape), name, Direction::symmetric, 5);
}

void expect_coarse_lists(const Index& index, const std::string& name, Direction direction) {
  Searcher searcher(index);
  const SearchOptions options = search_options(name, direction, 9);
  const Matches expected = lists_of(index, matrix(searcher, options), options.top);
  const Matches found = searcher.knn(options);
  expect_equal(found, expected, name);
  EXPECT_EQ(found.counters.stages.front().measure, "coarse " + name);
}

// From a tile of rows on, lists come from coarse bounds first.
TEST(Engine, CoarseBoundsLoseNoNeighbour) {
  SampleShape shape = image_like(1100);
  for (const bool every_row_has_all_bins : {false, true}) {
    shape.shared_support = shape.zero_bins = every_row_has_all_bins;
    const Index index = random_index(8, shape);
    for (const Direction direction :
         {Direction::symmetric, Direction::database_to_query, Direction::query_to_database})
      for (const std::string name : {"omr", "act-1", "act-7", "act-40"}) {
        expect_coarse_lists(index, name, direction);
        if (HasFatalFailure()) return;
      }
  }
}

// Places on a line, each row within one of 40 stretches of it, in no order; some rows are empty.
Index clustered_index(std::size_t rows) {
  constexpr std::uint32_t places = 400;
  constexpr std::uint32_t stretch = 10;
  Rng rng(9);
  std::vector<float> line(places);
  for (std::uint32_t i = 0; i < places; ++i) line[i] = static_cast<float>(i);
  HistogramsBuilder builder(places);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t first = test::random_size(rng, 0, places / stretch - 1) * stretch;
    std::vector<std::uint32_t> ids;
    std::vector<double> weights;
    for (std::uint32_t i = 0; i < stretch && row % 97 != 0; ++i)
      if (test::chance(rng, 0.6)) {
        ids.push_back(static_cast<std::uint32_t>(first) + i);
        weights.push_back(static_cast<double>(test::random_size(rng, 1, 9)));
      }
    builder.add(ids, weights);
  }
  Index index;
  index.vocabulary = {1, Array(std::move(line))};
  index.rows = builder.build();
  return index;
}

// Most pairs are far from each other: their overflow is never looked at.
TEST(Engine, CoarseBoundsLoseNoNeighbourAmongClusters) {
  const Index index = clustered_index(2100);
  for (const Direction direction : {Direction::symmetric, Direction::query_to_database})
    for (const std::string name : {"rwmd", "act-1", "act-3", "ict"}) {
      expect_coarse_lists(index, name, direction);
      if (HasFatalFailure()) return;
    }
}

TEST(Engine, BinsWithoutWeightCountAsDestinations) {
  SampleShape shape = image_like(120);
  shape.shared_support = true;
  shape.zero_bins = true;
  const Index index = random_index(7, shape);
  for (const std::string& name : relaxations) {
    expect_verbs_agree(index, name, Direction::symmetric, 6);
    if (HasFatalFailure()) return;
  }
}

void expect_equal_bits(const Index& index) {
  for (const std::string name : {"rwmd", "omr", "act-3", "ict"}) {
    SearchOptions options = search_options(name, Direction::symmetric, 5);
    Searcher searcher(index);
    const Matches expected = searcher.knn(options);
    const std::vector<float> expected_matrix = matrix(searcher, options);
    std::vector<std::uint32_t> all(index.rows.size());
    for (std::uint32_t row = 0; row < all.size(); ++row) all[row] = row;
    for (const std::string& kernels : available_kernels()) {
      const Searcher other(index, "cpu:" + kernels);
      for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        options.run.threads = threads;
        expect_equal(other.knn(options), expected, name + " " + kernels);
        ASSERT_EQ(matrix(other, options), expected_matrix) << name << " " << kernels;
      }
      options.run.threads = 2;
      for (const std::size_t batch : {1U, 7U, 64U, 1000U}) {
        options.run.batch = batch;
        expect_equal(other.search_rows(all, options), expected, name + " batch");
      }
      options.run.batch = 0;
    }
  }
}

TEST(Engine, EqualBitsForAnyThreadsBatchAndKernels) {
  expect_equal_bits(random_index(8, image_like(130)));
}

TEST(Engine, EqualBitsForAnyThreadsBatchAndKernelsOverALargeVocabulary) {
  expect_equal_bits(random_index(8, text_like(16)));
}

TEST(Engine, TheMemoryBudgetChangesNoResult) {
  SampleShape shape = image_like(3000);
  shape.max_bins = 10;
  const Index index = random_index(9, shape);
  Searcher searcher(index);
  SearchOptions options = search_options("act-1", Direction::symmetric, 4);
  const Matches expected = searcher.knn(options);
  options.run.memory = 48U << 20U;  // tables of two tiles of queries at a time
  expect_equal(searcher.knn(options), expected, "small budget");
  options.run.memory = 1U << 20U;  // no lists of all rows: a few queries at a time
  expect_equal(searcher.knn(options), expected, "tiny budget");
  options.run.memory = 1U << 13U;
  const std::string message = test::error_of(ErrorCode::limit, [&] { searcher.knn(options); });
  EXPECT_NE(message.find("(memory)"), std::string::npos) << message;
}

TEST(Engine, StopsWhenAsked) {
  Searcher searcher(random_index(10, image_like(3000)));
  SearchOptions options = search_options("act-1", Direction::symmetric, 4);
  options.run.progress = [](const Progress&) { return false; };
  test::error_of(ErrorCode::interrupted, [&] { searcher.knn(options); });
}

TEST(Engine, TiesGoByRowAndOwnRowIsLeftOut) {
  // All rows equal: every distance is 0, so lists are the smallest other rows.
  HistogramsBuilder builder(3);
  const std::vector<std::uint32_t> coordinates{0, 2};
  const std::vector<double> weights{1, 3};
  for (int row = 0; row < 5; ++row) builder.add(coordinates, weights);
  Index index;
  index.vocabulary = Vocabulary(1, Array(std::vector<float>{0, 1, 5}));
  index.rows = builder.build();
  Searcher searcher(index);
  for (const std::string name : {"bow", "wcd", "rwmd", "omr", "act-1", "ict", "emd"}) {
    const Matches found = searcher.knn(search_options(name, Direction::symmetric, 2));
    EXPECT_EQ(found.rows, (std::vector<std::int64_t>{1, 2, 0, 2, 0, 1, 0, 1, 0, 1})) << name;
    for (const double distance : found.distances) EXPECT_EQ(distance, 0.0) << name;
  }
}

TEST(Engine, EvaluatesRowsWithWeightOnly) {
  Index index = clustered_index(300);
  std::vector<std::string> labels;
  for (std::size_t row = 0; row < index.rows.size(); ++row)
    labels.push_back(std::to_string(row % 3));
  set_labels(index, labels);
  Searcher searcher(index);
  const SearchOptions options = search_options("act-1", Direction::symmetric, 5);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < index.rows.size(); ++row)
    if (!is_empty(index.rows[row])) rows.push_back(row);
  ASSERT_LT(rows.size(), index.rows.size());
  const Matches found = searcher.search_rows(rows, options);
  double equal = 0;
  for (std::size_t i = 0; i < found.queries; ++i)
    for (const Match& match : found[i])
      equal += index.labels[static_cast<std::size_t>(match.row)] == index.labels[rows[i]] ? 1 : 0;
  const Evaluation evaluation =
      searcher.evaluate({.question = options.question, .run = options.run, .tops = {5}});
  EXPECT_EQ(evaluation.queries, rows.size());
  EXPECT_DOUBLE_EQ(evaluation.precision.at(0).mean, equal / static_cast<double>(found.rows.size()));
}

TEST(Engine, RefusesWhatItCannotAnswer) {
  const Index index = random_index(11, image_like(30));
  Searcher searcher(index);
  const SearchOptions options = search_options("act-1", Direction::symmetric, 3);
  const std::vector<std::uint32_t> beyond{30};
  test::error_of(ErrorCode::usage, [&] { searcher.search_rows(beyond, options); });
  test::error_of(ErrorCode::usage, [&] {
    searcher.evaluate({.question = options.question, .run = options.run, .tops = {1}});
  });
  HistogramsBuilder builder(index.vocabulary.size());
  builder.add({}, {});
  const Histograms empty = builder.build();
  test::error_of(ErrorCode::bad_input, [&] { searcher.search(empty, options); });
}

}  // namespace
}  // namespace navvy
