// Where the test of a device puts its data and compares what comes back.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "devices/device.hpp"

namespace navvy::devices {

class TestBench {
 public:
  explicit TestBench(Device& device) : device_(device), stream_(device.stream()) {}

  [[nodiscard]] const Device& device() const noexcept { return device_; }

  /// A copy on the device.
  template <class Value>
  Memory* put(const std::vector<Value>& values) {
    Memory* to = take(values.size() * sizeof(Value));
    stream_->write(*to, 0, values.data(), values.size() * sizeof(Value));
    return to;
  }

  /// Room for so many values, each 32-bit word of it set: by default to what no kernel writes.
  template <class Value>
  Memory* room(std::size_t count, std::uint32_t word = 0x7fc0dead) {
    Memory* to = take(count * sizeof(Value));
    stream_->fill(*to, word);
    return to;
  }

  /// Groups of so many items at most, as far as the device can have them.
  [[nodiscard]] std::size_t items(std::size_t most) const noexcept {
    return std::bit_floor(std::min(most, device_.facts().largest_group));
  }

  /// Nothing after a failure: kernels trust what others have made.
  void run(const Kernel& kernel, const Grid& grid, std::initializer_list<Argument> arguments) {
    if (!failure_.empty()) return;
    stream_->launch(kernel, grid, {arguments.begin(), arguments.size()});
  }

  template <class Value>
  std::vector<Value> read(const Memory* from, std::size_t count) {
    std::vector<Value> values(count);
    stream_->read(*from, 0, values.data(), count * sizeof(Value));
    return values;
  }

  /// Remembers the first kernel whose values differ from those expected.
  template <class Value>
  void expect(const Kernel& kernel, const Memory* found, const std::vector<Value>& expected) {
    compare(kernel, read<Value>(found, expected.size()), expected);
  }

  /// The same for results that are only near: within an error relative to what is expected.
  void expect_near(const Kernel& kernel, const Memory* found, const std::vector<double>& expected,
                   double error) {
    auto values = read<double>(found, expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::abs(values[i] - expected[i]) <= error * std::abs(expected[i]))
        values[i] = expected[i];
    compare(kernel, values, expected);
  }

  template <class Value>
  void compare(const Kernel& kernel, const std::vector<Value>& found,
               const std::vector<Value>& expected) {
    std::size_t differ = 0;
    std::size_t first = 0;
    for (std::size_t i = expected.size(); i-- > 0;)
      if (bits_of(found[i]) != bits_of(expected[i])) {
        first = i;
        ++differ;
      }
    if (differ == 0 || !failure_.empty()) return;
    failure_ = std::string(kernel.name);
    if (kernel.levels > 0) failure_ += " of " + std::to_string(kernel.levels) + " levels";
    failure_ += ": " + std::to_string(differ) + " of " + std::to_string(expected.size()) +
                " values differ; the first, number " + std::to_string(first) + ", is " +
                text_of(found[first]) + ", expected " + text_of(expected[first]);
  }

  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }

 private:
  Memory* take(std::size_t bytes) {
    kept_.push_back(device_.allocate(bytes));
    return kept_.back().get();
  }

  template <class Value>
  static auto bits_of(Value value) {
    using Bits = std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<Bits>(value);
  }

  // With as many digits as it takes to tell it from its neighbours.
  template <class Value>
  static std::string text_of(Value value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
  }

  Device& device_;
  std::vector<std::unique_ptr<Memory>> kept_;
  std::unique_ptr<Stream> stream_;
  std::string failure_;
};

}  // namespace navvy::devices
