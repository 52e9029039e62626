// Whether a device computes what its kernels say, to the bit.
#pragma once

#include <string>

#include "devices/device.hpp"

namespace navvy::devices {

/// Runs every kernel on made-up histograms and compares with plain loops of the processor. Empty
/// where all bits are equal, those of Sinkhorn's near; otherwise one line with the kernel, how many
/// values differ and the first of them. Kernels in double are left out where a device has none.
/// Throws what the device throws.
std::string self_test(Device& device);

}  // namespace navvy::devices
