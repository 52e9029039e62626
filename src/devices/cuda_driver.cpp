// Loads NVIDIA's driver and finds its functions.
#include "devices/cuda_driver.hpp"

#include <optional>

#include "devices/library.hpp"
#include "devices/owner.hpp"

namespace navvy::devices::cuda {
namespace {

bool find_devices(const Library& library, Driver& driver) {
  return library.find("cuInit", driver.init) &&
         library.find("cuDriverGetVersion", driver.version) &&
         library.find("cuDeviceGetCount", driver.count) &&
         library.find("cuDeviceGet", driver.device) &&
         library.find("cuDeviceGetName", driver.name) &&
         library.find("cuDeviceTotalMem_v2", driver.total_memory) &&
         library.find("cuDeviceGetAttribute", driver.attribute) &&
         library.find("cuGetErrorName", driver.error_name) &&
         library.find("cuGetErrorString", driver.error_text) &&
         library.find("cuDevicePrimaryCtxRetain", driver.retain_context) &&
         library.find("cuDevicePrimaryCtxRelease_v2", driver.release_context) &&
         library.find("cuCtxPushCurrent_v2", driver.push_context) &&
         library.find("cuCtxPopCurrent_v2", driver.pop_context);
}

bool find_work(const Library& library, Driver& driver) {
  return library.find("cuMemAlloc_v2", driver.allocate) &&
         library.find("cuMemFree_v2", driver.free) &&
         library.find("cuMemcpyHtoDAsync_v2", driver.write) &&
         library.find("cuMemcpyDtoHAsync_v2", driver.read) &&
         library.find("cuMemsetD32Async", driver.fill) &&
         library.find("cuStreamCreate", driver.make_stream) &&
         library.find("cuStreamDestroy_v2", driver.destroy_stream) &&
         library.find("cuStreamSynchronize", driver.finish) &&
         library.find("cuModuleLoadDataEx", driver.load) &&
         library.find("cuModuleUnload", driver.unload) &&
         library.find("cuModuleGetFunction", driver.function) &&
         library.find("cuLaunchKernel", driver.launch);
}

std::optional<Driver> loaded() {
  const Library library("libcuda.so.1");
  Driver driver{};
  if (!library.is_loaded() || !find_devices(library, driver) || !find_work(library, driver) ||
      driver.init(0) != success) {
    return std::nullopt;
  }
  return driver;
}

}  // namespace

const Driver* driver() {
  static const Owner owner;
  static const std::optional<Driver> found = loaded();
  if (!found) return nullptr;
  owner.check("cuda");
  return &*found;
}

std::string text_of(const Driver& driver, Result result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (driver.error_name(result, &name) != success || name == nullptr) {
    return "error " + std::to_string(result);
  }
  if (driver.error_text(result, &text) != success || text == nullptr) return name;
  return std::string(text) + " (" + name + ")";
}

}  // namespace navvy::devices::cuda
