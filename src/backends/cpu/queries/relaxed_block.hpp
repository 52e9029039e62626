// A few queries against all rows under a relaxation: into the query for all rows at once, and the
// other direction for chosen rows.
#pragma once

#include <cstddef>
#include <memory>

#include "backends/backend.hpp"
#include "backends/cpu/engine.hpp"

namespace navvy::backends {

/// Takes its memory from the run's budget: fewer queries together where that is small.
std::unique_ptr<QueryBlock> relaxed_block(const Engine& engine, const Task& task,
                                          std::size_t queries, Run& run);

}  // namespace navvy::backends
