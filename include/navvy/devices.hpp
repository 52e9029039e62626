// Devices that compute beside the processor: which there are, whether they compute right, and how
// they are named.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace navvy {

/// What a driver tells of a device.
struct Device {
  std::string name;          ///< "cuda:0", "opencl:1": what Searcher takes as backend
  std::string hardware;      ///< what is printed on the box
  std::string driver;        ///< who speaks for it, with version
  std::uint64_t memory = 0;  ///< of its own, in bytes
  bool gpu = false;          ///< otherwise the processor by way of a driver, or an accelerator
  bool doubles = false;      ///< bow and wcd need these
};

/// All devices that drivers tell of, CUDA's first. Opens none; empty where there is no driver.
std::vector<Device> list_devices();

/// How a test of a device went.
struct DeviceTest {
  std::string failure;  ///< what was wrong, in one line; empty: nothing
  double seconds = 0;   ///< of the second time, when the kernels are made; 0 where it failed
};

/// Opens a device and compares what it computes with the processor, to the bit. Throws Error(usage)
/// where there is no device of this name; whatever else goes wrong is a failure of the test.
DeviceTest test_device(const std::string& name);

/// What a device was asked to do in one phase of the work, counted from the sizes that kernels are
/// launched with.
struct DevicePhase {
  std::string name;  ///< "ground distances", "nearest bins", "row costs", ...
  std::uint64_t launches = 0;
  std::uint64_t bytes = 0;        ///< moved, each value as often as it is used
  std::uint64_t least_bytes = 0;  ///< the same with each value once a launch: perfect caches
  std::uint64_t operations = 0;   ///< of floating-point numbers; fused ones count 2
  double seconds = 0;             ///< 0 unless phases are timed
};

/// What this process asked of a device since it was opened or reset, in the order of the phases.
std::vector<DevicePhase> device_work(const std::string& name);
void reset_device_work(const std::string& name);

/// From now on phases have seconds. Every launch is waited for, so that the whole takes longer.
void time_device_work(const std::string& name, bool timed);

/// The backend that computes where a user names a device: "cpu" is the processor whatever the
/// environment says, "gpu" the first GPU (CUDA's first), and "" is default_backend(). All other
/// names stay as they are, lists such as "opencl:0,opencl:1" among them; whether they exist is seen
/// by who uses them. Throws Error(usage) where a GPU is asked for and there is none.
std::string device_backend(const std::string& device);

}  // namespace navvy
