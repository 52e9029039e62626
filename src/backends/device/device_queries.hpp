// A few queries against all rows on devices.
#pragma once

#include <cstddef>
#include <memory>

#include "backends/backend.hpp"
#include "backends/device/device_pairs.hpp"

namespace navvy::backends {

/// For measures that devices compute; several devices share out the queries of a block.
std::unique_ptr<QueryBlock> device_queries(DeviceRowsList devices, const Task& task,
                                           std::size_t queries, Run& run);

}  // namespace navvy::backends
