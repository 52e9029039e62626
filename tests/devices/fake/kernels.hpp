// The kernel text, compiled as plain C++, by name.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace fake {

/// Whether an address is that of a piece of the device's memory.
using IsMemory = std::function<bool(std::uint64_t)>;

/// Takes what cuLaunchKernel takes, pointers to the values; returns the call for one item, or none
/// where a pointer leads nowhere.
using Binder = std::function<std::function<void()>(void** arguments, const IsMemory&)>;

/// By number of levels and name.
const std::map<std::pair<int, std::string>, Binder>& kernels();

}  // namespace fake
