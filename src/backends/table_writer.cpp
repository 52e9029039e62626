#include "backends/table_writer.hpp"

#include <algorithm>

namespace navvy::backends {
namespace {

using kernels::tile_rows;

// Queries are brought side by side in groups of this many: a cache line of lanes.
constexpr std::size_t group = 16;

}  // namespace

TableWriter::TableWriter(const kernels::KernelTable& kernels, Levels levels,
                         const SmallGround* small)
    : kernels_(kernels),
      levels_(levels),
      small_(small),
      stored_(static_cast<std::size_t>(levels.count) + (levels.finish ? 1 : 0)),
      planes_(group * 2 * stored_ * tile_rows) {}

void TableWriter::pick(const float* squares, std::size_t tile, const kernels::QueryBins& query,
                       float* planes) const noexcept {
  if (small_ != nullptr && query.count == small_->size())
    small_->k_nearest(tile, query.weights, stored_, levels_.overflow, planes);
  else
    kernels_.k_smallest(squares, query, stored_, levels_.overflow, planes);
}

void TableWriter::write(const float* squares, std::size_t tile, std::size_t size,
                        std::span<const kernels::QueryBins> queries, LaneTables& tables) {
  const std::size_t per_query = 2 * stored_ * tile_rows;
  const std::size_t first = tile * tile_rows;
  const std::size_t count = std::min(tile_rows, size - first);
  const std::size_t lanes = tables.lanes();
  for (std::size_t lane = 0; lane < lanes; lane += group) {
    for (std::size_t i = 0; i < group; ++i) {
      float* planes = planes_.data() + i * per_query;
      if (lane + i >= queries.size() || queries[lane + i].count == 0) {
        std::fill_n(planes, per_query, 0.0F);
        continue;
      }
      pick(squares, tile, queries[lane + i], planes);
      // What overflows the last level is only found here, not priced.
      if (levels_.finish) std::fill_n(planes + (stored_ - 1) * tile_rows, tile_rows, 1.0F);
    }
    const auto turn = [&](std::size_t plane, float* to, std::size_t stride) {
      kernels_.transpose(planes_.data() + plane * tile_rows, per_query, group, count, to, stride);
    };
    turn(0, tables.nearest() + first * lanes + lane, lanes);
    for (std::size_t level = 1; level < stored_; ++level) {
      float* entry = tables.overflow(static_cast<int>(level)) + first * 2 * lanes + lane;
      turn(stored_ + level - 1, entry, 2 * lanes);
      turn(level, entry + lanes, 2 * lanes);
    }
  }
}

void TableWriter::write(const float* squares, std::size_t tile, const kernels::QueryBins& query,
                        std::size_t width, float* table, float* last_capacities) {
  const std::size_t first = tile * tile_rows;
  float* planes = planes_.data();
  pick(squares, tile, query, planes);
  const auto count = static_cast<std::size_t>(levels_.count);
  float* entry = table + first * 2 * width;
  kernels_.transpose(planes, tile_rows, count, tile_rows, entry + width, 2 * width);
  if (count > 1)
    kernels_.transpose(planes + stored_ * tile_rows, tile_rows, count - 1, tile_rows, entry + 1,
                       2 * width);
  if (last_capacities != nullptr)
    std::copy_n(planes + (2 * stored_ - 2) * tile_rows, tile_rows, last_capacities + first);
}

}  // namespace navvy::backends
