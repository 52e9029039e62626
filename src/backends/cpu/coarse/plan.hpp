// What the coarse stage looks at, chosen from a sample of the rows.
#pragma once

#include <optional>

#include "backends/backend.hpp"
#include "backends/cpu/coarse/tables.hpp"
#include "backends/cpu/engine.hpp"

namespace navvy::backends {

/// Units, levels and an order of rows for the coarse stage of a job over all pairs, from what a
/// sample of rows has as its nearest. None where the stage cannot pay: few rows, or lists that hold
/// most of them.
std::optional<CoarsePlan> plan_coarse(const Engine& engine, const Task& task, std::size_t top,
                                      Run& run);

}  // namespace navvy::backends
