// CUDA devices, on a stand-in for the driver: see fake/driver.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "devices/cuda_ptx.hpp"
#include "devices/device.hpp"
#include "devices/every_kernel.hpp"
#include "devices/setting.hpp"
#include "support/expect_error.hpp"

namespace navvy::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Cuda, TellsWhatADeviceIs) {
  const Setting memory("FAKE_CUDA_MEMORY", "12345678");
  const Setting group("FAKE_CUDA_GROUP", "1024");
  const std::vector<devices::Facts> all = devices::list();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].name, "cuda:0");
  EXPECT_EQ(all[0].hardware, "Fake");
  EXPECT_EQ(all[0].driver, "CUDA 12.6, compute capability 6.1");
  EXPECT_EQ(all[0].memory, 12345678u);
  EXPECT_EQ(all[0].largest_buffer, 12345678u);
  EXPECT_EQ(all[0].largest_group, 256u);  // what the registers of any kernel allow
  EXPECT_TRUE(all[0].is_gpu);
  EXPECT_TRUE(all[0].has_doubles);
}

TEST(Cuda, ListsAllDevices) {
  const Setting two("FAKE_CUDA_DEVICES", "2");
  EXPECT_EQ(devices::list().at(1).name, "cuda:1");
  EXPECT_EQ(devices::open("cuda:1")->facts().name, "cuda:1");
  EXPECT_THAT(error_of(ErrorCode::usage, [] { (void)devices::open("cuda:2"); }),
              AllOf(StartsWith("there is no device cuda:2"), HasSubstr("cuda:0, cuda:1")));
}

TEST(Cuda, CopiesWithOffsets) {
  const auto device = devices::open("cuda:0");
  const auto stream = device->stream();
  const auto memory = device->allocate(40);
  EXPECT_EQ(memory->bytes(), 40u);
  stream->fill(*memory, 7);
  const std::vector<std::uint32_t> some = {1, 2, 3};
  stream->write(*memory, 8, some.data(), 12);
  std::vector<std::uint32_t> all(10);
  stream->read(*memory, 0, all.data(), 40);
  EXPECT_EQ(all, (std::vector<std::uint32_t>{7, 7, 1, 2, 3, 7, 7, 7, 7, 7}));
  std::uint32_t one = 0;
  stream->read(*memory, 16, &one, 4);
  EXPECT_EQ(one, 3u);
}

TEST(Cuda, TakesNoBytesForNothing) {
  const auto device = devices::open("cuda:0");
  const auto stream = device->stream();
  const auto memory = device->allocate(0);
  EXPECT_EQ(memory->bytes(), 0u);
  stream->fill(*memory, 1);
  stream->write(*memory, 0, nullptr, 0);
  stream->read(*memory, 0, nullptr, 0);
  stream->launch({"squared_norms"}, {0, 1, 1}, {});
  stream->finish();
}

TEST(Cuda, KeepsWhatIsInUseWhenTheDeviceIsLetGo) {
  auto device = devices::open("cuda:0");
  auto stream = device->stream();
  auto memory = device->allocate(4);
  device.reset();
  stream->fill(*memory, 5);
  std::uint32_t word = 0;
  stream->read(*memory, 0, &word, 4);
  EXPECT_EQ(word, 5u);
}

TEST(Cuda, EveryKernelHasTheBitsOfPlainLoops) {
  for (const char* items : {"1", "2", "8"}) {
    const Setting group("FAKE_CUDA_GROUP", items);
    const auto device = devices::open("cuda:0");
    EveryKernel every(*device);
    every.run_common();
    for (const int levels : devices::kernel_levels) every.run_levels(levels);
    EXPECT_THAT(every.wrong, ::testing::IsEmpty()) << items;
  }
}

TEST(Cuda, ServesSeveralThreads) {
  const auto device = devices::open("cuda:0");
  const auto work = [&](std::uint32_t word) {
    const auto stream = device->stream();
    const auto memory = device->allocate(400);
    const auto norms = device->allocate(400);
    const float value = std::bit_cast<float>(word);
    for (int i = 0; i < 5; ++i) {
      stream->fill(*memory, word);
      stream->launch({"squared_norms"}, {25, 1, 4},
                     std::vector<Argument>{memory.get(), 1u, 100u, norms.get()});
      std::vector<float> found(100);
      stream->read(*norms, 0, found.data(), 400);
      EXPECT_EQ(found, std::vector<float>(100, value * value));
    }
  };
  std::vector<std::thread> threads;
  for (const float value : {1.0f, 2.0f, 3.0f}) {
    threads.emplace_back(work, std::bit_cast<std::uint32_t>(value));
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Cuda, CarriesPtxForEveryNumberOfLevels) {
  for (const int levels : {0, 1, 2, 4, 8, 16}) {
    const std::string text = devices::cuda::ptx(levels);
    EXPECT_THAT(text, StartsWith("// levels " + std::to_string(levels) + ", "));
    EXPECT_THAT(text, HasSubstr(".target sm_61\n"));
    EXPECT_EQ(text.back(), '\n');
  }
  EXPECT_THAT(error_of(ErrorCode::failed, [] { (void)devices::cuda::ptx(3); }),
              StartsWith("there are no kernels for 3 levels"));
}

}  // namespace
}  // namespace navvy::test
