// The test of a device: it passes where the arithmetic is right, and notices every kernel that is
// not.
#include "devices/self_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "devices/text.hpp"
#include "support/tried_devices.hpp"

namespace navvy::devices {
namespace {

/// What goes wrong on the way to a device.
struct Fault {
  std::string kernel_left_out;
  int read_with_a_wrong_bit = -1;
  int reads = 0;
};

class FaultyStream : public Stream {
 public:
  FaultyStream(std::unique_ptr<Stream> inner, Fault& fault)
      : inner_(std::move(inner)), fault_(fault) {}

  void write(Memory& to, std::uint64_t offset, const void* from, std::uint64_t bytes) override {
    inner_->write(to, offset, from, bytes);
  }
  void read(const Memory& from, std::uint64_t offset, void* to, std::uint64_t bytes) override {
    inner_->read(from, offset, to, bytes);
    if (fault_.reads++ == fault_.read_with_a_wrong_bit)
      static_cast<unsigned char*>(to)[bytes / 8 * 4] ^= 1;
  }
  void fill(Memory& to, std::uint32_t word) override { inner_->fill(to, word); }
  void launch(const Kernel& kernel, const Grid& grid,
              std::span<const Argument> arguments) override {
    if (kernel.name != fault_.kernel_left_out) inner_->launch(kernel, grid, arguments);
  }
  void finish() override { inner_->finish(); }

 private:
  std::unique_ptr<Stream> inner_;
  Fault& fault_;
};

class FaultyDevice : public Device {
 public:
  FaultyDevice(Device& inner, Fault& fault) : inner_(inner), fault_(fault) {}

  [[nodiscard]] const Facts& facts() const noexcept override { return inner_.facts(); }
  [[nodiscard]] std::size_t lane_width() const noexcept override { return inner_.lane_width(); }
  [[nodiscard]] std::unique_ptr<Memory> allocate(std::uint64_t bytes) override {
    return inner_.allocate(bytes);
  }
  [[nodiscard]] std::unique_ptr<Stream> stream() override {
    return std::make_unique<FaultyStream>(inner_.stream(), fault_);
  }

 private:
  Device& inner_;
  Fault& fault_;
};

// What is looked for here is in the comparisons, not in what the kernels touch.
constexpr const char* slow = "takes too long where each item is a thread";

/// Kernels are compiled once for all tests: a device of the processor takes seconds for it.
class SelfTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    // Not that of the stand-in for CUDA where there is another: a thread for each item is slow.
    if (!test::tried_devices().empty()) device_ = open(test::tried_devices().back());
  }
  static void TearDownTestSuite() { device_.reset(); }
  void SetUp() override {
    if (device_ == nullptr) GTEST_SKIP() << "this machine has no device";
  }

  static std::string result(Fault& fault) {
    FaultyDevice faulty(*device_, fault);
    return self_test(faulty);
  }

  static std::unique_ptr<Device> device_;
};
std::unique_ptr<Device> SelfTest::device_;

TEST_F(SelfTest, PassesOnADeviceThatIsRight) { EXPECT_EQ(self_test(*device_), ""); }

TEST_F(SelfTest, NoticesAnyKernelThatDoesNothing) {
  if (test::sanitized) GTEST_SKIP() << slow;
  const std::string text = kernel_text();
  const std::regex pattern(R"(\nKERNEL\((\w+)\))");
  std::size_t kernels = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    Fault fault;
    fault.kernel_left_out = (*it)[1];
    EXPECT_THAT(result(fault), ::testing::MatchesRegex(fault.kernel_left_out +
                                                       "( of .* levels)?: .* of .* values differ; "
                                                       "the first, number .*, is .*, expected .*"));
    ++kernels;
  }
  EXPECT_GE(kernels, 15U);
}

TEST_F(SelfTest, NoticesASingleBit) {
  if (test::sanitized) GTEST_SKIP() << slow;
  Fault none;
  ASSERT_EQ(result(none), "");
  for (int read = 0; read < none.reads; read += 5) {
    Fault fault;
    fault.read_with_a_wrong_bit = read;
    EXPECT_THAT(result(fault), ::testing::HasSubstr(": 1 of ")) << "read " << read;
  }
}

TEST_F(SelfTest, NoticesACompilerThatIsAllowedToBeInexact) {
  if (!device_->facts().name.starts_with("opencl:")) GTEST_SKIP() << "such options are OpenCL's";
  ASSERT_EQ(setenv("NAVVY_OPENCL_OPTIONS", "-cl-fast-relaxed-math -cl-denorms-are-zero", 1), 0);
  const auto inexact = open(device_->facts().name);
  const std::string line = self_test(*inexact);
  unsetenv("NAVVY_OPENCL_OPTIONS");
  EXPECT_THAT(line, ::testing::HasSubstr("values differ"));
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace navvy::devices
