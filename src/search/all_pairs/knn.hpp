// All rows against all.
#pragma once

#include "backends/backend.hpp"
#include "navvy/search.hpp"
#include "search/all_pairs/checkpoint.hpp"

namespace navvy::search {

/// Under a relaxation, bow or wcd: the backend lists all pairs, either by the distance itself, or
/// by lower bounds, which the cascade then refines. False, with nothing done, where the backend
/// has no room for that.
bool knn(const backends::PreparedRows& rows, const SearchOptions& options, const Saving& saving,
         core::Run& run, Matches& matches);

/// How long lists of bounds should be, where lists of distances of length `top` are asked for.
std::size_t bounds_length(std::size_t rows, std::size_t top);

/// Bytes that refining takes per row beside the pairs to be costed, for lists of that length.
std::uint64_t refining_memory(std::size_t length, std::size_t top);

/// What a stage that lists lower bounds leaves to do: the distance itself for what can still enter
/// a list, and a proof per row that nothing left out can. See cascade.cpp.
void refine_bounds(backends::PairStage& stage, const SearchOptions& options, const Saving& saving,
                   core::Run& run, Matches& matches);

}  // namespace navvy::search
