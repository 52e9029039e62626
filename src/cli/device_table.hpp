// Devices as a table for people.
#pragma once

#include <span>

#include "app/devices.hpp"

namespace navvy::cli {

/// To stdout; what went wrong with a device stands below its line.
void print_device_table(std::span<const app::TestedDevice> devices);

}  // namespace navvy::cli
