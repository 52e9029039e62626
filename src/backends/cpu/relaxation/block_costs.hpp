// Phases 2 and 3 for a block of rows: this is where the cost of a pair is computed.
#pragma once

#include <cstddef>

#include "backends/cpu/relaxation/nearest.hpp"
#include "backends/cpu/row_blocks.hpp"
#include "backends/cpu/tables/lane_tables.hpp"

namespace navvy::backends {

/// Phases 2 and 3: writes the cost of moving each row of one block into each query of a table,
/// costs[row of the block * lanes + lane]. `scratch` has room for as many floats.
void block_costs(const RowBlocks& rows, std::size_t block, const LaneTables& tables, float* costs,
                 float* scratch);

/// The queries in the lanes of a table, and who looks up their bins: lane l is query first + l.
struct LaneQueries {
  const Histograms& queries;
  std::size_t first;
  Nearest& nearest;
};

/// For ict, after block_costs: finds the pairs whose mass overflows the last level of the tables
/// and charges all of their levels.
void finish_costs(const RowBlocks& rows, std::size_t block, const LaneTables& tables,
                  const LaneQueries& lanes, float* costs, float* scratch);

}  // namespace navvy::backends
