// Queries over small supports one by one: signatures of all rows first, costs of few.
#pragma once

#include <cstddef>
#include <memory>

#include "backends/backend.hpp"
#include "backends/cpu/engine.hpp"

namespace navvy::backends {

/// None where signatures say nothing (rwmd; coordinates at one place), are switched off or find no
/// room, and where so many queries come that tables of many are faster.
std::unique_ptr<QueryBlock> signature_block(const Engine& engine, const Task& task,
                                            std::size_t queries, Run& run);

}  // namespace navvy::backends
