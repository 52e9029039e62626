// Tests of the tests: kernels with an error in them, and drivers that are none, in programs of
// their own. Who notices depends on the sanitizer of the build.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "devices/setting.hpp"
#include "support/temporary_folder.hpp"

#ifndef __has_feature
#define __has_feature(x) 0
#endif

namespace navvy::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr bool finds_bad_addresses = __has_feature(address_sanitizer);
constexpr bool finds_races = __has_feature(thread_sanitizer);

struct Outcome {
  int status = 0;
  std::string output;
};

// Runs run_kernels with the driver in a folder.
Outcome run_kernels(const std::string& folder, const std::string& arguments) {
  const Setting path("LD_LIBRARY_PATH", folder);
  const Setting no_opencl("OCL_ICD_VENDORS", folder);  // which has not been built with sanitizers
  // It otherwise waits for a second in case a thread still does wrong.
  const Setting quick("TSAN_OPTIONS", "atexit_sleep_ms=0");
  // Kernels with an error in them may well run forever.
  const std::string command = std::string("timeout 30 ") + NAVVY_RUN_KERNELS + " " + arguments;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  Outcome outcome;
  std::array<char, 4096> some{};
  while (const std::size_t count = std::fread(some.data(), 1, some.size(), pipe)) {
    outcome.output.append(some.data(), count);
  }
  outcome.status = pclose(pipe);
  return outcome;
}

// The lines of the text that have a barrier, as "costs.cl:105".
std::vector<std::string> barriers() {
  std::vector<std::string> found;
  for (const auto& file : std::filesystem::directory_iterator(NAVVY_KERNEL_TEXT)) {
    std::ifstream text(file.path());
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
      if (!line.ends_with(" BARRIER;") && !line.ends_with(" BARRIER_ALL;")) continue;
      found.push_back(file.path().filename().string() + ":" + std::to_string(number));
    }
  }
  return found;
}

Outcome run_planted(const std::string& error) {
  const Setting planted("FAKE_CUDA_PLANTED", error);
  return run_kernels(NAVVY_FAKE_CUDA, "cuda:0 2");
}

TEST(Planted, TheTextAsItIsPasses) {
  const Outcome outcome = run_kernels(NAVVY_FAKE_CUDA, "cuda:0 1 2 16");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, Not(HasSubstr("Sanitizer")));
}

TEST(Planted, EveryBarrierThatNotAllReachFailsTheLaunch) {
  ASSERT_GT(barriers().size(), 8u);
  for (const std::string& barrier : barriers()) {
    const Outcome outcome = run_planted("divergent:" + barrier);
    EXPECT_NE(outcome.status, 0) << barrier;
    EXPECT_THAT(outcome.output, AllOf(HasSubstr("error: cuda:0: "), HasSubstr(barrier),
                                      HasSubstr("CUDA_ERROR_LAUNCH_FAILED")));
  }
}

TEST(Planted, AnIndexOffByOneIsNoticed) {
  if (!finds_bad_addresses) GTEST_SKIP() << "needs AddressSanitizer: preset asan";
  const Outcome outcome = run_planted("off_by_one");
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.output, HasSubstr("AddressSanitizer"));
}

TEST(Planted, ABufferThatIsTooShortIsNoticed) {
  if (!finds_bad_addresses) GTEST_SKIP() << "needs AddressSanitizer: preset asan";
  const Outcome outcome = run_kernels(NAVVY_FAKE_CUDA, "cuda:0 --short 2");
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.output, HasSubstr("AddressSanitizer: heap-buffer-overflow"));
}

TEST(Planted, EveryRemovedBarrierIsNoticed) {
  if (!finds_races) GTEST_SKIP() << "needs ThreadSanitizer: preset tsan";
  for (const std::string& barrier : barriers()) {
    const Outcome outcome = run_planted("no_barrier:" + barrier);
    EXPECT_NE(outcome.status, 0) << barrier;
    EXPECT_THAT(outcome.output, HasSubstr("ThreadSanitizer: data race")) << barrier;
  }
}

TEST(NoDriver, NothingIsListed) {
  const TemporaryFolder folder;
  write_file(folder / "libcuda.so.1", "");
  EXPECT_THAT(run_kernels(folder.path(), "--list").output, Not(HasSubstr("cuda:")));
  EXPECT_THAT(run_kernels(folder.path(), "cuda:0").output,
              HasSubstr("error: there is no device cuda:0; "));
}

TEST(NoDriver, ALibraryThatIsNoneIsLeftAlone) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("libm.so.6", folder / "libcuda.so.1");
  EXPECT_THAT(run_kernels(folder.path(), "--list").output, Not(HasSubstr("cuda:")));
}

TEST(NoDriver, OneThatDoesNotStartHasNoDevices) {
  const Setting failure("FAKE_CUDA_FAIL", "init:1");
  EXPECT_THAT(run_kernels(NAVVY_FAKE_CUDA, "--list").output, Not(HasSubstr("cuda:")));
}

TEST(NoDriver, OneWithoutDevicesHasNone) {
  const Setting none("FAKE_CUDA_DEVICES", "0");
  EXPECT_THAT(run_kernels(NAVVY_FAKE_CUDA, "--list").output, Not(HasSubstr("cuda:")));
}

}  // namespace
}  // namespace navvy::test
