#include "navvy/devices.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bind.hpp"
#include "unlocked.hpp"

namespace navvy::python {
namespace nb = nanobind;
namespace {

nb::list devices() {
  nb::list result;
  for (const Device& device : unlocked([] { return list_devices(); })) {
    nb::dict entry;
    entry["name"] = device.name;
    entry["hardware"] = device.hardware;
    entry["driver"] = device.driver;
    entry["memory"] = device.memory;
    entry["gpu"] = device.gpu;
    entry["doubles"] = device.doubles;
    result.append(entry);
  }
  return result;
}

nb::tuple test(const std::string& name) {
  const DeviceTest done = unlocked([&] { return test_device(name); });
  return nb::make_tuple(done.failure, done.seconds);
}

}  // namespace

void bind_devices(nb::module_& module) {
  module.def("devices", &devices);
  module.def("test_device", &test);
}

}  // namespace navvy::python
