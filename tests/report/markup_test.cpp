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
  EXPECT_EQ(escaped("\x1b[31m\n\u202E\xFF"), "\u241B[31m\u240A\uFFFD\uFFFD");
  EXPECT_EQ(escaped("Gr\u00fc\u00dfe \u65e5\u672c"), "Gr\u00fc\u00dfe \u65e5\u672c");
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
