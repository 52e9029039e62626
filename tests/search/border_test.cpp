// All pairs across a border: the lists that single searches among the rows on the other side give.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "search/exact_truth.hpp"

namespace navvy {
namespace {

using test::Rng;

// The rows on one side of a border.
Array<std::uint8_t> side(std::size_t rows, std::size_t border, bool before) {
  std::vector<std::uint8_t> among(rows);
  for (std::size_t row = 0; row < rows; ++row) among[row] = (row < border) == before ? 1 : 0;
  return Array(std::move(among));
}

// Compares some lists with searches for their rows.
void expect_lists(const Searcher& searcher, const SearchOptions& options, const Matches& found,
                  std::size_t step) {
  const std::size_t rows = searcher.index().rows.size();
  for (std::uint32_t row = 0; row < rows; row += static_cast<std::uint32_t>(step)) {
    if (is_empty(searcher.index().rows[row])) continue;
    SearchOptions alone = options;
    alone.border.reset();
    alone.run.memory = 0;
    alone.among = side(rows, *options.border, row >= *options.border);
    if (!options.limits.empty()) alone.limits = Array(std::vector{options.limits[row]});
    const Matches expected = searcher.search_rows(std::span(&row, 1), alone);
    ASSERT_EQ(found[row].size(), expected[0].size()) << "row " << row;
    for (std::size_t rank = 0; rank < expected[0].size(); ++rank) {
      ASSERT_EQ(found[row].row(rank), expected[0].row(rank)) << "row " << row;
      ASSERT_EQ(found[row].distance(rank), expected[0].distance(rank)) << "row " << row;
    }
  }
}

Question question(const MeasureFacts& known, Direction direction) {
  Question asked;
  const bool hat = known.parameter == MeasureParameter::threshold;
  asked.measure = {known.kind, 2, hat ? 2.0 : 0.0};
  if (!known.partial) asked.direction = direction;
  return asked;
}

TEST(Border, ParesAllPairsUnderEveryMeasure) {
  Rng rng(3);
  for (const std::size_t vocabulary_size : {50U, 5000U}) {
    const Index index = test::with_duplicates(
        test::random_index(
            rng, {.dimensions = 2, .vocabulary_size = vocabulary_size, .rows = 45, .max_bins = 6}),
        rng);
    for (const char* backend : {"cpu", "cpu-uncached", "reference"}) {
      const Searcher searcher(index, backend);
      for (const MeasureFacts& known : all_facts())
        for (const std::size_t border : {1U, 29U}) {
          SearchOptions options = test::options_for(4);
          options.question = question(known, Direction::symmetric);
          options.border = border;
          SCOPED_TRACE(std::string(known.name) + " on " + backend);
          ASSERT_NO_FATAL_FAILURE(expect_lists(searcher, options, searcher.knn(options), 3));
        }
    }
  }
}

// Enough rows for tiles, bounds in front of distances, and several parts where memory is short.
class BorderInTiles : public testing::TestWithParam<std::size_t> {};

TEST_P(BorderInTiles, GivesTheSameLists) {
  Rng rng(4);
  const std::size_t rows = GetParam() > 4096 ? 1400 : 2300;
  const Index index = test::with_duplicates(
      test::random_index(
          rng, {.dimensions = 2, .vocabulary_size = GetParam(), .rows = rows, .max_bins = 9}),
      rng);
  const Searcher searcher(index);
  for (const Direction direction :
       {Direction::symmetric, Direction::query_to_database, Direction::mix(0.3)})
    for (const std::size_t border : {700U, 1030U}) {
      SearchOptions options = test::options_for(6);
      options.question.measure = parse_measure("act-2");
      options.question.direction = direction;
      options.border = border;
      if (border == 700U) options.run.memory = std::uint64_t{24} << 20U;
      SCOPED_TRACE("border " + std::to_string(border) + " " + to_string(direction));
      const Matches all = searcher.knn(options);
      ASSERT_NO_FATAL_FAILURE(expect_lists(searcher, options, all, 301));
      if (direction != Direction::symmetric) continue;
      std::vector<double> limits;
      for (std::size_t row = 0; row < all.queries; ++row)
        limits.push_back(row % 2 == 0 && all[row].size() > 3 ? all[row].distance(3) : INFINITY);
      options.limits = Array(std::move(limits));
      ASSERT_NO_FATAL_FAILURE(expect_lists(searcher, options, searcher.knn(options), 301));
    }
}

INSTANTIATE_TEST_SUITE_P(OfVocabularies, BorderInTiles, testing::Values(200, 5000));

TEST(Border, AtAnEndLeavesNoPairs) {
  Rng rng(5);
  const Index index = test::random_index(rng, {.rows = 20});
  const Searcher searcher(index);
  SearchOptions options = test::options_for(3);
  for (const char* measure : {"act-1", "emd"})
    for (const std::size_t border : {std::size_t{0}, index.rows.size()}) {
      options.question.measure = parse_measure(measure);
      options.border = border;
      const Matches none = searcher.knn(options);
      ASSERT_EQ(none.queries, index.rows.size());
      for (std::size_t row = 0; row < none.queries; ++row) EXPECT_TRUE(none[row].empty());
    }
}

// A part of the rows is numbered anew, and the border with it.
TEST(Border, StandsBetweenTheRowsThatAreLeft) {
  Rng rng(6);
  const Index index = test::random_index(rng, {.rows = 60});
  const Searcher searcher(index);
  SearchOptions options = test::options_for(3);
  std::vector<std::uint8_t> among(index.rows.size());
  for (std::size_t row = 0; row < among.size(); ++row) among[row] = row % 4 == 1 ? 1 : 0;
  options.among = Array(among);
  options.border = 30;
  const Matches found = searcher.knn(options);
  for (std::uint32_t row = 1; row < 60; row += 4) {
    if (is_empty(index.rows[row])) continue;
    std::vector<std::uint8_t> others(among);
    for (std::size_t other = 0; other < others.size(); ++other)
      if ((other < 30) == (row < 30)) others[other] = 0;
    SearchOptions alone = test::options_for(3);
    alone.among = Array(others);
    const Matches expected = searcher.search_rows(std::span(&row, 1), alone);
    ASSERT_EQ(found[row].size(), expected[0].size());
    for (std::size_t rank = 0; rank < expected[0].size(); ++rank)
      EXPECT_EQ(found[row].row(rank), expected[0].row(rank));
  }
}

}  // namespace
}  // namespace navvy
