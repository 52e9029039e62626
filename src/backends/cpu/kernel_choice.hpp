// Which kernels are used.
#pragma once

#include "kernels/kernels.hpp"

namespace navvy::backends {

/// The kernels to use: those that the environment variable NAVVY_KERNELS names, else the fastest.
/// Throws Error(usage) if it names none that this machine can run.
const kernels::KernelTable& active_kernels();

}  // namespace navvy::backends
