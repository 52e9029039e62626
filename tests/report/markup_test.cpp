#include "report/markup.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

namespace navvy::report {
namespace {

TEST(Markup, HostileTextStaysText) {
  EXPECT_EQ(escaped("<script>alert(\"x\" & 'y')</script>"),
            "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;");
  EXPECT_EQ(escaped(std::string_view("a\0b\x1b[31m\x7f", 9)), "a\uFFFDb\uFFFD[31m\uFFFD");
  EXPECT_EQ(escaped("one\ttwo\nthree\r\n"), "one\ttwo\nthree \n");
}

TEST(Markup, OnlyUtf8ComesOut) {
  EXPECT_EQ(escaped("Gr\u00fc\u00dfe \u65e5\u672c \U0001F600"),
            "Gr\u00fc\u00dfe \u65e5\u672c \U0001F600");
  EXPECT_EQ(escaped("\xC0\xAF"), "\uFFFD\uFFFD");                      // "/" in two bytes
  EXPECT_EQ(escaped("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");            // a surrogate
  EXPECT_EQ(escaped("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond Unicode
  EXPECT_EQ(escaped("a\xE2\x82"), "a\uFFFD\uFFFD");                    // cut short
}

RC_GTEST_PROP(Markup, NoTextCanLeaveItsPlace, (const std::string& text)) {
  Markup out;
  out.open("p", {{"title", text}}).text(text).close();
  const std::string page = out.take();
  const auto count = [&](char c) { return std::count(page.begin(), page.end(), c); };
  RC_ASSERT(count('<') == 2);
  RC_ASSERT(count('>') == 2);
  RC_ASSERT(count('"') == 2);
  RC_ASSERT(page.find('\0') == page.npos);
}

TEST(Markup, ElementsNest) {
  Markup out;
  out.open("section").element("b", {{"class", "x"}}, "1 < 2").leaf("path", {{"d", "M0 0"}}).close();
  EXPECT_EQ(out.take(), "<section><b class=\"x\">1 &lt; 2</b><path d=\"M0 0\"/>\n</section>\n");
}

TEST(Markup, NumbersAreShort) {
  EXPECT_EQ(number(1), "1");
  EXPECT_EQ(number(0.126), "0.13");
  EXPECT_EQ(number(-0.001), "0");
  EXPECT_EQ(number(100), "100");
  EXPECT_EQ(number(1.0 / 0.0), "0");
}

}  // namespace
}  // namespace navvy::report
