// Backends that compute on devices, by the names of these.
#pragma once

#include <string_view>

#include "backends/backend.hpp"

namespace navvy::backends {

/// Whether a name speaks of devices: "opencl:0", "cuda:1", "gpu", or several with commas between.
bool is_device_name(std::string_view name) noexcept;

/// The backend that shares its work out over the devices of a name. Devices are opened and tested
/// when rows are first made ready, and stay open. Throws Error(usage) where one does not exist.
const Backend& device_backend(std::string_view name);

}  // namespace navvy::backends
