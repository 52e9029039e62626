// Devices as documents, and the names by which answers say who computed them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "navvy/devices.hpp"

namespace navvy::app {

/// What users call a backend: kernels of the processor are "cpu", devices have their own names.
std::string device_name(const std::string& backend);

/// A device with what its test says.
struct TestedDevice {
  Device device;
  DeviceTest test;
};

/// All devices of the machine, each tested.
std::vector<TestedDevice> tested_devices();

/// Those of a backend such as "opencl:0,opencl:1", in this order, each tested. Throws Error(usage)
/// where one does not exist.
std::vector<TestedDevice> tested_devices(const std::string& backend);

/// A list with an entry per device.
Json devices_json(std::span<const TestedDevice> devices);

/// The document of all devices.
Json devices_document(std::span<const TestedDevice> devices);

}  // namespace navvy::app
