// A few queries under any measure.
#pragma once

#include "backends/backend.hpp"
#include "core/run.hpp"
#include "navvy/search.hpp"
#include "search/queries/queries.hpp"

namespace navvy::search {

/// The matches of all queries. Lists that are not cut are as long as the longest; the queries then
/// run in blocks, so that no place is held for each of them and each row.
Matches answer(const backends::PreparedRows& rows, const Queries& queries,
               const SearchOptions& options, core::Run& run);

}  // namespace navvy::search
