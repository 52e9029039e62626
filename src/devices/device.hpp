// Devices with memory and kernels of their own behind one small interface: OpenCL and CUDA, found
// and loaded when they are asked for, so that a machine without either needs nothing.
//
// Errors are navvy::Error with one line that names the device: usage where there is no such device,
// limit where its memory is full, failed for everything else that a driver may say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace navvy::devices {

/// What a driver tells of a device.
struct Facts {
  std::string name;      ///< "opencl:0", "cuda:1"
  std::string hardware;  ///< what is printed on the box
  std::string driver;    ///< platform and version
  std::uint64_t memory = 0;
  std::uint64_t largest_buffer = 0;  ///< no piece of memory may be larger
  std::size_t largest_group = 0;     ///< items that can work together
  bool is_gpu = false;               ///< otherwise the processor itself, or an accelerator
  bool has_doubles = false;
};

/// A piece of a device's memory; freed when it dies.
class Memory {
 public:
  virtual ~Memory() = default;
  [[nodiscard]] virtual std::uint64_t bytes() const noexcept = 0;
};

/// What a kernel is called with, in the order of its parameters.
using Argument = std::variant<const Memory*, std::uint32_t, std::uint64_t, float, double>;

/// How many groups of how many items; items of a group are a power of two.
struct Grid {
  std::size_t groups = 1;
  std::size_t groups_y = 1;
  std::size_t items = 1;
};

/// A kernel of the embedded text. `levels`: for which number of levels it is compiled, one of
/// kernel_levels, or 0 for kernels that know none.
struct Kernel {
  const char* name;
  int levels = 0;
};
inline constexpr int kernel_levels[] = {1, 2, 4, 8, 16};

/// Work on a device in the order in which it is asked for. For one thread at a time; several
/// streams of a device may be used at once.
class Stream {
 public:
  virtual ~Stream() = default;

  /// Copies from the caller's memory, which may be used again at once.
  virtual void write(Memory& to, std::uint64_t offset, const void* from, std::uint64_t bytes) = 0;
  /// Waits for all that was asked for before, then copies to the caller's memory.
  virtual void read(const Memory& from, std::uint64_t offset, void* to, std::uint64_t bytes) = 0;
  /// Sets each 32-bit word of a piece of memory.
  virtual void fill(Memory& to, std::uint32_t word) = 0;
  virtual void launch(const Kernel& kernel, const Grid& grid,
                      std::span<const Argument> arguments) = 0;
  /// Waits for all that was asked for, and throws what went wrong there.
  virtual void finish() = 0;
};

/// A device that was opened: for any number of threads. A process that was forked after this cannot
/// use it: drivers do not survive a fork, so every call throws there.
class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const Facts& facts() const noexcept = 0;
  /// Lanes that an item takes together in kernels over many queries: what suits the hardware.
  [[nodiscard]] virtual std::size_t lane_width() const noexcept = 0;
  [[nodiscard]] virtual std::unique_ptr<Memory> allocate(std::uint64_t bytes) = 0;
  [[nodiscard]] virtual std::unique_ptr<Stream> stream() = 0;
};

/// All devices that drivers tell of, CUDA's first. None where there is no driver.
std::vector<Facts> list();

/// Throws Error(usage) that names the devices that exist where this is none of them.
void check_name(std::string_view name);

/// The device of a name, which check_name() lets pass; without a test of what it computes.
std::unique_ptr<Device> open(std::string_view name);

}  // namespace navvy::devices
