#include "report/plots.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/labels.hpp"
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
  const std::vector<MeasuredLine> measures = {{"bow", 0.1, 1e6, {0.9}, {0.9, 0.8}},
                                              {"rw<md", 0.1, 1e6, {0.9}, {0.9, 0.8}},
                                              {"emd", 0, 1e6, {0.2}, {0.2, 0.1}}};
  const std::string svg = standalone_svg({measures, 0, "precision @1"});
  EXPECT_EQ(occurrences(svg, "class=\"point"), 3U);
  EXPECT_EQ(occurrences(svg, "class=\"name"), 3U);
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
  EXPECT_EQ(time_text(0.05), "50 ms");
  EXPECT_EQ(time_text(91), "91 s");
  EXPECT_EQ(time_text(198), "3.3 min");
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

RC_GTEST_PROP(Labels, SpreadKeepsOrderGapAndFrame, ()) {
  const auto wished =
      *rc::gen::resize(15, rc::gen::container<std::vector<double>>(rc::gen::map(
                               rc::gen::inRange(0, 3001), [](int x) { return x / 10.0; })));
  const auto places = spread(wished, 15, 0, 300);
  for (std::size_t i = 0; i < wished.size(); ++i) {
    RC_ASSERT(places[i] >= -1e-9 && places[i] <= 300 + 1e-9);
    for (std::size_t j = 0; j < wished.size(); ++j) {
      if (wished[i] < wished[j]) RC_ASSERT(places[i] + 15 <= places[j] + 1e-9);
    }
  }
}

TEST(Labels, NamesOfCloseMeasuresDoNotOverlap) {
  // Six measures within a few pixels, as rwmd, omr and act-1 often are.
  std::vector<Label> labels;
  for (int i = 0; i < 6; ++i) {
    labels.push_back({"act-" + std::to_string(i), {150.0 + 2 * i, 100.0 - i}});
  }
  const Box frame{46, 34, 350, 244};
  const auto placed = place_labels(labels, 13, frame, {});
  for (std::size_t i = 0; i < placed.size(); ++i) {
    EXPECT_GE(placed[i].box.left, frame.left);
    EXPECT_LE(placed[i].box.right, frame.right);
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(placed[i].box, placed[j].box));
    for (const Label& label : labels) {
      const Point p = label.anchor;
      EXPECT_FALSE(overlap(placed[i].box, {p.x - 5, p.y - 5, p.x + 5, p.y + 5}));
    }
  }
}

}  // namespace
}  // namespace navvy::report
