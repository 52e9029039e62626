// Work over threads in a forked process, where the threads of its parent do not exist.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "core/parallel.hpp"

// ThreadSanitizer ends a forked process that starts a thread.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NAVVY_NO_FORK
#endif
#endif

namespace navvy::core {
namespace {

bool runs_every_block() {
  std::atomic<std::size_t> sum{0};
  ThreadPool(4).run(100, [&](std::size_t block, unsigned) { sum += block; });
  return sum == 4950;
}

// Returns once all four threads have worked, and so have been started. A thread that is being
// started frees memory, and the allocator of AddressSanitizer does not survive a fork in the midst
// of that.
void start_all_threads() {
  std::barrier all(4);
  ThreadPool(4).run(4, [&](std::size_t, unsigned) { all.arrive_and_wait(); });
}

// Whether a forked process runs jobs and ends; one that hangs is ended by its alarm.
bool child_runs_jobs(void (*end)(int) = _exit) {
  std::fflush(nullptr);
  start_all_threads();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    bool is_right = true;
    for (int round = 0; round < 20; ++round) is_right = runs_every_block() && is_right;
    end(is_right ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Fork, AChildRunsJobs) {
#ifdef NAVVY_NO_FORK
  GTEST_SKIP() << "ThreadSanitizer ends forked processes that start threads";
#endif
  ASSERT_TRUE(runs_every_block());
  EXPECT_TRUE(child_runs_jobs());
  EXPECT_TRUE(runs_every_block());
}

TEST(Fork, AChildMadeWhileOthersWorkRunsJobs) {
#ifdef NAVVY_NO_FORK
  GTEST_SKIP() << "ThreadSanitizer ends forked processes that start threads";
#endif
  std::jthread other([](const std::stop_token& stop) {
    while (!stop.stop_requested()) EXPECT_TRUE(runs_every_block());
  });
  for (int round = 0; round < 20; ++round) EXPECT_TRUE(child_runs_jobs());
}

TEST(Fork, AChildThatExitsDoesNotWaitForThreads) {
#ifdef NAVVY_NO_FORK
  GTEST_SKIP() << "ThreadSanitizer ends forked processes that start threads";
#endif
  ASSERT_TRUE(runs_every_block());
  EXPECT_TRUE(child_runs_jobs(std::exit));
}

}  // namespace
}  // namespace navvy::core
