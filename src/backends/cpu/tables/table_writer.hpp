// Writes what Phase 1 picked for a slab of coordinates into tables.
#pragma once

#include <array>
#include <cstddef>

#include "backends/cpu/tables/lane_tables.hpp"
#include "backends/cpu/tables/levels.hpp"
#include "core/buffer.hpp"
#include "kernels/kernels.hpp"

namespace navvy::backends {

/// Turns what was picked for 32 coordinates, one query after the other, into tables. Keeps scratch
/// memory, so one per thread.
class TableWriter {
 public:
  /// Queries that are turned together: a cache line of lanes.
  static constexpr std::size_t group = 16;

  TableWriter(const kernels::KernelTable& kernels, Levels levels);

  /// Levels to be picked: one more than is charged where they are finished.
  [[nodiscard]] std::size_t levels() const noexcept { return stored_; }

  /// Where the planes of one of the 16 queries belong, in the form of k_smallest.
  [[nodiscard]] float* planes(std::size_t query) noexcept {
    is_picked_[query] = true;
    return planes_.data() + query * 2 * stored_ * kernels::slab_rows;
  }
  /// For a query that does not exist or has no bins: its lane gets zeros.
  void clear(std::size_t query) noexcept;

  /// Writes the planes of 16 queries, as lanes `lane` and following, for the coordinates from
  /// 32 * slab on; `size` exist.
  void put(std::size_t slab, std::size_t size, std::size_t lane, LaneTables& tables);

  /// Writes the planes of one query with lanes = levels, `width` of them, level 0 first: capacities
  /// at [coordinate * 2 * width], steps behind them. Writes whole slabs. Where `last_capacities` is
  /// given, it gets what all levels take together, by coordinate.
  void put(std::size_t slab, std::size_t width, float* table, float* last_capacities,
           std::size_t query = 0);

 private:
  const kernels::KernelTable& kernels_;
  Levels levels_;
  std::size_t stored_;
  core::Buffer<float> planes_;
  std::array<bool, group> is_picked_{};
};

}  // namespace navvy::backends
