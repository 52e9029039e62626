// Coarse costs of a few rows against all, for lists that were too short.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "backends/cpu/coarse/tables.hpp"
#include "backends/cpu/pairs/schedule.hpp"
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

/// Which rows are compared, by places: some with all, or across a border with those on the other
/// side.
struct Growing {
  std::span<const std::uint32_t> places;
  Direction direction;
  std::optional<std::size_t> border;
};

/// Coarse costs of some rows, with tables of one stretch of rows at a time. For a few this is much
/// less than all pairs.
void grown_costs(CoarseTiles& tiles, const Growing& growing,
                 std::span<const TileSchedule::Stretch> stretches, Run& run,
                 const CoarseSink& sink);

}  // namespace navvy::backends
