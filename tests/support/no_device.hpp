// A device that does nothing: whoever plans and launches does so as always, and what is counted on
// the way can be looked at, for any card and in no time.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "backends/device/device_pairs.hpp"
#include "devices/device.hpp"
#include "navvy/devices.hpp"
#include "navvy/error.hpp"
#include "navvy/index.hpp"

namespace navvy::test {

class NoMemory : public devices::Memory {
 public:
  explicit NoMemory(std::uint64_t bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return bytes_; }

 private:
  std::uint64_t bytes_;
};

class NoStream : public devices::Stream {
 public:
  void write(devices::Memory&, std::uint64_t, const void*, std::uint64_t) override {}
  // Lists that nothing has entered.
  void read(const devices::Memory&, std::uint64_t, void* to, std::uint64_t bytes) override {
    std::memset(to, 0xff, bytes);
  }
  void fill(devices::Memory&, std::uint32_t) override {}
  void launch(const devices::Kernel&, const devices::Grid&,
              std::span<const devices::Argument>) override {}
  void finish() override {}
};

class NoDevice : public devices::Device {
 public:
  NoDevice(devices::Facts facts, std::size_t width) : facts_(std::move(facts)), width_(width) {}
  [[nodiscard]] const devices::Facts& facts() const noexcept override { return facts_; }
  [[nodiscard]] std::size_t lane_width() const noexcept override { return width_; }
  [[nodiscard]] std::unique_ptr<devices::Memory> allocate(std::uint64_t bytes) override {
    return std::make_unique<NoMemory>(bytes);
  }
  [[nodiscard]] std::unique_ptr<devices::Stream> stream() override {
    return std::make_unique<NoStream>();
  }

 private:
  devices::Facts facts_;
  std::size_t width_;
};

/// What all pairs of an index ask of a device with these facts, whose name they are counted under.
inline std::vector<DevicePhase> all_pairs_work(const Index& index, const Measure& measure,
                                               std::size_t length, const devices::Facts& facts,
                                               std::size_t width) {
  using namespace backends;
  reset_device_work(facts.name);
  NoDevice device(facts, width);
  ProgressCallback nobody;
  core::Monitor monitor(nobody);
  core::Workspaces workspaces;
  Run run(1, std::uint64_t{16} << 30U, monitor, workspaces);
  std::vector<std::uint8_t> empty;
  for (std::size_t row = 0; row < index.rows.size(); ++row)
    empty.push_back(is_empty(index.rows[row]) ? 1 : 0);
  std::vector<std::unique_ptr<const DeviceRows>> rows;
  rows.push_back(std::make_unique<const DeviceRows>(device, RowSet{index.vocabulary, index.rows},
                                                    std::numeric_limits<double>::infinity(), 0));
  const auto stage = device_pairs(rows, empty, {measure}, length, run);
  if (!stage) throw Error(ErrorCode::limit, facts.name + ": has no room for all pairs");
  CandidateLists lists(index.rows.size(), length, run);
  stage->list({0, stage->units()}, lists, run);
  return device_work(facts.name);
}

}  // namespace navvy::test
