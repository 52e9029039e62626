// What drivers of CUDA may say, as one line each: see fake/driver.cpp for how they are made to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "devices/device.hpp"
#include "devices/setting.hpp"
#include "support/expect_error.hpp"

namespace navvy::test {
namespace {

using devices::Argument;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A device with a stream and some memory, and a small piece of work for it.
struct Opened {
  std::unique_ptr<devices::Device> device = devices::open("cuda:0");
  std::unique_ptr<devices::Stream> stream = device->stream();
  std::unique_ptr<devices::Memory> memory = device->allocate(16);
  std::unique_ptr<devices::Memory> norms = device->allocate(16);

  void launch(const char* kernel = "squared_norms", int levels = 0) const {
    stream->launch({kernel, levels}, {2, 1, 2},
                   std::vector<Argument>{memory.get(), 1u, 4u, norms.get()});
  }
  void work() const {
    stream->fill(*memory, 0);
    launch();
    std::uint32_t word = 0;
    stream->read(*norms, 0, &word, 4);
  }
};

TEST(CudaErrors, AFullDeviceIsALimit) {
  const Setting room("FAKE_CUDA_MEMORY", "1000");
  const auto device = devices::open("cuda:0");
  auto first = device->allocate(600);
  EXPECT_EQ(error_of(ErrorCode::limit, [&] { (void)device->allocate(600); }),
            "cuda:0: has no room for 600 bytes more: out of memory (CUDA_ERROR_OUT_OF_MEMORY)");
  first.reset();
  EXPECT_EQ(device->allocate(600)->bytes(), 600u);
}

TEST(CudaErrors, EachFailureIsOneLineAndTheDeviceGoesOn) {
  const Opened opened;
  struct Case {
    const char* failure;
    ErrorCode code;
    const char* begins;
    std::function<void()> action;
  };
  const Case cases[] = {
      {"memory:2", ErrorCode::limit, "cuda:0: has no room for 8 bytes more: out of memory",
       [&] {
         const auto first = opened.device->allocate(4);
         (void)opened.device->allocate(8);
       }},
      {"stream:1", ErrorCode::limit, "cuda:0: cannot make a stream: out of memory",
       [&] { (void)opened.device->stream(); }},
      {"write:1", ErrorCode::limit, "cuda:0: cannot write 4 bytes: out of memory",
       [&] {
         const int word = 1;
         opened.stream->write(*opened.memory, 0, &word, 4);
       }},
      {"module:1", ErrorCode::failed,
       "cuda:0: cannot compile the kernels for 0 levels (ptxas fatal: the fake driver says no): ",
       [&] { opened.launch(); }},
  };
  for (const Case& each : cases) {
    const Setting failure("FAKE_CUDA_FAIL", each.failure);
    EXPECT_THAT(error_of(each.code, each.action), StartsWith(each.begins));
  }
  opened.work();
}

TEST(CudaErrors, AFailedLaunchIsToldWhenTheWorkIsWaitedFor) {
  const Setting failure("FAKE_CUDA_FAIL", "launch:2");
  const Opened opened;
  opened.launch();
  opened.launch();
  EXPECT_EQ(error_of(ErrorCode::failed, [&] { opened.stream->finish(); }),
            "cuda:0: failed at what it was asked for: unspecified launch failure "
            "(CUDA_ERROR_LAUNCH_FAILED)");
  std::uint32_t word = 0;
  EXPECT_THAT(error_of(ErrorCode::failed, [&] { opened.stream->read(*opened.norms, 0, &word, 4); }),
              StartsWith("cuda:0: cannot read 4 bytes: "));
}

TEST(CudaErrors, ALostDeviceFailsAtEveryCall) {
  const Opened opened;
  const Setting failure("FAKE_CUDA_FAIL", "lost:3");
  error_of(ErrorCode::failed, [&] { opened.work(); });
  const auto expect_lost = [](const std::function<void()>& action) {
    EXPECT_THAT(error_of(ErrorCode::failed, action),
                AllOf(StartsWith("cuda:0: "), HasSubstr("(CUDA_ERROR_UNKNOWN)")));
  };
  expect_lost([&] { (void)opened.device->allocate(4); });
  expect_lost([&] { (void)opened.device->stream(); });
  expect_lost([&] { opened.stream->fill(*opened.memory, 1); });
  expect_lost([&] { opened.launch(); });
  expect_lost([&] { opened.stream->finish(); });
  expect_lost([] { (void)devices::open("cuda:0"); });
}

TEST(CudaErrors, WhatIsNotThereIsNamed) {
  const Opened opened;
  EXPECT_THAT(error_of(ErrorCode::failed, [&] { opened.launch("nonsense"); }),
              StartsWith("cuda:0: has no kernel nonsense: "));
  EXPECT_THAT(error_of(ErrorCode::failed, [&] { opened.launch("pick", 3); }),
              HasSubstr("no kernels for 3 levels"));
  int word = 0;
  EXPECT_THAT(
      error_of(ErrorCode::failed, [&] { opened.stream->write(*opened.memory, 14, &word, 4); }),
      StartsWith("cuda:0: cannot write 4 bytes: "));
  opened.work();
}

// Runs in a forked process; returns its exit code. One that hangs is ended.
int exit_code_of_child(const std::function<int()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(action());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Whether an action tells of the fork in one line.
bool tells_of_fork(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code() == ErrorCode::failed &&
           std::string(error.what()).find("before this process was forked") != std::string::npos;
  }
  return false;
}

TEST(CudaErrors, AForkedProcessIsRefusedEverything) {
  auto opened = std::make_unique<Opened>();
  opened->work();
  EXPECT_EQ(exit_code_of_child([&] {
              std::uint32_t word = 0;
              const bool refused =
                  tells_of_fork([&] { (void)opened->device->allocate(4); }) &&
                  tells_of_fork([&] { (void)opened->device->stream(); }) &&
                  tells_of_fork([&] { opened->stream->fill(*opened->memory, 1); }) &&
                  tells_of_fork([&] { opened->stream->write(*opened->memory, 0, &word, 4); }) &&
                  tells_of_fork([&] { opened->stream->read(*opened->memory, 0, &word, 4); }) &&
                  tells_of_fork([&] { opened->launch(); }) &&
                  tells_of_fork([&] { opened->stream->finish(); }) &&
                  tells_of_fork([&] { (void)devices::open("cuda:0"); });
              opened.reset();  // releases nothing, and does not wait
              return refused ? 0 : 1;
            }),
            0);
  opened->work();
}

}  // namespace
}  // namespace navvy::test
