// The names by which kernels of this processor are chosen.
#pragma once

#include <string>
#include <string_view>

#include "kernels/kernels.hpp"

namespace navvy::backends {

/// What stands before the name of kernels in the name of a backend: "cpu:avx2".
inline constexpr std::string_view cpu_prefix = "cpu:";

/// The name of the processor's backend with these kernels.
std::string cpu_name(const kernels::KernelTable& kernels);

/// That of the kernels in use.
std::string default_cpu();

}  // namespace navvy::backends
