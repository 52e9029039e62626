// The table of one query over a small support, levels side by side, for chosen rows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "backends/cpu/ground/sorted.hpp"
#include "backends/cpu/relaxation/pair_cost.hpp"
#include "backends/cpu/row_blocks.hpp"
#include "backends/cpu/tables/levels.hpp"
#include "backends/cpu/tables/sorted_writer.hpp"
#include "core/buffer.hpp"
#include "kernels/kernels.hpp"

namespace navvy::backends {

/// Costs of chosen rows against one query over a small support, lanes = levels: for lists of
/// candidates, where other queries want other rows. One per thread.
class OneQueryTable {
 public:
  /// For ict the levels are finished, whatever a row needs.
  OneQueryTable(const SortedGround& ground, const RowBlocks& rows, Levels levels);

  /// Phase 1 for a query, which must stay alive as long as it is used.
  void set_query(const Histogram& query);

  /// costs[i] = cost of moving row rows[i] into the query.
  void costs(std::span<const std::uint32_t> rows, std::span<float> costs);

 private:
  [[nodiscard]] bool overflows(std::size_t row) const;

  const RowBlocks& rows_;
  SortedNearest nearest_;
  Levels levels_;
  SortedWriter writer_;
  std::size_t width_;
  Histogram query_;
  core::Buffer<float> table_;
  std::vector<float> last_capacities_;  // by coordinate: what all levels of the table take
  PairCost pair_cost_;
};

}  // namespace navvy::backends
