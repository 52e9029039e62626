#include "backends/costs.hpp"

#include <algorithm>

namespace navvy::backends {

void block_costs(const RowBlocks& rows, std::size_t block, const LaneTables& tables, float* costs,
                 float* scratch) {
  const kernels::KernelTable& kernels = rows.kernels();
  const kernels::Segments segments = rows.segments(block);
  const std::size_t first = block * RowBlocks::block_rows;
  const std::size_t count = std::min(RowBlocks::block_rows, rows.rows() - first) * tables.lanes();
  std::fill_n(costs, count, 0.0F);
  kernels.charge_nearest(segments, tables.nearest(), costs);
  // Levels are summed apart and added in order, so that each further one can only raise the cost.
  for (int level = 1; level < tables.levels().count; ++level) {
    std::fill_n(scratch, count, 0.0F);
    kernels.charge_overflow(segments, tables.overflow(level), scratch);
    for (std::size_t i = 0; i < count; ++i) costs[i] += scratch[i];
  }
}

}  // namespace navvy::backends
