#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/lane_tables.hpp"
#include "backends/levels.hpp"
#include "backends/small_ground.hpp"
#include "core/buffer.hpp"
#include "kernels/kernels.hpp"

namespace navvy::backends {

/// Picks the nearest bins of queries out of tiles of squared distances and writes them into tables.
/// Keeps scratch memory, so one per thread.
class TableWriter {
 public:
  /// `small`: where the tiles come from, if that is a small support.
  TableWriter(const kernels::KernelTable& kernels, Levels levels,
              const SmallGround* small = nullptr);

  /// Fills the 32 coordinates from 32 * tile on in a table with lanes = queries; `size` coordinates
  /// exist. A query of no bins gets zeros; so do lanes beyond the last query.
  void write(const float* squares, std::size_t tile, std::size_t size,
             std::span<const kernels::QueryBins> queries, LaneTables& tables);

  /// The same for one query with lanes = levels, `width` of them, level 0 first: capacities at
  /// [coordinate * 2 * width], steps behind them. Writes whole tiles. Where `last_capacities` is
  /// given, it gets what all levels take together, by coordinate.
  void write(const float* squares, std::size_t tile, const kernels::QueryBins& query,
             std::size_t width, float* table, float* last_capacities);

 private:
  void pick(const float* squares, std::size_t tile, const kernels::QueryBins& query,
            float* planes) const noexcept;

  const kernels::KernelTable& kernels_;
  Levels levels_;
  const SmallGround* small_;
  std::size_t stored_;  // levels in planes: one more than is charged where they are finished
  core::Buffer<float> planes_;
};

}  // namespace navvy::backends
