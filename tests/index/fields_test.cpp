#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "examples.hpp"
#include "navvy/edit.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The values of a field as users write them.
std::vector<std::string> values(const Index& index, std::size_t field) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < index.rows.size(); ++row)
    texts.push_back(index.fields.at(field).text(row));
  return texts;
}

Index renamed(Index index) {
  set_ids(index, {"e", "f", "g", "h"});
  return index;
}

Index example() { return test::index_with_fields(); }

TEST(Fields, StayWithTheirRowsWhenOthersGo) {
  const Index index = removed(example(), std::vector<std::string>{"b"});
  validate(index);
  ASSERT_EQ(index.fields.size(), 4U);
  EXPECT_THAT(values(index, 0), ElementsAre("Ann", "Bob", ""));
  EXPECT_THAT(values(index, 1), ElementsAre("1990", "-1", "2e+300"));
  EXPECT_THAT(values(index, 2),
              ElementsAre("1970-01-01", "1970-01-01T23:59:59Z", "1969-12-31T23:59:59Z"));
  EXPECT_THAT(values(index, 3), ElementsAre("", "", ""));
}

TEST(Fields, OfRowsThatHaveNoneAreEmpty) {
  Index plain = renamed(test::full_index());
  plain.fields = {make_field("year", FieldType::number, std::vector<std::string>{"1", "", "3", ""}),
                  make_field("place", FieldType::text, std::vector<std::string>{"", "", "", "x"})};
  const Index index = merged(example(), plain);
  validate(index);
  ASSERT_EQ(index.fields.size(), 5U);
  EXPECT_THAT(values(index, 0), ElementsAre("Ann", "", "Bob", "", "", "", "", ""));
  EXPECT_THAT(values(index, 1), ElementsAre("1990", "0.5", "-1", "2e+300", "1", "", "3", ""));
  EXPECT_EQ(index.fields[4].name, "place");
  EXPECT_THAT(values(index, 4), ElementsAre("", "", "", "", "", "", "", "x"));
}

TEST(Fields, OfAnotherTypeAreRefused) {
  Index other = renamed(test::full_index());
  other.fields = {make_field("year", FieldType::text, std::vector<std::string>{"a", "", "", ""})};
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { merged(example(), other); }),
              HasSubstr("field 'year' is a number in one index and a text in the other"));
}

TEST(Fields, AreSetWhole) {
  Index index = test::full_index();
  const std::vector<std::string> years = {"1990", "", "3", "4"};
  set_fields(index, {make_field("year", FieldType::number, years)});
  EXPECT_THAT(values(index, 0), ElementsAre("1990", "", "3", "4"));
  const std::vector<std::string> few = {"1"};
  EXPECT_THAT(test::error_of(ErrorCode::bad_input,
                             [&] { set_fields(index, {make_field("x", FieldType::text, few)}); }),
              HasSubstr("1 values of field 'x' for 4 rows"));
  const Field year = index.fields[0];
  EXPECT_THAT(test::error_of(ErrorCode::bad_input,
                             [&] {
                               set_fields(index, {year, year});
                             }),
              HasSubstr("field 'year' stands there twice"));
  EXPECT_EQ(index.fields.size(), 1U);
}

}  // namespace
}  // namespace navvy
