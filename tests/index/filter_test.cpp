// Filters: what the grammar says, what errors show, and random filters against a plain evaluator
// that looks at one row after the other.

#include "navvy/filter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "index/examples.hpp"
#include "navvy/rows.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using Rows = std::vector<std::uint32_t>;

// Rows: label soil, people, none, soil; author Ann, none, Bob, none; year 1990, 0.5, -1, 2e300; day
// 1970-01-01, none, the last second of that day, the last second of 1969.
const Index& example() {
  static const Index index = test::index_with_fields();
  return index;
}

Rows where(std::string_view filter) { return rows_where(filter, example()); }

TEST(Filter, ComparesLabelsIdsTitlesAndRows) {
  EXPECT_THAT(where("label = soil"), ElementsAre(0, 3));
  EXPECT_THAT(where("label in (people, 'nobody has it')"), ElementsAre(1));
  EXPECT_THAT(where("label < q"), ElementsAre(1));
  EXPECT_THAT(where("id >= 'b'"), ElementsAre(1, 3));
  EXPECT_THAT(where("title = 'Two' or title == Four"), ElementsAre(1, 3));
  EXPECT_THAT(where("row >= 1 and row<3"), ElementsAre(1, 2));
  EXPECT_THAT(where("row in (0, 3.0, 7)"), ElementsAre(0, 3));
}

TEST(Filter, ComparesFieldsByTheirType) {
  EXPECT_THAT(where("author = Ann"), ElementsAre(0));
  EXPECT_THAT(where("author > Ann"), ElementsAre(2));
  EXPECT_THAT(where("year > -1 and year <= 1.99e3"), ElementsAre(0, 1));
  EXPECT_THAT(where("year = '+0.5'"), ElementsAre(1));
  EXPECT_THAT(where("day < 1970-01-01"), ElementsAre(3));
  EXPECT_THAT(where("day >= '1970-01-01 00:00' and day <= 1970-01-01T23:59:59Z"),
              ElementsAre(0, 2));
  EXPECT_THAT(where("\"year\" <> 1990"), ElementsAre(1, 2, 3));
}

TEST(Filter, HoldsNoConditionOnAMissingValue) {
  EXPECT_THAT(where("author != Ann"), ElementsAre(2));
  EXPECT_THAT(where("not author = Ann"), ElementsAre(1, 2, 3));
  EXPECT_THAT(where("author not in (Ann)"), ElementsAre(2));
  EXPECT_THAT(where("author is missing"), ElementsAre(1, 3));
  EXPECT_THAT(where("author IS NOT Missing"), ElementsAre(0, 2));
  EXPECT_THAT(where("label is missing"), ElementsAre(2));
  EXPECT_THAT(where("day is missing"), ElementsAre(1));
  EXPECT_THAT(where("nothing is missing"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(where("nothing = x"), ElementsAre());
}

TEST(Filter, BindsNotBeforeAndBeforeOr) {
  EXPECT_THAT(where("row = 0 or row = 1 and label = soil"), ElementsAre(0));
  EXPECT_THAT(where("(row = 0 or row = 1) and label = people"), ElementsAre(1));
  EXPECT_THAT(where("not row = 0 and row < 2"), ElementsAre(1));
  EXPECT_THAT(where("NOT (row = 0 AND row < 2) Or row=0"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(where("not not row = 2"), ElementsAre(2));
}

TEST(Filter, FindsFieldsOfAnyName) {
  Index index = example();
  const auto add = [&](const std::string& name) {
    index.fields.push_back({name,
                            FieldType::text,
                            Strings(std::vector<std::string>{"x", "y", "it's", "(z)"}),
                            {},
                            {}});
  };
  add("label");
  add("a \"name\" with, all");
  add("or");
  EXPECT_THAT(rows_where("\"label\" = x", index), ElementsAre(0));
  EXPECT_THAT(rows_where("label = soil", index), ElementsAre(0, 3));
  EXPECT_THAT(rows_where("\"a \"\"name\"\" with, all\" = 'it''s'", index), ElementsAre(2));
  EXPECT_THAT(rows_where("\"or\" = '(z)'or\"or\"=y", index), ElementsAre(1, 3));
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { rows_where("x = 1", index); }),
              HasSubstr("author (text), year (number), day (date), nothing (text), "
                        "\"label\" (text)"));
}

TEST(Filter, TakesRowNumbersForIdsAndNoLabelsWhereThereAreNone) {
  Index index = example();
  index.ids = {};
  index.labels = {};
  index.label_names = {};
  EXPECT_THAT(rows_where("id in (0, 2, 02)", index), ElementsAre(0, 2));
  EXPECT_THAT(rows_where("label = soil", index), ElementsAre());
  EXPECT_THAT(rows_where("label is missing", index), ElementsAre(0, 1, 2, 3));
}

// What is wrong, how many bytes stand before it, and the picture.
struct Wrong {
  std::string message;
  std::size_t place = 0;
  std::string picture;
};

Wrong wrong(const std::string& filter) {
  try {
    where(filter);
  } catch (const FilterError& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return {error.what(), error.place(), error.picture()};
  }
  ADD_FAILURE() << filter << " was taken";
  return {};
}

TEST(Filter, ShowsWhereItIsWrong) {
  const auto expect = [](const std::string& filter, std::size_t place, const char* message) {
    const Wrong found = wrong(filter);
    EXPECT_THAT(found.message, HasSubstr(message)) << filter;
    EXPECT_EQ(found.place, place) << filter;
    EXPECT_EQ(found.picture, filter + "\n" + std::string(place, ' ') + "^");
  };
  expect("", 0, "it is empty");
  expect("label in (a) and year >= ", 25, "expected a value after '>='");
  expect("label", 5, "expected a comparison, 'in', 'not in' or 'is missing' after 'label'");
  expect("label = a b", 10, "expected 'and', 'or' or the end after 'a'");
  expect("label in a", 9, "expected '(' after 'in'");
  expect("label in (a, b", 14, "expected ',' or ')' after 'b'");
  expect("label in ()", 10, "expected a value after '('");
  expect("(label = a", 10, "expected 'and', 'or' or ')' after 'a'");
  expect("label is not", 12, "expected 'missing' after 'not'");
  expect("label = and", 8, "'and' is a keyword unless it is in single quotes");
  expect("label = \"a\"", 8, "texts are in 'single quotes'");
  expect("label ! a", 6, "expected !=");
  expect("label = 'a", 8, "a quote does not close");
  expect("and label = a", 0, "expected a name");
  expect("= a", 0, "expected a name");
  expect("yaer = 1990", 0, "there is no field 'yaer'; there are label, id, title, row, author");
  expect("\"label\" = a", 0, "there is no field 'label'");
  expect("year >= 'abc'", 8, "'year' cannot be compared with 'abc'; expected a number");
  expect("year in (1, nan)", 12, "expected a number");
  expect("year < 1e999", 7, "expected a number");
  expect("row = one", 6, "expected a number");
  expect("day > 1999-02-30", 6, "expected a date such as 1999-12-31");
}

TEST(Filter, ShowsNothingThatATerminalWouldObey) {
  const Wrong found = wrong("label = '\x1b[31mb\xc3\xa4\xff' \n x");
  EXPECT_EQ(found.picture, "label = '␛[31mbä�' ␊ x\n" + std::string(21, ' ') + "^");
  EXPECT_THAT(found.message, HasSubstr("character 22"));
}

TEST(Filter, ShowsThePartOfALongOneThatIsWrong) {
  std::string filter = "label in (";
  for (int i = 0; i < 100; ++i) filter += "name" + std::to_string(i) + ", ";
  const Wrong found = wrong(filter + ") and more text that goes on and on and on and on and on");
  EXPECT_EQ(found.place, filter.size());
  EXPECT_LT(found.picture.size(), 160);
  EXPECT_EQ(found.picture.substr(0, 3), "...");
  const std::size_t line = found.picture.find('\n');
  EXPECT_EQ(found.picture[found.picture.size() - line - 2], ')');  // above the caret
}

TEST(Filter, IsBoundedInLengthAndDepth) {
  const auto nested = [](std::size_t depth, const std::string& open, const std::string& close) {
    std::string filter;
    for (std::size_t i = 0; i < depth; ++i) filter += open;
    filter += "row = 1";
    for (std::size_t i = 0; i < depth; ++i) filter += close;
    return filter;
  };
  EXPECT_THAT(where(nested(filter_depth_limit - 1, "(", ")")), ElementsAre(1));
  EXPECT_THAT(wrong(nested(filter_depth_limit, "(", ")")).message, HasSubstr("more than 200 deep"));
  EXPECT_THAT(wrong(nested(15000, "not ", "")).message, HasSubstr("more than 200 deep"));
  EXPECT_THAT(wrong(std::string(65000, '(')).message, HasSubstr("more than 200 deep"));
  EXPECT_THAT(wrong(std::string(65537, ' ')).message, HasSubstr("65537 bytes"));
  std::string many = "row = 1";
  while (many.size() < filter_length_limit - 20) many += " or row = 3";
  EXPECT_THAT(where(many), ElementsAre(1, 3));
}

TEST(Filter, GoesOverManyRowsInBlocks) {
  constexpr std::size_t n = 10000;
  Index index;
  index.rows = Histograms(0, Array(std::vector<std::uint64_t>(n + 1)), {}, {});
  EXPECT_EQ(rows_where("not row < 9999 or row in (4095, 4096)", index), (Rows{4095, 4096, 9999}));
  EXPECT_EQ(rows_where("row >= 0", index).size(), n);
}

TEST(RowsWithIds, AreAscendingAndNameWhatIsNotThere) {
  const auto rows = [](const std::vector<std::string>& ids) {
    return rows_with_ids(ids, example());
  };
  EXPECT_THAT(rows({"d", "a", "d"}), ElementsAre(0, 3));
  EXPECT_THAT(rows({}), ElementsAre());
  EXPECT_EQ(error_of(ErrorCode::usage,
                     [&] {
                       rows({"a", "x", "y", "z"});
                     }),
            "no row has the id 'x' (nor 2 more of the ids)");
  EXPECT_EQ(error_of(ErrorCode::usage, [&] { rows({"e\x1b"}); }), "no row has the id 'e␛'");
  Index index = example();
  index.ids = {};
  EXPECT_THAT(rows_with_ids(std::vector<std::string>{"2"}, index), ElementsAre(2));
  EXPECT_THAT(
      error_of(ErrorCode::usage, [&] { rows_with_ids(std::vector<std::string>{"02"}, index); }),
      HasSubstr("'02'"));
}

TEST(MarkedRows, AreOnesAmongZeros) {
  EXPECT_THAT(marked(std::vector<std::uint32_t>{2, 0}, 4).span(), ElementsAre(1, 0, 1, 0));
}

}  // namespace
}  // namespace navvy
