// All rows within a radius: those of the lists of all rows, under every measure, proven, in blocks.

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "navvy/rows.hpp"
#include "search/listed.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::left_of;
using test::List;
using test::lists_of;

const std::vector<std::uint32_t> asking = {1, 0, 20, 10, 41};

// Zero, the distance of a match itself, between two, and beyond all.
std::vector<double> radii(const std::vector<List>& whole) {
  const List& list = whole.front();
  return {0, list[list.size() / 3].second, list[list.size() / 2].second * 1.0000001, 1e30};
}

SearchOptions options_for(const Measure& measure, std::size_t top) {
  SearchOptions options = test::options_for(top);
  options.question.measure = measure;
  return options;
}

std::size_t longest(const std::vector<List>& lists) {
  std::size_t length = 0;
  for (const List& list : lists) length = std::max(length, list.size());
  return length;
}

TEST(Within, FindsAllRowsInsideAndNoOther) {
  for (const Index& index : {test::listed_index(60, 90), test::listed_index(4300, 60)})
    for (const Measure& measure : test::listed_measures()) {
      const std::size_t n = index.rows.size();
      const Searcher searcher(index);
      SearchOptions options = options_for(measure, n);
      const std::vector<List> whole = lists_of(searcher.search_rows(asking, options));
      for (const double radius : radii(whole))
        for (const bool filtered : {false, true}) {
          options.within = radius;
          options.among = {};
          if (filtered) options.among = marked(std::vector<std::uint32_t>{0, 3, 10, 33}, n);
          options.top = uncut;
          const std::vector<List> expected = left_of(whole, options);
          const Matches found = searcher.search_rows(asking, options);
          ASSERT_EQ(lists_of(found), expected) << to_string(measure) << " within " << radius;
          EXPECT_EQ(found.top, longest(expected));
          options.top = 2;
          ASSERT_EQ(lists_of(searcher.search_rows(asking, options)), left_of(whole, options));
        }
    }
}

TEST(Within, HoldsForAllRowsAgainstAll) {
  const Index index = test::listed_index(60, 90);
  for (const Measure& measure : test::listed_measures()) {
    SearchOptions options = options_for(measure, index.rows.size());
    const std::vector<List> whole = lists_of(Searcher(index).knn(options));
    options.top = 7;
    options.within = radii(whole)[1];
    EXPECT_EQ(lists_of(Searcher(index).knn(options)), left_of(whole, options))
        << to_string(measure);
  }
}

TEST(Within, IsProvenUnderEmdAndSaysWhatIsNotWhenStopped) {
  const Index index = test::listed_index(60, 90);
  SearchOptions options = options_for(test::emd, index.rows.size());
  const Searcher searcher(index);
  const std::vector<List> whole = lists_of(searcher.search_rows(asking, options));
  options.top = uncut;
  options.within = radii(whole)[2];
  const Matches proven = searcher.search_rows(asking, options);
  options.exact.max_solves = 3;
  const Matches stopped = searcher.search_rows(asking, options);
  const std::vector<List> expected = left_of(whole, options);
  for (std::size_t query = 0; query < asking.size(); ++query) {
    EXPECT_EQ(proven.proofs[query].certain, expected[query].size());
    EXPECT_EQ(proven.proofs[query].matches, expected[query].size());
    EXPECT_LT(proven.proofs[query].solves, proven.proofs[query].rows);
    // Nothing inside is left out; what is certain is inside.
    EXPECT_LE(stopped.proofs[query].solves, 3U);
    const Ranked found = stopped[query];
    EXPECT_GE(found.size(), expected[query].size());
    std::size_t inside = 0;
    for (const Match& match : found) {
      inside += match.upper <= options.within ? 1 : 0;
      EXPECT_LE(match.lower, options.within);
    }
    EXPECT_EQ(stopped.proofs[query].certain, inside);
  }
}

// A tolerance is one of the order, and none of the radius.
TEST(Within, IsNotWidenedByATolerance) {
  const Index index = test::listed_index(60, 90);
  SearchOptions options = options_for(test::emd, index.rows.size());
  const Searcher searcher(index);
  const std::vector<List> whole = lists_of(searcher.search_rows(asking, options));
  options.top = uncut;
  options.within = radii(whole)[1];
  options.exact.tolerance = 1;
  EXPECT_EQ(lists_of(searcher.search_rows(asking, options)), left_of(whole, options));
}

// Places for each query and each row would take more than the budget.
TEST(Within, AnswersManyQueriesInBlocks) {
  const Index index = test::listed_index(60, 1100);
  const std::vector<std::uint32_t> rows = test::rows_with_weight(index, 1);
  SearchOptions options = options_for(parse_measure("act-1"), 3);
  options.run.memory = std::uint64_t{6} << 20U;
  const std::vector<List> nearest = lists_of(Searcher(index).search_rows(rows, options));
  options.top = uncut;
  options.within = nearest[0].back().second;
  const Matches found = Searcher(index).search_rows(rows, options);
  options.top = 1099;
  options.run.memory = 0;
  EXPECT_EQ(lists_of(found), lists_of(Searcher(index).search_rows(rows, options)));
  options.top = uncut;
  options.within = 1e30;
  options.run.memory = std::uint64_t{6} << 20U;
  EXPECT_NE(
      test::error_of(ErrorCode::limit, [&] { (void)Searcher(index).search_rows(rows, options); })
          .find("the matches of all queries"),
      std::string::npos);
}

TEST(Within, RefusesWhatIsNoRadiusAndUncutGraphs) {
  const Index index = test::listed_index(60, 20);
  SearchOptions options = options_for(parse_measure("rwmd"), 4);
  options.within = -1;
  EXPECT_EQ(
      test::error_of(ErrorCode::usage, [&] { (void)Searcher(index).search_rows(asking, options); }),
      "row 20 does not exist; the index has 20 rows");
  EXPECT_EQ(test::error_of(ErrorCode::usage, [&] { (void)Searcher(index).knn(options); }),
            "rows within -1 were asked for; expected 0 or a larger number");
  options.within = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(test::error_of(ErrorCode::usage, [&] { (void)Searcher(index).knn(options); }),
            "rows within nan were asked for; expected 0 or a larger number");
  options.within = 1;
  options.top = uncut;
  EXPECT_EQ(test::error_of(ErrorCode::usage, [&] { (void)Searcher(index).knn(options); }),
            "all rows against all need a number of matches for each");
}

}  // namespace
}  // namespace navvy
