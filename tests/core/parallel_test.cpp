// Work shared out over threads: every block once, many callers at once, stopped when asked to.

#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
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

// Sums the blocks' numbers, with one place per thread number as scratch has it.
std::size_t sum_of_blocks(const ThreadPool& pool, std::size_t blocks) {
  std::vector<std::size_t> sums(pool.threads());
  pool.run(blocks, [&](std::size_t block, unsigned thread) { sums[thread] += block; });
  return std::accumulate(sums.begin(), sums.end(), std::size_t{0});
}

TEST(ThreadPool, GivesThreadsInsideDifferentNumbers) {
  const ThreadPool pool(4);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::atomic<int>> inside(4);
    pool.run(50, [&](std::size_t, unsigned thread) {
      ASSERT_LT(thread, 4U);
      EXPECT_EQ(inside[thread]++, 0);
      std::this_thread::yield();
      --inside[thread];
    });
  }
}

TEST(ThreadPool, UsesAllItsThreads) {
  const ThreadPool pool(6);
  std::latch all_inside(6);
  pool.run(6, [&](std::size_t, unsigned) { all_inside.arrive_and_wait(); });
}

TEST(ThreadPool, OneThreadRunsInTheCaller) {
  const ThreadPool pool(1);
  const auto caller = std::this_thread::get_id();
  std::vector<std::size_t> order;
  pool.run(5, [&](std::size_t block, unsigned thread) {
    EXPECT_EQ(thread, 0U);
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(block);
  });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(ThreadPool, IsCapped) {
  EXPECT_GE(ThreadPool::most_threads(), 64U);
  EXPECT_EQ(ThreadPool(4000000000U).threads(), ThreadPool::most_threads());
  EXPECT_GE(ThreadPool(0).threads(), 1U);
}

TEST(ThreadPool, ServesManyCallersAtOnce) {
  std::vector<std::jthread> callers;
  for (unsigned caller = 0; caller < 16; ++caller)
    callers.emplace_back([caller] {
      const ThreadPool pool(1 + caller % 5);
      for (std::size_t blocks = 0; blocks < 200; ++blocks)
        EXPECT_EQ(sum_of_blocks(pool, blocks), blocks * (blocks - (blocks > 0 ? 1 : 0)) / 2);
    });
}

TEST(ThreadPool, ALongJobDoesNotHoldUpAnother) {
  std::atomic<bool> go_on{true};
  std::latch long_started(1);
  std::jthread long_caller([&] {
    std::atomic<bool> is_first{true};
    ThreadPool(3).run(3, [&](std::size_t, unsigned) {
      if (is_first.exchange(false)) long_started.count_down();
      while (go_on) std::this_thread::yield();
    });
  });
  long_started.wait();
  EXPECT_EQ(sum_of_blocks(ThreadPool(3), 1000), 499500U);
  go_on = false;
}

TEST(ThreadPool, ExceptionsAndInterruptionsStayWithTheirJob) {
  std::vector<std::jthread> callers;
  for (unsigned caller = 0; caller < 12; ++caller)
    callers.emplace_back([caller] {
      const ThreadPool pool(3);
      const ProgressCallback stop = [](const Progress&) { return false; };
      for (int round = 0; round < 50; ++round) {
        if (caller % 3 == 0) {
          EXPECT_EQ(sum_of_blocks(pool, 100), 4950U);
        } else if (caller % 3 == 1) {
          EXPECT_THROW(
              pool.run(100, [](std::size_t, unsigned) { throw std::runtime_error("a block"); }),
              std::runtime_error);
        } else {
          Monitor monitor(stop);
          test::error_of(ErrorCode::interrupted, [&] {
            pool.run(
                100, [](std::size_t, unsigned) {}, &monitor);
          });
        }
      }
    });
}

TEST(ThreadPool, WaitsForItsHelpersWhereTheCallbackThrows) {
  const ThreadPool pool(4);
  for (int round = 0; round < 20; ++round) {
    const ProgressCallback callback = [](const Progress&) -> bool {
      throw std::runtime_error("the callback");
    };
    Monitor monitor(callback);
    std::atomic<int> inside{0};
    EXPECT_THROW(pool.run(
                     1000,
                     [&](std::size_t, unsigned) {
                       ++inside;
                       std::this_thread::yield();
                       --inside;
                     },
                     &monitor),
                 std::runtime_error);
    EXPECT_EQ(inside.load(), 0);
  }
}

TEST(ThreadPool, BodiesMayRunJobs) {
  const ThreadPool pool(4);
  std::vector<std::size_t> sums(20);
  pool.run(sums.size(),
           [&](std::size_t block, unsigned) { sums[block] = sum_of_blocks(pool, 50); });
  for (const std::size_t sum : sums) EXPECT_EQ(sum, 1225U);
}

TEST(ThreadPool, StopsBetweenBlocks) {
  for (const unsigned threads : {1U, 2U}) {
    const ThreadPool pool(threads);
    int asked = 0;
    const ProgressCallback callback = [&](const Progress&) { return ++asked < 3; };
    Monitor monitor(callback);
    monitor.begin("waiting", 1);
    // So many blocks that nobody would see the end of them.
    test::error_of(ErrorCode::interrupted, [&] {
      pool.run(
          std::size_t{1} << 60U, [](std::size_t, unsigned) { std::this_thread::yield(); },
          &monitor);
    });
    EXPECT_EQ(asked, 3);
  }
}

TEST(ThreadPool, AsksWhileOthersFinishTheirLastBlocks) {
  const ThreadPool pool(2);
  std::latch both_inside(2);
  std::atomic<bool> caller_is_done{false};
  std::atomic<bool> is_stopped{false};
  const ProgressCallback callback = [&](const Progress&) {
    is_stopped = caller_is_done.load();
    return !is_stopped;
  };
  Monitor monitor(callback);
  test::error_of(ErrorCode::interrupted, [&] {
    pool.run(
        2,
        [&](std::size_t, unsigned thread) {
          both_inside.arrive_and_wait();
          if (thread == 0)
            caller_is_done = true;
          else
            while (!is_stopped) std::this_thread::yield();
        },
        &monitor);
  });
}

TEST(Monitor, TellsPhaseAndUnits) {
  std::vector<Progress> told;
  const ProgressCallback callback = [&](const Progress& progress) {
    told.push_back(progress);
    return true;
  };
  Monitor monitor(callback, std::chrono::hours(1));
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
