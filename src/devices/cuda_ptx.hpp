// The kernels as CUDA's driver reads them, which the binary carries.
#pragma once

#include <string>

namespace navvy::devices::cuda {

/// The PTX for one of kernel_levels, or 0: what tools/make_ptx.py made of the text.
std::string ptx(int levels);

}  // namespace navvy::devices::cuda
