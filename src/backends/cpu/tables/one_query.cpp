// Costs of chosen rows from the table of one query.
#include "backends/cpu/tables/one_query.hpp"

#include <algorithm>

namespace navvy::backends {

OneQueryTable::OneQueryTable(const SortedGround& ground, const RowBlocks& rows, Levels levels)
    : rows_(rows),
      nearest_(ground),
      levels_(levels),
      writer_(ground, rows.kernels(), levels_),
      width_(table_width(levels_)),
      table_(ground.slabs() * kernels::slab_rows * 2 * width_),
      last_capacities_(levels_.finish ? ground.slabs() * kernels::slab_rows : 0) {
  std::fill_n(table_.data(), table_.size(), 0.0F);  // levels beyond the measure's keep step 0
}

void OneQueryTable::set_query(const Histogram& query) {
  query_ = query;
  writer_.write(query, width_, table_.data(), levels_.finish ? last_capacities_.data() : nullptr);
  if (levels_.finish) nearest_.set_query(query);
}

void OneQueryTable::costs(std::span<const std::uint32_t> rows, std::span<float> costs) {
  rows_.kernels().candidate_costs(rows_.whole_rows(), rows.data(), rows.size(),
                                  {table_.data(), width_}, costs.data());
  if (!levels_.finish || query_.size() <= static_cast<std::size_t>(levels_.count)) return;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (overflows(rows[i]))
      costs[i] = pair_cost_(rows_.sources()[rows[i]], rows_.piece_ends(rows[i]), query_.size(),
                            levels_.overflow, nearest_);
}

bool OneQueryTable::overflows(std::size_t row) const {
  const Histogram histogram = rows_.sources()[row];
  for (std::size_t bin = 0; bin < histogram.size(); ++bin)
    if (histogram.weights[bin] > last_capacities_[histogram.coordinates[bin]]) return true;
  return false;
}

}  // namespace navvy::backends
