// The backend that computes on the processor's cores.
#pragma once

#include "backends/backend.hpp"

namespace navvy::backends {

/// "cpu".
const Backend& cpu_backend();

/// "cpu-uncached": without the ground distances that "cpu" keeps sorted for small supports where
/// the budget allows. The same bits, more slowly.
const Backend& uncached_cpu_backend();

}  // namespace navvy::backends
