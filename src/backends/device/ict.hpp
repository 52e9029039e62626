// ict where devices bound it: the levels of their tables are a lower bound of all levels.
#pragma once

#include <memory>

#include "backends/backend.hpp"
#include "backends/cpu/queries/query_against_rows.hpp"
#include "backends/device/device_pairs.hpp"

namespace navvy::backends {

/// Bounds come from the devices, which move all rows into the queries of a block; the distances of
/// what is left come from the processor, pair by pair.
std::unique_ptr<QueryBlock> ict_queries(DeviceRowsList devices,
                                        std::unique_ptr<QueryAgainstRows> pairs,
                                        Direction direction, std::size_t queries, Run& run);

}  // namespace navvy::backends
