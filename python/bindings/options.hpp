// What a call from Python asks for.
#pragma once

#include <string>

#include "navvy/options.hpp"

namespace navvy::python {

/// The options of a search, and who computes.
struct Options : SearchOptions {
  std::string device;  ///< empty: what the environment names, else the processor
};

}  // namespace navvy::python
