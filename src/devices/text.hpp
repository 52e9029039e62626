// The kernels as they stand in src/devices/text, which the binary carries.
#pragma once

#include <string>

namespace navvy::devices {

/// All parts in the order in which they are compiled.
std::string kernel_text();

}  // namespace navvy::devices
