// Memory and launches of one device, and a book of what was launched and what was wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "devices/device.hpp"

namespace navvy::test {

using devices::Argument;
using Held = std::unique_ptr<devices::Memory>;

class KernelBench {
 public:
  /// `shortened`: a test of the tests, buffers of results lack so many bytes at their end.
  KernelBench(devices::Device& device, std::uint64_t shortened)
      : device_(device),
        stream_(device.stream()),
        shortened_(shortened),
        items_(std::min<std::size_t>(device.facts().largest_group, 8)) {}

  /// Names of kernels whose results are not those of plain loops.
  std::vector<std::string> wrong;
  /// Names of all that were launched.
  std::set<std::string> launched;

 protected:
  template <class Value>
  Held upload(const std::vector<Value>& values) {
    Held memory = device_.allocate(values.size() * sizeof(Value));
    stream_->write(*memory, 0, values.data(), memory->bytes());
    return memory;
  }
  Held make(std::uint64_t bytes, std::uint32_t word = 0) {
    Held memory = device_.allocate(bytes - shortened_);
    stream_->fill(*memory, word);
    return memory;
  }
  template <class Value>
  std::vector<Value> download(const Held& memory) {
    std::vector<Value> values((memory->bytes() + shortened_) / sizeof(Value));
    stream_->read(*memory, 0, values.data(), memory->bytes());
    return values;
  }

  void launch(const char* name, int levels, std::size_t groups, std::size_t groups_y,
              const std::vector<Argument>& arguments) {
    launched.insert(name);
    stream_->launch({name, levels}, {groups, groups_y, items_}, arguments);
  }
  [[nodiscard]] std::size_t groups_for(std::size_t count) const {
    return (count + items_ - 1) / items_;
  }
  void expect(const char* name, bool right) {
    if (!right) wrong.emplace_back(name);
  }

  // Memory that is kept until the end of a test.
  template <class Value>
  const devices::Memory* upload_kept(const std::vector<Value>& values) {
    kept_.push_back(upload(values));
    return kept_.back().get();
  }

  devices::Device& device_;
  std::unique_ptr<devices::Stream> stream_;
  std::uint64_t shortened_;
  std::size_t items_;
  std::vector<Held> kept_;
};

}  // namespace navvy::test
