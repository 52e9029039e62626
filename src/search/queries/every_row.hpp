// The nearest rows under a measure without bounds: every row is solved.
#pragma once

#include "backends/backend.hpp"
#include "navvy/search.hpp"
#include "search/queries/queries.hpp"

namespace navvy::search {

void search_every_row(const backends::PreparedRows& rows, const Queries& queries,
                      const SearchOptions& options, core::Run& run, Matches& matches);

}  // namespace navvy::search
