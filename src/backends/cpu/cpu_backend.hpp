// The backend that computes on the processor's cores.
#pragma once

#include <memory>
#include <span>

#include "backends/backend.hpp"

namespace navvy::backends {

/// "cpu", with the fastest kernels; "cpu-uncached", the same without the ground distances that are
/// kept sorted for small supports where the budget allows, more slowly; and one for each set of
/// kernels that runs here, such as "cpu:avx2". All give the same bits.
std::span<const std::unique_ptr<const Backend>> cpu_backends();

}  // namespace navvy::backends
