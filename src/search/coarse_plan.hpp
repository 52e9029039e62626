#pragma once

#include <optional>

#include "core/budget.hpp"
#include "core/parallel.hpp"
#include "navvy/search.hpp"
#include "search/coarse_pairs.hpp"
#include "search/engine.hpp"

namespace navvy::search {

/// Units and levels for the coarse stage of a job over all pairs, from what a sample of rows has as
/// its nearest. None where the stage cannot pay: few rows, or lists that hold most of them.
std::optional<CoarsePlan> plan_coarse(const Engine& engine, const SearchOptions& options,
                                      const core::Budget& budget, core::ThreadPool& pool,
                                      core::Monitor& monitor);

}  // namespace navvy::search
