#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backends/levels.hpp"
#include "core/parallel.hpp"
#include "search/engine.hpp"

namespace navvy::search {

/// All rows over a small support in an order in which similar ones stand together: what is far from
/// one row is then often far from its whole neighbourhood. `landmarks`: up to 64 rows; rows are
/// similar when moving them into each of these costs the same.
std::vector<std::uint32_t> order_by_similarity(const Engine& engine, backends::Levels levels,
                                               std::span<const std::uint32_t> landmarks,
                                               core::ThreadPool& pool);

}  // namespace navvy::search
