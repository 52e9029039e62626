// Devices that NVIDIA's driver tells of, through its own interface: containers often have it where
// they have no OpenCL.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "devices/device.hpp"

namespace navvy::devices {

/// All of them; none where there is no driver.
std::vector<Facts> list_cuda();

/// The one of that number, which must exist.
std::unique_ptr<Device> open_cuda(std::size_t number);

}  // namespace navvy::devices
