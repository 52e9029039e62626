// Devices as the public API shows them, and who computes where none is named.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/backend.hpp"
#include "backends/cpu/kernel_choice.hpp"
#include "backends/device/work_count.hpp"
#include "devices/device.hpp"
#include "devices/self_test.hpp"
#include "navvy/devices.hpp"
#include "navvy/error.hpp"
#include "navvy/version.hpp"

namespace navvy {
namespace {

std::string find_first_gpu() {
  const std::vector<devices::Facts> all = devices::list();
  const auto gpu = std::ranges::find_if(all, &devices::Facts::is_gpu);
  if (gpu != all.end()) return gpu->name;
  std::string others;
  for (const devices::Facts& facts : all) others += ", " + facts.name;
  throw Error(ErrorCode::usage, "there is no GPU on this machine; expected cpu" + others);
}

// Found once: what a machine has does not change while a process runs.
const std::string& first_gpu() {
  static const std::string name = find_first_gpu();
  return name;
}

}  // namespace

std::vector<Device> list_devices() {
  std::vector<Device> all;
  for (devices::Facts& facts : devices::list())
    all.push_back({std::move(facts.name), std::move(facts.hardware), std::move(facts.driver),
                   facts.memory, facts.is_gpu, facts.has_doubles});
  return all;
}

DeviceTest test_device(const std::string& name) {
  try {
    const std::unique_ptr<devices::Device> device = devices::open(name);
    if (std::string failure = devices::self_test(*device); !failure.empty()) return {failure};
    const auto start = std::chrono::steady_clock::now();
    std::string failure = devices::self_test(*device);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    return {failure, failure.empty() ? taken.count() : 0};
  } catch (const Error& error) {
    if (error.code() == ErrorCode::usage) throw;
    return {error.what()};
  }
}

std::vector<DevicePhase> device_work(const std::string& name) {
  constexpr const char* names[] = {"ground distances", "nearest bins", "row costs", "query costs",
                                   "both directions",  "lists",        "sinkhorn",  "copies"};
  static_assert(std::size(names) == backends::phases);
  std::vector<DevicePhase> all;
  for (std::size_t phase = 0; phase < backends::phases; ++phase) {
    const auto sum = backends::work_tally(name).sum(static_cast<backends::Phase>(phase));
    all.push_back({names[phase], sum.launches, sum.work.bytes, sum.work.least, sum.work.operations,
                   sum.seconds});
  }
  return all;
}

void reset_device_work(const std::string& name) { backends::work_tally(name).reset(); }

void time_device_work(const std::string& name, bool timed) {
  backends::work_tally(name).set_timed(timed);
}

std::string device_backend(const std::string& device) {
  if (device.empty()) return default_backend();
  if (device == "cpu") return backends::default_cpu();
  return device == "gpu" ? first_gpu() : device;
}

std::string default_backend() {
  const char* device = std::getenv("NAVVY_DEVICE");
  if (device == nullptr || *device == '\0') return backends::default_cpu();
  try {
    const std::string name = device_backend(device);
    return std::string(backends::find_backend(name).name());
  } catch (const Error& error) {
    throw Error(error.code(), std::string("NAVVY_DEVICE: ") + error.what());
  }
}

}  // namespace navvy
