#pragma once

#include <cstddef>

#include "backends/lane_tables.hpp"
#include "backends/nearest.hpp"
#include "backends/row_blocks.hpp"

namespace navvy::backends {

/// Phases 2 and 3: writes the cost of moving each row of one block into each query of a table,
/// costs[row of the block * lanes + lane]. `scratch` has room for as many floats.
void block_costs(const RowBlocks& rows, std::size_t block, const LaneTables& tables, float* costs,
                 float* scratch);

/// For ict, after block_costs: finds the pairs whose mass overflows the last level of the tables
/// and charges all of their levels. Lane l is query `first_query + l` of `queries`.
void finish_costs(const RowBlocks& rows, std::size_t block, const LaneTables& tables,
                  const Histograms& queries, std::size_t first_query, Nearest& nearest,
                  float* costs, float* scratch);

}  // namespace navvy::backends
