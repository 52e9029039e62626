#include "report/plots.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/scale.hpp"
#include "support/occurrences.hpp"

namespace navvy::report {
namespace {

using test::occurrences;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Le;

TEST(Plots, TheLineJoinsWhatNothingBeats) {
  const std::vector<double> seconds = {1, 2, 3, 4, 4};
  const std::vector<double> precision = {0.5, 0.4, 0.7, 0.7, 0.9};
  EXPECT_THAT(pareto(seconds, precision), ElementsAre(0, 2, 4));
}

TEST(Plots, WhatLiesFarBelowIsNotToScale) {
  EXPECT_EQ(shown_from(std::vector<double>{0.98, 0.97, 0.3, 0.96}), 0.96);
  EXPECT_EQ(shown_from(std::vector<double>{0.98, 0.7, 0.5}), 0.5);
  EXPECT_EQ(shown_from(std::vector<double>{0.9, 0.1}), 0.1);
}

TEST(Plots, EveryMeasureHasAPointAndItsName) {
  const Share high{0.9, 0.88, 0.92};
  const Share low{0.2, 0.1, 0.3};
  const std::vector<MeasuredLine> measures = {
      {"bow", 0.1, 0.2, 1e6, {high}, {true}, {0.9, 0.8}, {}},
      {"rw<md", 0.1, 0.2, 1e6, {high}, {true}, {0.9, 0.8}, {}},
      {"emd", 0, 0, 1e6, {low}, {false}, {0.2, 0.1}, {}}};
  const std::string svg = standalone_svg({measures, 0, "precision @1"});
  EXPECT_EQ(occurrences(svg, "class=\"point"), 3U);
  EXPECT_EQ(occurrences(svg, "class=\"name"), 3U);
  EXPECT_EQ(occurrences(svg, "class=\"interval"), 3U);
  EXPECT_THAT(svg, HasSubstr("rw&lt;md"));
  EXPECT_EQ(svg.find("nan"), svg.npos);
  EXPECT_TRUE(svg.starts_with(picture_magic));
  Markup out;
  const std::vector<std::size_t> tops = {1, 16};
  draw(out, CurvePlot{measures, tops});
  const std::string curves = out.take();
  EXPECT_EQ(occurrences(curves, "class=\"curve"), 3U);
  EXPECT_EQ(occurrences(curves, "class=\"dot"), 6U);
}

TEST(Scale, TicksAreRoundAndWithin) {
  EXPECT_THAT(tick_labels(ticks(Scale{0.91, 1, 0, 1}, 5)),
              ElementsAre("0.92", "0.94", "0.96", "0.98", "1.00"));
  EXPECT_THAT(ticks(Scale{0.5, 500, 0, 1, true}, 5), ElementsAre(1, 10, 100));
  EXPECT_THAT(ticks(Scale{0.1, 1, 0, 1, true}, 5), ElementsAre(0.1, 0.2, 0.5, 1));
  EXPECT_EQ(time_text(0.05), "50 ms");
  EXPECT_EQ(time_text(91), "91 s");
  EXPECT_EQ(time_text(198), "3.3 min");
}

TEST(Scale, AxesBeginAndEndAtRoundValues) {
  const Scale times = time_scale(std::vector<double>{0.21, 0.44}, 0, 300);
  EXPECT_THAT(ticks(times, 5), ElementsAre(0.1, 0.2, 0.5, 1));
  EXPECT_DOUBLE_EQ(times.low, 0.1);
  EXPECT_DOUBLE_EQ(times.high, 1);
  const Scale many = time_scale(std::vector<double>{0.02, 3}, 0, 300);
  EXPECT_DOUBLE_EQ(many.low, 0.01);
  EXPECT_DOUBLE_EQ(many.high, 10);
  const Scale shares = share_scale(std::vector<double>{0.9449, 0.9883}, 100, 0);
  EXPECT_DOUBLE_EQ(shares.low, 0.94);
  EXPECT_DOUBLE_EQ(shares.high, 1);
  EXPECT_THAT(tick_labels(ticks(shares, share_ticks)), ElementsAre("0.94", "0.96", "0.98", "1.00"));
}

RC_GTEST_PROP(Scale, TimesHaveAtLeastTwoTicks, ()) {
  const auto seconds = *rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::inRange(1, 100000), [](int x) { return x / 1000.0; })));
  const Scale scale = time_scale(seconds, 0, 300);
  for (const std::size_t count : {5U, 9U}) {
    const auto values = ticks(scale, count);
    RC_ASSERT(values.size() >= 2U && values.size() <= count + 2);
    RC_ASSERT(std::is_sorted(values.begin(), values.end()));
    RC_ASSERT(values.front() >= scale.low - 1e-9 && values.back() <= scale.high + 1e-9);
  }
}

RC_GTEST_PROP(Scale, ShareTicksAreFewAndDiffer, ()) {
  const auto shares = *rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::inRange(0, 10001), [](int x) { return x / 10000.0; })));
  const Scale scale = share_scale(shares, 100, 0);
  const auto values = ticks(scale, 5);
  auto names = tick_labels(values);
  RC_ASSERT(!values.empty() && values.size() <= 7U);
  RC_ASSERT(std::adjacent_find(names.begin(), names.end()) == names.end());
  for (const double value : values) RC_ASSERT(scale(value) > -1e-6 && scale(value) < 100 + 1e-6);
}

}  // namespace
}  // namespace navvy::report
