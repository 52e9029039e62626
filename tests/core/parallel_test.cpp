#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/expect_error.hpp"

namespace navvy::core {
namespace {

TEST(ThreadPool, RunsEveryBlockOnce) {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t blocks : {0U, 1U, 2U, 7U, 1000U}) {
      std::vector<std::atomic<int>> runs(blocks);
      pool.run(blocks, [&](std::size_t block, unsigned thread) {
        EXPECT_LT(thread, threads);
        ++runs[block];
      });
      for (const auto& count : runs) EXPECT_EQ(count.load(), 1);
    }
  }
}

TEST(ThreadPool, ShowsWhatBlocksWroteToTheCaller) {
  ThreadPool pool(4);
  std::vector<int> values(500);
  for (int round = 0; round < 50; ++round) {
    pool.run(values.size(), [&](std::size_t block, unsigned) { ++values[block]; });
    EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0), 500 * (round + 1));
  }
}

TEST(ThreadPool, ThrowsTheFirstExceptionAndStartsNoFurtherBlock) {
  for (const unsigned threads : {1U, 4U}) {
    ThreadPool pool(threads);
    std::atomic<int> started{0};
    EXPECT_THROW(pool.run(100000,
                          [&](std::size_t block, unsigned) {
                            ++started;
                            if (block == 3) throw std::runtime_error("block 3");
                          }),
                 std::runtime_error);
    EXPECT_LT(started.load(), 100000);
    // The pool goes on working.
    std::atomic<int> after{0};
    pool.run(10, [&](std::size_t, unsigned) { ++after; });
    EXPECT_EQ(after.load(), 10);
  }
}

TEST(ThreadPool, StopsWithinAFifthOfASecond) {
  using Clock = std::chrono::steady_clock;
  ThreadPool pool(2);
  const auto start = Clock::now();
  Clock::time_point asked;
  const ProgressCallback callback = [&](const Progress&) {
    if (Clock::now() - start < std::chrono::milliseconds(100)) return true;
    if (asked == Clock::time_point{}) asked = Clock::now();
    return false;
  };
  Monitor monitor(callback);
  monitor.begin("waiting", 100000);
  test::error_of(ErrorCode::interrupted, [&] {
    pool.run(
        100000,
        [&](std::size_t, unsigned) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); },
        &monitor);
  });
  EXPECT_LT(Clock::now() - asked, std::chrono::milliseconds(200));
}

TEST(Monitor, TellsPhaseAndUnits) {
  std::vector<Progress> told;
  const ProgressCallback callback = [&](const Progress& progress) {
    told.push_back(progress);
    return true;
  };
  Monitor monitor(callback);
  monitor.begin("first", 10);
  monitor.add(4);
  EXPECT_TRUE(monitor.check());
  monitor.add(1);
  EXPECT_TRUE(monitor.check());  // too early to be told again
  monitor.begin("second", 2);
  EXPECT_TRUE(monitor.check());
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].phase, "first");
  EXPECT_EQ(told[0].done, 4U);
  EXPECT_EQ(told[0].total, 10U);
  EXPECT_EQ(told[1].phase, "second");
  EXPECT_EQ(told[1].done, 0U);
}

TEST(Monitor, OtherThreadsSeeTheAnswerButDoNotAsk) {
  int asked = 0;
  const ProgressCallback callback = [&](const Progress&) { return ++asked > 1; };
  Monitor monitor(callback);
  const auto elsewhere = [&] {
    bool go_on = false;
    std::thread([&] { go_on = monitor.check(); }).join();
    return go_on;
  };
  EXPECT_TRUE(elsewhere());
  EXPECT_EQ(asked, 0);
  EXPECT_FALSE(monitor.check());
  EXPECT_FALSE(elsewhere());
  EXPECT_EQ(asked, 1);
}

TEST(Monitor, WithoutCallbackNeverStops) {
  const ProgressCallback none;
  Monitor monitor(none);
  EXPECT_TRUE(monitor.check());
  monitor.throw_if_stopped();
}

}  // namespace
}  // namespace navvy::core
