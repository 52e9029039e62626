// Devices that OpenCL drivers tell of.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "devices/device.hpp"

namespace navvy::devices {

/// All of them, numbered over all platforms in the order of the drivers; none where there is no
/// OpenCL.
std::vector<Facts> list_opencl();

/// The one of that number, which must exist.
std::unique_ptr<Device> open_opencl(std::size_t number);

}  // namespace navvy::devices
