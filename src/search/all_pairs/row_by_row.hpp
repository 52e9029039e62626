// All rows against all where there is nothing better than one query after the other.
#pragma once

#include "backends/backend.hpp"
#include "core/run.hpp"
#include "navvy/histograms.hpp"
#include "navvy/search.hpp"
#include "search/all_pairs/checkpoint.hpp"

namespace navvy::search {

/// Under emd, emd-hat and sinkhorn. `histograms` are those of the rows.
Matches knn_row_by_row(const backends::PreparedRows& rows, const Histograms& histograms,
                       const SearchOptions& options, const Saving& saving, core::Run& run);

}  // namespace navvy::search
