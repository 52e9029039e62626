// Which library this is, and which of its kernels run here.
#pragma once

#include <string>
#include <vector>

namespace navvy {

/// The name of the kernels in use ("avx512", "avx2", "baseline"), chosen by the machine or by the
/// environment variable NAVVY_KERNELS. Throws Error(usage) if that names none that runs here.
std::string kernels_in_use();

/// The names of all kernels that this machine can run, fastest first.
std::vector<std::string> available_kernels();

/// The library's version, such as "0.1.0".
std::string version();

}  // namespace navvy
