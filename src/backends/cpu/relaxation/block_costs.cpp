// Charges the levels of a block of rows one after the other.
#include "backends/cpu/relaxation/block_costs.hpp"

#include <algorithm>

#include "backends/cpu/relaxation/pair_cost.hpp"

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

void finish_costs(const RowBlocks& rows, std::size_t block, const LaneTables& tables,
                  const LaneQueries& queries, float* costs, float* scratch) {
  const std::size_t first = block * RowBlocks::block_rows;
  const std::size_t count = std::min(RowBlocks::block_rows, rows.rows() - first);
  const std::size_t lanes = tables.lanes();
  const Levels levels = tables.levels();
  std::fill_n(scratch, count * lanes, 0.0F);
  rows.kernels().charge_overflow(rows.segments(block), tables.overflow(levels.count), scratch);
  PairCost cost;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    bool is_set = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (scratch[i * lanes + lane] == 0) continue;
      const Histogram query = queries.queries[queries.first + lane];
      if (!is_set) queries.nearest.set_query(query);
      is_set = true;
      costs[i * lanes + lane] = cost(rows.sources()[first + i], rows.piece_ends(first + i),
                                     query.size(), levels.overflow, queries.nearest);
    }
  }
}

}  // namespace navvy::backends
