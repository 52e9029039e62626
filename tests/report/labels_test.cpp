#include "report/labels.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace navvy::report {
namespace {

TEST(Labels, OfCrowdedPointsAreClearOfEachOther) {
  const Box frame{0, 0, 420, 260};
  for (int step = 0; step < 40; ++step) {
    std::vector<Label> labels;
    for (const char* name : {"bow", "wcd", "rwmd", "omr", "act-1", "act-7", "ict"}) {
      const auto i = static_cast<double>(labels.size());
      labels.push_back({name, {400 - i * step / 4.0, 20 + i * (step % 7)}});
    }
    const auto placed = place_labels(labels, 13, frame, {});
    for (std::size_t a = 0; a < placed.size(); ++a)
      for (std::size_t b = a + 1; b < placed.size(); ++b)
        EXPECT_FALSE(overlap(placed[a].box, placed[b].box))
            << labels[a].text << " on " << labels[b].text << ", step " << step;
  }
}

}  // namespace
}  // namespace navvy::report
