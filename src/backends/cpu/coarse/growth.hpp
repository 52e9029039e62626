// Coarse costs of a few rows against all, for lists that were too short.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "backends/cpu/coarse/tables.hpp"
#include "navvy/measure.hpp"

namespace navvy::backends {

/// Coarse costs of one of the grown rows against those from `first` on, by places.
struct CoarseRange {
  std::size_t list;  ///< its place among the grown
  std::size_t first;
  std::span<const std::uint16_t> values;
};

/// Called from all threads, but for one grown row from one at a time.
using CoarseSink = std::function<void(const CoarseRange& costs)>;

/// Coarse costs of the rows at some places against all rows, with tables of so many of these at a
/// time. For a few this is much less than all pairs.
void grown_costs(CoarseTiles& tiles, Direction direction, std::span<const std::uint32_t> grown,
                 std::size_t rows_at_once, Run& run, const CoarseSink& sink);

}  // namespace navvy::backends
