#pragma once

#include "core/budget.hpp"
#include "core/parallel.hpp"
#include "navvy/search.hpp"
#include "search/engine.hpp"

namespace navvy::search {

/// Distances of a range of queries to a range of rows without pruning, handed out in stripes of
/// queries.
void fill_matrix(const Engine& engine, const MatrixRange& range, const RunOptions& options,
                 core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor,
                 const DistanceSink& sink);

}  // namespace navvy::search
