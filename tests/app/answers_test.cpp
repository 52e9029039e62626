// From queries to answers over a small index: what is asked, found and put into JSON.
#include "app/answers.hpp"

#include <gtest/gtest.h>

#include "app/comparison.hpp"
#include "app/summary.hpp"
#include "navvy/loaders.hpp"
#include "support/expect_error.hpp"

namespace navvy::app {
namespace {

using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Texts = std::vector<std::string>;

// Points 0, 1, 2, 4 on a line, a row for each and an empty one.
Index on_a_line() {
  HistogramsBuilder builder(4);
  for (std::uint32_t i = 0; i < 4; ++i)
    builder.add(std::vector<std::uint32_t>{i}, std::vector<double>{1});
  builder.add({}, {});
  Index index =
      index_histograms(builder.build(), Vocabulary(1, Array(std::vector<float>{0, 1, 2, 4})));
  set_labels(index, {"near", "near", "far", "far", "near"});
  set_ids(index, {"a", "b", "c", "d", "none"});
  return index;
}

SearchOptions nearest(std::size_t top) {
  SearchOptions options;
  options.top = top;
  return options;
}

TEST(Questions, AreToldToPeopleInAFewWords) {
  const Index index = on_a_line();
  EXPECT_EQ(question_text(index, {}), "act-1");
  EXPECT_EQ(question_text(index, typed_question()),
            "rwmd, mix:0.3, with 0.7 of bow (no bound of emd)");
  Question one_way = typed_question({MeasureKind::emd});
  one_way.price = 7.5;
  EXPECT_EQ(question_text(index, one_way), "emd, one way: query, price 7.5");
  EXPECT_EQ(question_text(index, typed_question({MeasureKind::bow})), "bow");
}

TEST(Finder, LeavesARowOutOfItsOwnMatches) {
  const Index index = on_a_line();
  const Queries queries = row_queries(index, Texts{"b", "3"});
  const SearchOptions options = nearest(2);
  const Matches matches = Finder(index, chosen_rows({}, index)).find(queries, options);
  const Json document = to_json(Answers{index, queries, matches, options});
  EXPECT_EQ(document["schema"], 1);
  EXPECT_EQ(document["queries"][0]["query"], 1);
  const auto ids = [&](std::size_t query) {
    std::vector<std::string> found;
    for (const Json& match : document["queries"][query]["matches"]) found.push_back(match["id"]);
    return found;
  };
  EXPECT_THAT(ids(0), ElementsAre("a", "c"));
  EXPECT_THAT(ids(1), ElementsAre("c", "b"));
  EXPECT_EQ(document["queries"][1]["matches"][0]["distance"], 2);
}

// A filter changes which rows can be found, and never their numbers.
TEST(Finder, FindsOnlyRowsOfTheLabelsAskedFor) {
  const Index index = on_a_line();
  const Queries queries = row_queries(index, Texts{"b", "none"});
  const SearchOptions options = nearest(3);
  const Matches matches =
      Finder(index, chosen_rows(RowChoice{.labels = {"far"}}, index)).find(queries, options);
  const Json document = to_json(Answers{index, queries, matches, options});
  const Json& found = document["queries"][0]["matches"];
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0]["row"], 2);
  EXPECT_EQ(found[1]["row"], 3);
  EXPECT_EQ(found[1]["label"], "far");
  EXPECT_EQ(document["queries"][1]["error"], "row 4 is empty");
  EXPECT_TRUE(document["queries"][1]["matches"].empty());
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { chosen_rows(RowChoice{.labels = {"x"}}, index); }),
              HasSubstr("no row has the label 'x'"));
}

TEST(CompareRows, SaysHowFarBelowTheExactDistanceMeasuresLie) {
  const Index index = on_a_line();
  ComparisonRequest request;
  request.measures = parse_measures("bow,rwmd,emd");
  request.flow = true;
  const Json document = to_json(index, compare_rows(index, 0, 3, request), request);
  EXPECT_THAT(document["ids"], ElementsAre("a", "d"));
  ASSERT_EQ(document["measures"].size(), 3U);
  EXPECT_FALSE(document["measures"][0].contains("gap_percent"));
  EXPECT_EQ(document["measures"][1]["gap_percent"], 0);
  EXPECT_EQ(document["measures"][2]["distance"], 4);
  EXPECT_EQ(document["upper_bound"], 4);
  EXPECT_EQ(document["flow"]["moves"][0]["from"], "#0");
  EXPECT_EQ(document["flow"]["moves"][0]["share"], 1);
}

TEST(Summarize, CountsRowsBinsAndLabels) {
  const Index index = on_a_line();
  const Json document = summary_json(index, summarize(index));
  EXPECT_EQ(document["kind"], "histograms");
  EXPECT_EQ(document["n"], 5);
  EXPECT_EQ(document["v"], 4);
  EXPECT_EQ(document["h"], 0.8);
  EXPECT_EQ(document["empty"], 1);
  EXPECT_EQ(document["labels"]["near"], 3);
}

}  // namespace
}  // namespace navvy::app
