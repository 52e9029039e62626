// Which library this is, and which of its kernels run here.
#pragma once

#include <string>
#include <vector>

namespace navvy {

/// The name of the kernels that the processor computes with by default ("avx512", "avx2",
/// "baseline"): the fastest, or those that the environment variable NAVVY_KERNELS names. Throws
/// Error(usage) if that names none that runs here.
std::string kernels_in_use();

/// Who computes where nobody else is named: the processor with the kernels in use, "cpu:avx2" for
/// instance, unless the environment variable NAVVY_DEVICE names a device, as device_backend() takes
/// it. Throws Error(usage) if that names none that exists.
std::string default_backend();

/// The names of all kernels that this machine can run, fastest first.
std::vector<std::string> available_kernels();

/// The library's version, such as "0.1.0".
std::string version();

}  // namespace navvy
