#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/parallel.hpp"
#include "navvy/measure.hpp"
#include "search/engine.hpp"
#include "search/small_tiles.hpp"

namespace navvy::search {

/// Receives the distances of one chosen row to all rows; called from any thread, each row once.
using RowSink = std::function<void(std::uint32_t row, std::span<const float> distances)>;

/// Distances of some rows to all rows under the relaxation of `tiles`, whose slot 0 holds the
/// tables of all rows. For a few rows this is much less than all pairs.
void subset_distances(const Engine& engine, const SmallTiles& tiles, Direction direction,
                      std::span<const std::uint32_t> chosen, core::ThreadPool& pool,
                      core::Monitor& monitor, const RowSink& sink);

/// Bytes that subset_distances takes.
std::uint64_t subset_memory(const Engine& engine, const SmallTiles& tiles);

}  // namespace navvy::search
