// Rows by number, id, range and label, and parts of an index made of them.
#include "navvy/rows.hpp"

#include <gtest/gtest.h>

#include "index/examples.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::error_of;
using test::full_index;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Texts = std::vector<std::string>;

TEST(ParseRange, ReadsEveryForm) {
  const auto ends = [](std::string_view text) {
    const RowRange range = parse_range(text, 10);
    return std::pair(range.begin, range.end);
  };
  EXPECT_EQ(ends(""), std::pair(0UL, 10UL));
  EXPECT_EQ(ends("2:5"), std::pair(2UL, 5UL));
  EXPECT_EQ(ends("2:"), std::pair(2UL, 10UL));
  EXPECT_EQ(ends(":5"), std::pair(0UL, 5UL));
  EXPECT_EQ(ends(":"), std::pair(0UL, 10UL));
  EXPECT_EQ(ends("9"), std::pair(9UL, 10UL));
}

TEST(ParseRange, NamesWhatIsWrong) {
  for (const char* text : {"a:5", "1:b", "-1:2", "1:2:3", "x", "1 :2"})
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { parse_range(text, 10); }),
                HasSubstr("expected A:B, A:, :B or A"));
  for (const char* text : {"5:5", "5:2", "0:11", "10", "10:"})
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { parse_range(text, 10); }),
                HasSubstr("does not fit: there are 10 rows"));
}

TEST(RequireRange, AllowsEmptyOnesAndNothingOutside) {
  require_range({3, 3}, 10);
  require_range({0, 10}, 10);
  for (const RowRange& range : {RowRange{4, 3}, RowRange{0, 11}})
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { require_range(range, 10); }),
                HasSubstr("does not fit"));
}

TEST(ParseRow, TakesNumbersBeforeIds) {
  Index index = full_index();
  index.ids = Strings(Texts{"3", "b", "9", "d"});
  EXPECT_EQ(parse_row("b", index), 1U);
  EXPECT_EQ(parse_row("3", index), 3U);  // a number, though row 0 has this id
  EXPECT_EQ(parse_row("9", index), 2U);  // no such row, but an id
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { parse_row("7", index); }),
              HasSubstr("row 7 does not exist: the index has 4 rows"));
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { parse_row("x", index); }),
              HasSubstr("row 'x': expected a row number or the id of a row"));
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { require_row(4, index); }),
              HasSubstr("row 4 does not exist"));
}

TEST(RowWithId, KnowsRowsByWhatTheyAreCalled) {
  Index index = full_index();
  EXPECT_EQ(row_with_id("d", index), 3U);
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { row_with_id("3", index); }),
              HasSubstr("no row has the id '3'"));
  index.ids = {};
  EXPECT_EQ(row_with_id("3", index), 3U);
  for (const char* id : {"4", "03", "d", ""})
    error_of(ErrorCode::usage, [&] { row_with_id(id, index); });
}

TEST(ParseRows, PutsRowsInTheOrderAskedFor) {
  EXPECT_THAT(parse_rows(Texts{"d", "1:3", "0"}, full_index()), ElementsAre(3, 1, 2, 0));
  EXPECT_TRUE(parse_rows({}, full_index()).empty());
}

TEST(RowsWithLabels, AreThoseOfAnyOfThem) {
  EXPECT_THAT(rows_with_labels(Texts{"soil"}, full_index()), ElementsAre(0, 3));
  EXPECT_THAT(rows_with_labels(Texts{"people", "soil"}, full_index()), ElementsAre(0, 1, 3));
  EXPECT_TRUE(rows_with_labels({}, full_index()).empty());
  EXPECT_THAT(error_of(ErrorCode::usage, [] { rows_with_labels(Texts{"x"}, full_index()); }),
              HasSubstr("no row has the label 'x'"));
}

TEST(Restricted, HasTheRowsAsTheyAre) {
  const Index index = full_index();
  const std::vector<std::uint32_t> rows = {3, 2, 0, 3};
  const Index part = restricted(index, rows);
  validate(part);
  ASSERT_EQ(part.rows.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(part.rows[i].coordinates, index.rows[rows[i]].coordinates));
    EXPECT_TRUE(std::ranges::equal(part.rows[i].weights, index.rows[rows[i]].weights));
  }
  EXPECT_EQ(part.kind, index.kind);
  EXPECT_EQ(part.properties, index.properties);
  EXPECT_EQ(part.vocabulary.size(), index.vocabulary.size());
}

}  // namespace
}  // namespace navvy
