// What text from outside becomes before it is shown.
#include "navvy/printable.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "navvy/error.hpp"

namespace navvy {
namespace {

TEST(Printable, ShowsControlCharactersAsPictures) {
  EXPECT_EQ(printable("a\tb\r\n\x1b[31m\x7f"), "a\u2409b\u240D\u240A\u241B[31m\u2421");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\u2400");
}

TEST(Printable, LeavesNoCharacterThatIsObeyed) {
  for (const char* text :
       {"\u0080", "\u0085", "\u009B", "\u009F", "\u061C", "\u200E", "\u200F", "\u2028", "\u2029",
        "\u202A", "\u202E", "\u2066", "\u2069", "\uFFFE", "\uFFFF"}) {
    EXPECT_EQ(printable(text), "\uFFFD");
  }
}

TEST(Printable, LeavesOtherText) {
  for (const char* text : {"", "plain ~!", "\u00A0\u00FC", "\u05D0\u0623", "\u200D\u2027\u202F",
                           "\u2065\u206A\uFFFD", "\u65E5\u672C", "\U0001F600\U0010FFFF"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable_json(text), text);
  }
}

TEST(Printable, IsUtf8) {
  EXPECT_EQ(printable("\xC0\xAF"), "\uFFFD\uFFFD");                      // "/" in two bytes
  EXPECT_EQ(printable("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");            // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond Unicode
  EXPECT_EQ(printable("a\xE2\x82"), "a\uFFFD\uFFFD");                    // cut short
  EXPECT_EQ(printable("\x9B"), "\uFFFD");  // C1 as terminals of one byte per character take it
}

RC_GTEST_PROP(Printable, ChangesNothingTwice, (const std::string& text)) {
  const std::string once = printable(text);
  RC_ASSERT(printable(once) == once);
  RC_ASSERT(std::none_of(once.begin(), once.end(), [](char c) { return c >= 0 && c < ' '; }));
}

TEST(PrintableJson, KeepsWhatIsSaid) {
  EXPECT_EQ(printable_json("[\"\u202E\u009B\x7f\"]"), "[\"\\u202e\\u009b\\u007f\"]");
}

TEST(Error, IsOneLineWhateverItQuotes) {
  EXPECT_STREQ(Error(ErrorCode::failed, "a\nb\x1b\xFF.txt: cannot open").what(),
               "a\u240Ab\u241B\uFFFD.txt: cannot open");
}

}  // namespace
}  // namespace navvy
