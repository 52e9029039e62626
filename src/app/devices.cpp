// Tests devices one after the other and writes down what came of it.
#include "app/devices.hpp"

#include <algorithm>
#include <utility>

#include "navvy/error.hpp"
#include "navvy/version.hpp"

namespace navvy::app {

std::string device_name(const std::string& backend) {
  return backend.starts_with("cpu:") ? "cpu" : backend;
}

std::vector<TestedDevice> tested_devices() {
  std::vector<TestedDevice> tested;
  for (Device& device : list_devices()) {
    DeviceTest test = test_device(device.name);
    tested.push_back({std::move(device), std::move(test)});
  }
  return tested;
}

std::vector<TestedDevice> tested_devices(const std::string& backend) {
  const std::vector<Device> all = list_devices();
  std::vector<TestedDevice> tested;
  for (std::size_t begin = 0; begin <= backend.size();) {
    const std::size_t end = std::min(backend.find(',', begin), backend.size());
    const std::string name = backend.substr(begin, end - begin);
    DeviceTest test = test_device(name);
    const auto found = std::ranges::find(all, name, &Device::name);
    if (found == all.end()) throw Error(ErrorCode::failed, name + ": is no longer there");
    tested.push_back({*found, std::move(test)});
    begin = end + 1;
  }
  return tested;
}

Json devices_json(std::span<const TestedDevice> devices) {
  Json list = Json::array();
  for (const auto& [device, test] : devices) {
    Json entry{{"name", device.name},     {"hardware", device.hardware},
               {"driver", device.driver}, {"memory", device.memory},
               {"gpu", device.gpu},       {"doubles", device.doubles}};
    const bool passed = test.failure.empty();
    entry["self_test"] = {{"passed", passed},
                          {"failure", passed ? Json() : Json(test.failure)},
                          {"seconds", passed ? Json(test.seconds) : Json()}};
    list.push_back(std::move(entry));
  }
  return list;
}

Json devices_document(std::span<const TestedDevice> devices) {
  Json document = json_document();
  document["version"] = version();
  document["devices"] = devices_json(devices);
  return document;
}

}  // namespace navvy::app
