#include "navvy/fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/expect_error.hpp"

namespace navvy {
namespace {

TEST(Dates, AreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_date("1970-01-01"), 0);
  EXPECT_EQ(parse_date("2000-02-29"), 951782400);
  EXPECT_EQ(parse_date("1999-12-31 23:59"), 946684740);
  EXPECT_EQ(parse_date("1999-12-31T23:59:59Z"), 946684799);
  EXPECT_EQ(parse_date("1999-12-31T23:59:59.123Z"), 946684799);
  EXPECT_EQ(parse_date("2000-01-01T01:00+01:00"), 946684800);
  EXPECT_EQ(parse_date("1999-12-31T19:00:00-05:00"), 946684800);
  EXPECT_EQ(parse_date("0000-01-01"), -62167219200);
  EXPECT_EQ(parse_date("9999-12-31T23:59:59Z"), 253402300799);
}

TEST(Dates, AreNothingElse) {
  for (const char* text :
       {"", "1999", "1999-13-01", "1999-02-29", "1999-2-1", "99-12-31", "1999-12-31x",
        "1999-12-31T", "1999-12-31T24:00", "1999-12-31T23", "1999-12-31T23:60", "1999-12-31 12:00?",
        "1999-12-31T23:59:59.", "1999-12-31T23:59+5", "-1999-12-31", "12345-01-01"})
    EXPECT_EQ(parse_date(text), std::nullopt) << text;
}

TEST(Dates, AreWrittenAsTheyAreRead) {
  for (const char* text : {"1970-01-01", "2000-02-29", "1969-12-31", "1999-12-31T23:59:59Z",
                           "1969-12-31T23:59:59Z", "0000-01-01", "9999-12-31T23:59:59Z"})
    EXPECT_EQ(date_text(*parse_date(text)), text);
  EXPECT_EQ(date_text(253402300800), "253402300800 s");
  EXPECT_EQ(date_text(no_date + 1), "-9223372036854775807 s");
}

TEST(Numbers, AreShort) {
  EXPECT_EQ(number_text(1990), "1990");
  EXPECT_EQ(number_text(-0.25), "-0.25");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1e300), "1e+300");
  EXPECT_EQ(number_text(200000), "200000");
  EXPECT_EQ(number_text(9007199254740992), "9007199254740992");
}

TEST(Numbers, AreReadWholeOrNotAtAll) {
  EXPECT_EQ(parse_number(" -1.5e3\t"), -1500);
  EXPECT_EQ(parse_number("007"), 7);
  for (const char* text : {"", " ", "nan", "NaN", "inf", "-infinity", "1e999", "1,5", "1 2", "x1"})
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
}

FieldType type_of_list(const std::vector<std::string>& values) { return type_of(values); }

TEST(Types, AreToldByAllValues) {
  EXPECT_EQ(type_of_list({"1990", "", "-2.5", " 3 "}), FieldType::number);
  EXPECT_EQ(type_of_list({"1999-12-31", "", "2000-01-01 12:00"}), FieldType::date);
  EXPECT_EQ(type_of_list({"1990", "1999-12-31"}), FieldType::text);
  EXPECT_EQ(type_of_list({"1990", "nan"}), FieldType::text);
  EXPECT_EQ(type_of_list({"", " "}), FieldType::text);
  EXPECT_EQ(type_of_list({}), FieldType::text);
}

// A postal code that lost its zero is another one.
TEST(Types, NumbersComeBackAsTheyWereWritten) {
  EXPECT_EQ(type_of_list({"0", "-0.5"}), FieldType::number);
  EXPECT_EQ(type_of_list({"1", "01067"}), FieldType::text);
  EXPECT_EQ(type_of_list({"9007199254740992"}), FieldType::number);
  EXPECT_EQ(type_of_list({"9007199254740993000"}), FieldType::text);
  EXPECT_EQ(type_of_list({"1e300"}), FieldType::number);
}

TEST(Types, OfValuesThatDoNotFitAreRefused) {
  const std::vector<std::string> values = {"1990", " ", "soon"};
  EXPECT_THAT(
      test::error_of(ErrorCode::bad_input, [&] { make_field("year", FieldType::number, values); }),
      ::testing::HasSubstr("value 3 of field 'year': found 'soon', expected a number"));
  const Field text = make_field("year", FieldType::text, values);
  EXPECT_EQ(text.text(2), "soon");
  const Field days = make_field("day", FieldType::date, std::vector<std::string>{"1970-01-02", ""});
  EXPECT_EQ(days.dates[0], 86400);
  EXPECT_FALSE(days.has(1));
  EXPECT_EQ(parse_field_type("date"), FieldType::date);
  EXPECT_EQ(parse_field_type("day"), std::nullopt);
}

TEST(Fields, HaveAValueOrNone) {
  const Field text{"author", FieldType::text, Strings(std::vector<std::string>{"Ann", ""}), {}, {}};
  EXPECT_TRUE(text.has(0));
  EXPECT_FALSE(text.has(1));
  EXPECT_EQ(text.text(0), "Ann");
  const Field number{
      "year", FieldType::number, {}, Array(std::vector<double>{1990, std::nan("")}), {}};
  EXPECT_EQ(number.text(0), "1990");
  EXPECT_EQ(number.text(1), "");
  const Field date{
      "day", FieldType::date, {}, {}, Array(std::vector<std::int64_t>{86400, no_date})};
  EXPECT_EQ(date.text(0), "1970-01-02");
  EXPECT_FALSE(date.has(1));
  EXPECT_EQ(Field{}.size(), 0U);
  EXPECT_FALSE(Field{}.has(0));
}

}  // namespace
}  // namespace navvy
