// One caller's work on one device: a stream, memory that is charged to a budget, and launches.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "backends/device/work_count.hpp"
#include "core/budget.hpp"
#include "devices/device.hpp"

namespace navvy::backends {

/// Memory of a device for plain values, charged to a budget for as long as it lives.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(std::size_t size, core::Reservation reserved,
               std::unique_ptr<devices::Memory> memory)
      : reserved_(std::move(reserved)), memory_(std::move(memory)), size_(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] devices::Memory& memory() const noexcept { return *memory_; }

  /// As an argument of a kernel.
  [[nodiscard]] const devices::Memory* argument() const noexcept { return memory_.get(); }

 private:
  core::Reservation reserved_;  // dies after the memory
  std::unique_ptr<devices::Memory> memory_;
  std::size_t size_ = 0;
};

/// A stream of a device with the budget of a call on it. For one thread at a time.
class OnDevice {
 public:
  OnDevice(devices::Device& device, const core::Budget& budget)
      : device_(device),
        budget_(budget),
        stream_(device.stream()),
        tally_(work_tally(device.facts().name)) {}

  [[nodiscard]] const devices::Facts& facts() const noexcept { return device_.facts(); }
  [[nodiscard]] const core::Budget& budget() const noexcept { return budget_; }
  [[nodiscard]] devices::Stream& stream() noexcept { return *stream_; }
  [[nodiscard]] std::size_t lane_width() const noexcept { return device_.lane_width(); }

  /// Bytes that one buffer may have now.
  [[nodiscard]] std::uint64_t room() const noexcept;

  /// Items of a group, a power of two: as many as wanted where the device can.
  [[nodiscard]] std::size_t items(std::size_t wanted) const noexcept;

  /// Uninitialised memory. Throws Error(limit) where the budget or the device has none left.
  template <class T>
  [[nodiscard]] DeviceBuffer<T> buffer(std::size_t size, std::string_view what) {
    core::Reservation reserved = reserve(std::uint64_t{size} * sizeof(T), what);
    return {size, std::move(reserved), device_.allocate(std::uint64_t{size} * sizeof(T))};
  }

  /// Grows a buffer, without keeping its contents; never shrinks it.
  template <class T>
  void require(DeviceBuffer<T>& buffer, std::size_t size, std::string_view what) {
    if (size <= buffer.size()) return;
    buffer = DeviceBuffer<T>();  // so that old and new are never there at once
    buffer = this->buffer<T>(size, what);
  }

  template <class T>
  void write(DeviceBuffer<T>& to, std::span<const T> from, std::size_t first = 0) {
    start_clock();
    stream_->write(to.memory(), first * sizeof(T), from.data(), from.size_bytes());
    count(Phase::copies, copy_work(from.size_bytes()));
  }

  template <class T>
  void read(const DeviceBuffer<T>& from, std::size_t first, std::span<T> to) {
    start_clock();
    stream_->read(from.memory(), first * sizeof(T), to.data(), to.size_bytes());
    count(Phase::copies, copy_work(to.size_bytes()));
  }

  /// A buffer with these values.
  template <class T>
  [[nodiscard]] DeviceBuffer<T> copy(std::span<const T> values, std::string_view what) {
    DeviceBuffer<T> made = buffer<T>(values.size(), what);
    write(made, values);
    return made;
  }

  template <class... Arguments>
  void launch(const devices::Kernel& kernel, const devices::Grid& grid,
              const Arguments&... arguments) {
    const devices::Argument all[] = {as_argument(arguments)...};
    start_clock();
    stream_->launch(kernel, grid, all);
  }

  /// A launch with one item for each of `count`.
  template <class... Arguments>
  void launch_each(const devices::Kernel& kernel, std::size_t count, std::size_t rows,
                   const Arguments&... arguments) {
    const std::size_t together = items(usual_items);
    launch(kernel, {(count + together - 1) / together, rows, together}, arguments...);
  }

  /// What the launches since the last count have to do. Where phases are timed, waits for them.
  void count(Phase phase, const Work& work);

  static constexpr std::size_t usual_items = 64;

 private:
  [[nodiscard]] core::Reservation reserve(std::uint64_t bytes, std::string_view what) const;

  // Of what is counted next: since its first launch.
  void start_clock() {
    if (tally_.is_timed() && !started_) started_ = std::chrono::steady_clock::now();
  }

  template <class T>
  static devices::Argument as_argument(const DeviceBuffer<T>& buffer) {
    return buffer.argument();
  }
  static devices::Argument as_argument(std::uint32_t value) { return value; }
  static devices::Argument as_argument(std::uint64_t value) { return value; }
  static devices::Argument as_argument(float value) { return value; }
  static devices::Argument as_argument(double value) { return value; }

  devices::Device& device_;
  core::Budget budget_;
  std::unique_ptr<devices::Stream> stream_;
  WorkTally& tally_;
  std::optional<std::chrono::steady_clock::time_point> started_;
};

/// Numbers of kernels have 32 bits: checked where rows are made ready.
inline std::uint32_t number(std::size_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace navvy::backends
