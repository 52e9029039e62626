#include "report/labels.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace navvy::report {

// So that RapidCheck can print a counterexample.
std::ostream& operator<<(std::ostream& out, const Label& label) {
  return out << label.text << " at " << label.anchor.x << ", " << label.anchor.y;
}

namespace {

rc::Gen<double> between(int low, int high) {
  return rc::gen::map(rc::gen::inRange(10 * low, 10 * high + 1), [](int x) { return x / 10.0; });
}

// Points that lie anywhere, or all within a few pixels, as measures of one kind often do.
rc::Gen<std::vector<Label>> some_labels() {
  const auto name = rc::gen::oneOf(
      rc::gen::element<std::string>("bow", "wcd", "rwmd", "omr", "act-1", "act-15", "ict", "emd",
                                    "sinkhorn", "rwmd 0.31 \u2193"),
      rc::gen::resize(12, rc::gen::container<std::string>(rc::gen::inRange(' ', '\x7f'))));
  const auto reach = rc::gen::element(0, 3, 40, 500);
  return rc::gen::mapcat(
      rc::gen::pair(rc::gen::pair(between(0, 500), between(0, 500)), reach),
      [name](const std::pair<std::pair<double, double>, int>& around) {
        const auto [x, y] = around.first;
        const auto anchor = rc::gen::map(rc::gen::pair(between(-around.second, around.second),
                                                       between(-around.second, around.second)),
                                         [x = x, y = y](const std::pair<double, double>& step) {
                                           return Point{x + step.first, y + step.second};
                                         });
        return rc::gen::container<std::vector<Label>>(rc::gen::construct<Label>(name, anchor));
      });
}

// As many labels as there are cells of the size of the largest certainly fit.
bool certainly_fit(const std::vector<Label>& labels, double size, const Box& frame) {
  double widest = 1;
  double height = 1;
  for (const Label& label : labels) {
    const Extent extent = label_extent(label.text, size);
    widest = std::max(widest, extent.width);
    height = extent.height;
  }
  return std::floor((frame.right - frame.left) / widest) *
             std::floor((frame.bottom - frame.top) / height) >=
         static_cast<double>(labels.size());
}

RC_GTEST_PROP(Labels, NeverTouchAndStayInTheFrameWhereTheyFit, ()) {
  const auto labels = *some_labels();
  const double size = *rc::gen::element(9.0, 13.0, 20.0);
  const double left = *between(0, 100);
  const double top = *between(0, 100);
  const Box frame{left, top, left + *between(0, 700), top + *between(0, 400)};
  std::vector<Point> line;
  for (std::size_t i = 0; i < labels.size(); i += 2) line.push_back(labels[i].anchor);
  const auto placed = place_labels(labels, size, frame, line);
  RC_ASSERT(placed.size() == labels.size());
  const bool fit = certainly_fit(labels, size, frame);
  for (std::size_t a = 0; a < placed.size(); ++a) {
    const Box& box = placed[a].box;
    RC_ASSERT(box.right - box.left >= text_width(labels[a].text, size));
    for (std::size_t b = a + 1; b < placed.size(); ++b) RC_ASSERT(!overlap(box, placed[b].box));
    if (!fit) continue;
    RC_ASSERT(box.left >= frame.left - 1e-9 && box.right <= frame.right + 1e-9);
    RC_ASSERT(box.top >= frame.top - 1e-9 && box.bottom <= frame.bottom + 1e-9);
  }
}

TEST(Labels, TextStandsWithinItsBox) {
  const std::vector<Label> labels(40, Label{"mmm", {100, 100}});
  const double width = text_width("mmm", 13);
  for (const PlacedLabel& placed : place_labels(labels, 13, {0, 0, 300, 300}, {})) {
    const double start = placed.text.x - width * (1 - placed.side) / 2;
    EXPECT_GT(start, placed.box.left);
    EXPECT_LT(start + width, placed.box.right);
    EXPECT_GT(placed.text.y, placed.box.top);
    EXPECT_LT(placed.text.y, placed.box.bottom);
  }
}

TEST(Labels, WidthsAreThoseOfTheLetters) {
  EXPECT_DOUBLE_EQ(text_width("", 13), 0);
  EXPECT_DOUBLE_EQ(text_width("wm", 10), 9.3 + 10.5);
  EXPECT_LT(text_width("iiii", 13), text_width("mm", 13));
  EXPECT_DOUBLE_EQ(text_width("\u2193", 10), 13);
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

TEST(Labels, OfCloseMeasuresHideNoPointAndStayInTheFrame) {
  // Six measures within a few pixels, as rwmd, omr and act-1 often are.
  std::vector<Label> labels;
  for (const double i : {0, 1, 2, 3, 4, 5}) labels.push_back({"act-1", {150 + 2 * i, 100 - i}});
  const Box frame{46, 34, 350, 244};
  for (const auto& placed : place_labels(labels, 13, frame, {})) {
    EXPECT_GE(placed.box.left, frame.left);
    EXPECT_LE(placed.box.right, frame.right);
    for (const Label& label : labels) {
      const Point p = label.anchor;
      EXPECT_FALSE(overlap(placed.box, {p.x - 5, p.y - 5, p.x + 5, p.y + 5}));
    }
  }
}

}  // namespace
}  // namespace navvy::report
