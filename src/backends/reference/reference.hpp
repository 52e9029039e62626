// The backend that is slow and plain: what the others are held to.
#pragma once

#include "backends/backend.hpp"

namespace navvy::backends {

/// Every distance pair by pair in double, as the paper prints it; "reference" by name.
const Backend& reference_backend();

}  // namespace navvy::backends
