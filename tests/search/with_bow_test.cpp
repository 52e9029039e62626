// A share of bow: distances are the sum in shares, lists those of the distances, on every verb.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "search/listed.hpp"
#include "support/directions.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::List;
using test::lists_of;

constexpr double share = 0.3;

std::vector<float> matrix_of(const Searcher& searcher, const Question& question) {
  const std::size_t n = searcher.index().rows.size();
  std::vector<float> matrix(n * n);
  searcher.distances({0, n, 0, n}, question, {},
                     [&](std::size_t first, std::size_t, std::span<const float> values) {
                       std::ranges::copy(values, matrix.begin() + static_cast<long>(first * n));
                     });
  return matrix;
}

Question asked(const Measure& measure, const Direction& direction, double bow) {
  Question question;
  question.measure = measure;
  question.direction = direction;
  question.bow_share = bow;
  return question;
}

// The lists that a matrix of distances makes, ties by row.
std::vector<List> lists_of(const Index& index, const std::vector<float>& matrix, std::size_t top) {
  const std::size_t n = index.rows.size();
  std::vector<List> lists(n);
  for (std::size_t query = 0; query < n; ++query) {
    if (is_empty(index.rows[query])) continue;
    std::vector<std::pair<double, std::int64_t>> found;
    for (std::size_t row = 0; row < n; ++row)
      if (row != query && !is_empty(index.rows[row]))
        found.emplace_back(matrix[query * n + row], row);
    std::ranges::sort(found);
    found.resize(std::min(found.size(), top));
    for (const auto& [distance, row] : found) lists[query].emplace_back(row, distance);
  }
  return lists;
}

TEST(WithBow, DistancesAreTheSumInShares) {
  for (const Index& index : {test::listed_index(60, 40), test::listed_index(4300, 30)}) {
    const Searcher searcher(index);
    const std::vector<float> bow =
        matrix_of(searcher, asked({MeasureKind::bow}, Direction::symmetric, 0));
    for (const Measure& measure : parse_measures("wcd,rwmd,act-1,ict"))
      for (const Direction& direction : test::every_direction) {
        if (direction != Direction::symmetric && !is_relaxation(measure)) continue;
        const std::vector<float> alone = matrix_of(searcher, asked(measure, direction, 0));
        const std::vector<float> mixed = matrix_of(searcher, asked(measure, direction, share));
        for (std::size_t i = 0; i < mixed.size(); ++i) {
          const auto expected = static_cast<float>((1 - share) * alone[i] + share * bow[i]);
          ASSERT_TRUE(mixed[i] == expected || (std::isnan(mixed[i]) && std::isnan(alone[i])))
              << to_string(measure) << ' ' << to_string(direction) << ' ' << i;
        }
      }
  }
}

TEST(WithBow, SearchAndKnnFindTheRowsOfTheMatrix) {
  for (const Index& index : {test::listed_index(60, 90), test::listed_index(4300, 60)}) {
    const Searcher searcher(index);
    for (const Measure& measure : parse_measures("wcd,rwmd,act-3,ict"))
      for (const Direction& direction : test::every_direction) {
        if (direction != Direction::symmetric && !is_relaxation(measure)) continue;
        SearchOptions options = test::options_for(7);
        options.question = asked(measure, direction, share);
        const std::vector<List> expected =
            lists_of(index, matrix_of(searcher, options.question), options.top);
        ASSERT_EQ(lists_of(searcher.knn(options)), expected)
            << to_string(measure) << ' ' << to_string(direction);
        const std::vector<std::uint32_t> some = {1, 0, 20, 10};
        const std::vector<List> found = lists_of(searcher.search_rows(some, options));
        for (std::size_t i = 0; i < some.size(); ++i) ASSERT_EQ(found[i], expected[some[i]]);
      }
  }
}

TEST(WithBow, RefusesSharesThatAreNoneAndMeasuresThatDoNotMix) {
  const Searcher searcher(test::listed_index(60, 20));
  SearchOptions options = test::options_for(3);
  for (const double wrong : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    options.question = asked({MeasureKind::rwmd}, Direction::symmetric, wrong);
    test::error_of(ErrorCode::usage, [&] { return searcher.knn(options); });
  }
  for (const MeasureKind kind : {MeasureKind::emd, MeasureKind::sinkhorn}) {
    options.question = asked({kind}, Direction::symmetric, share);
    test::error_of(ErrorCode::usage, [&] { return searcher.knn(options); });
  }
}

}  // namespace
}  // namespace navvy
