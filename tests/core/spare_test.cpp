#include "core/spare.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <utility>
#include <vector>

namespace navvy::core {
namespace {

TEST(Spare, HandsOnWhatWasGivenOnce) {
  Spare<std::vector<int>> spare;
  EXPECT_TRUE(spare.take().empty());
  std::vector<int> given(1000, 7);
  const int* place = given.data();
  spare.give(std::move(given));
  const std::vector<int> taken = spare.take();
  EXPECT_EQ(taken.data(), place);
  EXPECT_TRUE(spare.take().empty());
}

TEST(Spare, NeverGivesTheSameToTwoThreads) {
  Spare<std::vector<int>> spare;
  const auto work = [&] {
    for (int i = 0; i < 1000; ++i) {
      std::vector<int> own = spare.take();
      own.resize(1);
      ++own[0];
      spare.give(std::move(own));
    }
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  EXPECT_EQ(spare.take().size(), 1U);
}

}  // namespace
}  // namespace navvy::core
