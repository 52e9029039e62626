// Turns what was picked query by query into tables with queries or levels side by side.
#include "backends/cpu/tables/table_writer.hpp"

#include <algorithm>

namespace navvy::backends {

using kernels::slab_rows;

TableWriter::TableWriter(const kernels::KernelTable& kernels, Levels levels)
    : kernels_(kernels),
      levels_(levels),
      stored_(static_cast<std::size_t>(levels.count) + (levels.finish ? 1 : 0)),
      planes_(group * 2 * stored_ * slab_rows) {
  std::fill_n(planes_.data(), planes_.size(), 0.0F);
}

void TableWriter::clear(std::size_t query) noexcept {
  std::fill_n(planes(query), 2 * stored_ * slab_rows, 0.0F);
  is_picked_[query] = false;
}

void TableWriter::put(std::size_t slab, std::size_t size, std::size_t lane, LaneTables& tables) {
  const std::size_t first = slab * slab_rows;
  const std::size_t count = std::min(slab_rows, size - first);
  const std::size_t lanes = tables.lanes();
  // What overflows the last level is only found here, not priced.
  if (levels_.finish)
    for (std::size_t query = 0; query < group; ++query)
      if (is_picked_[query])
        std::fill_n(planes(query) + (stored_ - 1) * slab_rows, slab_rows, 1.0F);
  const auto turn = [&](std::size_t plane, float* to, std::size_t stride) {
    kernels_.transpose(planes_.data() + plane * slab_rows, 2 * stored_ * slab_rows, group, count,
                       to, stride);
  };
  turn(0, tables.nearest() + first * lanes + lane, lanes);
  for (std::size_t level = 1; level < stored_; ++level) {
    float* entry = tables.overflow(static_cast<int>(level)) + first * 2 * lanes + lane;
    turn(stored_ + level - 1, entry, 2 * lanes);
    turn(level, entry + lanes, 2 * lanes);
  }
}

void TableWriter::put(std::size_t slab, std::size_t width, float* table, float* last_capacities,
                      std::size_t query) {
  const std::size_t first = slab * slab_rows;
  const auto count = static_cast<std::size_t>(levels_.count);
  float* entry = table + first * 2 * width;
  kernels_.transpose(planes(query), slab_rows, count, slab_rows, entry + width, 2 * width);
  if (count > 1)
    kernels_.transpose(planes(query) + stored_ * slab_rows, slab_rows, count - 1, slab_rows,
                       entry + 1, 2 * width);
  if (last_capacities != nullptr)
    std::copy_n(planes(query) + (2 * stored_ - 2) * slab_rows, slab_rows, last_capacities + first);
}

}  // namespace navvy::backends
