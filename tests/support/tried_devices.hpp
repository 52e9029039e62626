// Which devices tests compute on.
#pragma once

#include <string>
#include <vector>

#include "devices/device.hpp"
#include "support/effort.hpp"

namespace navvy::test {

/// The first device of each driver. What drivers bring along is not for sanitizers, but for the
/// stand-in of tests/devices, which runs the text of the kernels as plain C++.
inline const std::vector<std::string>& tried_devices() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const devices::Facts& facts : devices::list())
      if (facts.name == "cuda:0" || (facts.name == "opencl:0" && !sanitized))
        found.push_back(facts.name);
    return found;
  }();
  return names;
}

}  // namespace navvy::test
