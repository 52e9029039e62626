// The order of rows in which the coarse stage walks them: similar ones stand together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/engine.hpp"
#include "backends/cpu/pairs/schedule.hpp"
#include "backends/cpu/tables/levels.hpp"
#include "core/buffer.hpp"
#include "core/run.hpp"

namespace navvy::backends {

/// The costs of moving all rows over a small support into up to 64 of them, the landmarks: row u
/// into landmark l is at [u * panel_lanes + l]. Levels are not finished.
core::Buffer<float> costs_into(const Engine& engine, Levels levels,
                               std::span<const std::uint32_t> landmarks, core::Run& run);

/// All rows in an order in which similar ones stand together: what is far from one row is then
/// often far from its whole neighbourhood. Rows are similar when moving them into each of the
/// landmarks costs the same. Those before the border, where there is one, stay before the others.
std::vector<std::uint32_t> order_by_similarity(const core::Buffer<float>& costs,
                                               const PairsWanted& wanted, std::size_t landmarks);

}  // namespace navvy::backends
