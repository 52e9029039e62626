// Distances without pruning: of rows to rows, and of given histograms to rows.
#pragma once

#include <cstdint>

#include "backends/backend.hpp"
#include "navvy/search.hpp"

namespace navvy::search {

/// Hands out stripes of queries. Pairs with a row without weight are NaN. Returns how many pairs'
/// sinkhorn stopped at its iteration limit.
std::uint64_t fill_matrix(const backends::PreparedRows& rows, const Histograms& histograms,
                          const MatrixRange& range, const Question& question, core::Run& run,
                          const DistanceSink& sink);

/// The same for queries that are no rows; NaN where one has no weight.
std::uint64_t fill_matrix(const backends::PreparedRows& rows, const Histograms& queries,
                          core::Range columns, const Question& question, core::Run& run,
                          const LineSink& sink);

}  // namespace navvy::search
