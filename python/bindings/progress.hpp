#pragma once

#include <nanobind/nanobind.h>

#include "navvy/progress.hpp"

namespace navvy::python {

/// Lets Python look for Ctrl-C and tells `callable`, where it is not None, (phase, done, total).
/// What either raises stops the work and stays set as the error of the calling thread.
ProgressCallback progress_callback(nanobind::object callable);

}  // namespace navvy::python
