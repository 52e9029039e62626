// Sizes, times, counts and lines of text as people write and read them.
#include "app/values.hpp"

#include <gtest/gtest.h>

#include "app/one_line.hpp"
#include "support/expect_error.hpp"

namespace navvy::app {
namespace {

using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ParseSize, TakesPowersOf1024) {
  EXPECT_EQ(parse_size("7"), 7U);
  EXPECT_EQ(parse_size("64KiB"), 65536U);
  EXPECT_EQ(parse_size("1.5g"), 3U << 29U);
  EXPECT_EQ(parse_size("2TB"), std::uint64_t{1} << 41U);
  for (const char* text : {"", "G", "2X", "2GG", "two", "nan", "inf", "0", "-1M", "9999999T"})
    error_of(ErrorCode::usage, [&] { parse_size(text); });
}

TEST(ParseDuration, IsInSeconds) {
  EXPECT_EQ(parse_duration("50ms"), 0.05);
  EXPECT_EQ(parse_duration("1.5"), 1.5);
  EXPECT_EQ(parse_duration("3min"), 180);
  for (const char* text : {"", "ms", "5h", "0", "-1s", "inf"})
    error_of(ErrorCode::usage, [&] { parse_duration(text); });
}

TEST(ParseCounts, WantsNumbersFromOneOn) {
  EXPECT_THAT(parse_counts("1,16,128"), ElementsAre(1, 16, 128));
  EXPECT_THAT(parse_counts("1 , 2"), ElementsAre(1, 2));
  for (const char* text : {"", "1,", ",1", "0", "1,a", "1 2"})
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { parse_counts(text); }),
                HasSubstr("separated by commas"));
}

TEST(OneLine, CutsCharactersAndObeysNothing) {
  EXPECT_EQ(one_line("a\nb\x1b[31m", 20), "a\u240Ab\u241B[31m");
  EXPECT_EQ(one_line("\u202Eabcdef", 6), "\uFFFDab...");
  EXPECT_EQ(one_line("abcdef", 6), "abcdef");
  EXPECT_EQ(one_line("abcdefg", 6), "abc...");
  EXPECT_EQ(one_line("äöüäöü", 5), "äö...");
  EXPECT_EQ(one_line("abc", 2), "..");
}

}  // namespace
}  // namespace navvy::app
