// All rows against all.
#pragma once

#include "backends/backend.hpp"
#include "navvy/search.hpp"
#include "search/all_pairs/checkpoint.hpp"

namespace navvy::search {

/// Under a relaxation, bow or wcd: the backend lists all pairs, either by the distance itself, or
/// by lower bounds, which the cascade then refines.
void knn(const backends::PreparedRows& rows, const SearchOptions& options, const Saving& saving,
         core::Run& run, Matches& matches);

/// What a stage that lists lower bounds leaves to do: the distance itself for what can still enter
/// a list, and a proof per row that nothing left out can. See cascade.cpp.
void refine_bounds(backends::PairStage& stage, const SearchOptions& options, const Saving& saving,
                   core::Run& run, Matches& matches);

}  // namespace navvy::search
