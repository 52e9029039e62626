#include "report/labels.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace navvy::report {
namespace {

std::vector<PlacedLabel> placed_clear_of_each_other(const std::vector<Label>& labels,
                                                    const Box& frame) {
  auto placed = place_labels(labels, 13, frame, {});
  for (std::size_t a = 0; a < placed.size(); ++a)
    for (std::size_t b = a + 1; b < placed.size(); ++b)
      EXPECT_FALSE(overlap(placed[a].box, placed[b].box))
          << labels[a].text << " on " << labels[b].text;
  return placed;
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

TEST(Labels, OfCrowdedPointsAreClearOfEachOther) {
  const Box frame{0, 0, 420, 260};
  for (int step = 0; step < 40; ++step) {
    SCOPED_TRACE(step);
    std::vector<Label> labels;
    for (const char* name : {"bow", "wcd", "rwmd", "omr", "act-1", "act-7", "ict"}) {
      const auto i = static_cast<double>(labels.size());
      labels.push_back({name, {400 - i * step / 4.0, 20 + i * (step % 7)}});
    }
    placed_clear_of_each_other(labels, frame);
  }
}

TEST(Labels, OfCloseMeasuresHideNoPointAndStayInTheFrame) {
  // Six measures within a few pixels, as rwmd, omr and act-1 often are.
  std::vector<Label> labels;
  for (int i = 0; i < 6; ++i)
    labels.push_back({"act-" + std::to_string(i), {150.0 + 2 * i, 100.0 - i}});
  const Box frame{46, 34, 350, 244};
  for (const auto& placed : placed_clear_of_each_other(labels, frame)) {
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
