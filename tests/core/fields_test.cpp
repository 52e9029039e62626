#include "navvy/fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

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
