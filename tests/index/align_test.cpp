// Queries over other coordinates, brought onto those of an index.
#include "navvy/align.hpp"

#include <gtest/gtest.h>

#include "index/examples.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::error_of;
using test::full_index;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two coordinates, the second of which full_index has as well.
Vocabulary more(std::vector<float> values = {9, 9, 0, 1}) {
  return {2, Array(std::move(values)), Array(std::vector<std::uint32_t>{5, 7}),
          Strings(std::vector<std::string>{"spade", "moves"})};
}

Histograms one_row(std::size_t size, std::vector<std::uint32_t> coordinates) {
  HistogramsBuilder builder(size);
  builder.add(coordinates, std::vector<double>(coordinates.size(), 1));
  return builder.build();
}

TEST(Extend, PutsCoordinatesInTheOrderOfTheirNumbers) {
  const Index before = full_index();
  Index index = before;
  EXPECT_TRUE(extend(index, more()));
  validate(index);
  EXPECT_THAT(index.vocabulary.numbers().span(), ElementsAre(3, 5, 7, 4000000000U));
  EXPECT_THAT(index.vocabulary.words().to_vector(),
              ElementsAre("earth", "spade", "moves", "navvy"));
  EXPECT_THAT(index.vocabulary.coordinate(1), ElementsAre(9, 9));
  ASSERT_EQ(index.rows.size(), before.rows.size());
  for (std::size_t row = 0; row < index.rows.size(); ++row) {
    const Histogram found = index.rows[row];
    const Histogram expected = before.rows[row];
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_TRUE(std::ranges::equal(found.weights, expected.weights));
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(index.vocabulary.number(found.coordinates[i]),
                before.vocabulary.number(expected.coordinates[i]));
  }
}

TEST(Extend, LeavesAnIndexThatHasThemAll) {
  Index index = full_index();
  const float* const rows = index.rows.weights().data();
  EXPECT_FALSE(extend(index, full_index().vocabulary));
  EXPECT_EQ(index.rows.weights().data(), rows);
  EXPECT_TRUE(extend(index, more()));
  EXPECT_FALSE(extend(index, more()));
}

TEST(Extend, HasWordsOnlyWhereBothDo) {
  Index index = full_index();
  extend(index, Vocabulary(2, more().coordinates(), more().numbers()));
  EXPECT_FALSE(index.vocabulary.has_words());
}

TEST(Extend, RefusesOtherCoordinatesOfTheSameNumber) {
  Index index = full_index();
  EXPECT_THAT(error_of(ErrorCode::bad_input,
                       [&] {
                         extend(index, more({9, 9, 0, 2}));
                       }),
              HasSubstr("coordinate 7 of the queries has other values than in the index"));
  EXPECT_THAT(error_of(ErrorCode::bad_input,
                       [&] {
                         extend(index, {1, Array(std::vector<float>{1})});
                       }),
              HasSubstr("queries in 1 dimensions, but the index has 2"));
}

TEST(Renumbered, FollowsNumbers) {
  Index index = full_index();
  extend(index, more());
  const Histograms queries = renumbered(one_row(2, {0, 1}), more(), index.vocabulary);
  EXPECT_EQ(queries.vocabulary_size(), 4U);
  EXPECT_THAT(queries.coordinates().span(), ElementsAre(1, 2));
  EXPECT_THAT(queries.weights().span(), ElementsAre(0.5F, 0.5F));
}

TEST(OverVocabulary, TakesColumnsForNumbers) {
  const Vocabulary vocabulary = full_index().vocabulary;
  EXPECT_THAT(over_vocabulary(one_row(9, {3, 7}), vocabulary).coordinates().span(),
              ElementsAre(0, 1));
  EXPECT_THAT(error_of(ErrorCode::bad_input,
                       [&] {
                         over_vocabulary(one_row(9, {3, 4}), vocabulary);
                       }),
              HasSubstr("query 0 has weight at coordinate 4, which no row of the index uses"));
}

}  // namespace
}  // namespace navvy
