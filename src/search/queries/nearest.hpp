// The nearest rows of a few queries under a relaxation, bow or wcd.
#pragma once

#include "backends/backend.hpp"
#include "navvy/search.hpp"
#include "search/queries/queries.hpp"

namespace navvy::search {

/// Bounds for all rows first; the distance itself only for rows whose bound can still enter the
/// list, in the order of their bounds.
void search_nearest(const backends::PreparedRows& rows, const Queries& queries,
                    const SearchOptions& options, core::Run& run, Matches& matches);

}  // namespace navvy::search
