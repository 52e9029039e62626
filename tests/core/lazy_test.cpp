// Parts that are made when first asked for: once, whoever asks.

#include "core/lazy.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace navvy::core {
namespace {

TEST(Lazy, MakesOnceForAllThreads) {
  const Lazy<std::vector<int>> lazy;
  std::atomic<int> made{0};
  std::vector<const std::vector<int>*> seen(8);
  std::vector<std::thread> threads;
  for (auto& place : seen)
    threads.emplace_back([&] {
      place = &lazy.get([&] {
        ++made;
        return std::vector<int>(1000, 7);
      });
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  for (const auto* place : seen) {
    EXPECT_EQ(place, seen[0]);
    EXPECT_EQ(place->back(), 7);
  }
}

TEST(Lazy, IsUnmadeWhereMakingFailed) {
  const Lazy<int> lazy;
  EXPECT_THROW(lazy.get([]() -> int { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(lazy.get([] { return 3; }), 3);
  EXPECT_EQ(lazy.get([] { return 4; }), 3);
}

TEST(Lazy, HoldsWhatCannotBeMoved) {
  struct Fixed {
    explicit Fixed(int number) : value(number) {}
    Fixed(const Fixed&) = delete;
    Fixed& operator=(const Fixed&) = delete;
    ~Fixed() = default;
    int value;
  };
  const Lazy<Fixed> lazy;
  EXPECT_EQ(lazy.get([] { return Fixed(5); }).value, 5);
}

}  // namespace
}  // namespace navvy::core
