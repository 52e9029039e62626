// Exact search: the nearest rows under emd and emd-hat, proven.
#pragma once

#include "backends/backend.hpp"
#include "core/run.hpp"
#include "navvy/search.hpp"
#include "search/queries/queries.hpp"

namespace navvy::search {

/// The families of bounds, each of which can be left out to see what it is worth. Answers are the
/// same with any of them.
struct BoundSwitches {
  bool projections = true;
  bool into_query = true;  ///< relaxed costs of moving rows into the query
  bool into_row = true;    ///< and of moving the query into rows
  bool ict = false;        ///< and all levels in both directions; see ARCHITECTURE.md
  bool potentials = true;
  bool greedy = true;  ///< upper bounds before any exact solve
  int iterations = 7;  ///< of the relaxations: act-j, 0 is rwmd
};

/// What is asked for, and how it is found.
struct ExactRequest {
  const SearchOptions& search;
  BoundSwitches bounds{};
};

/// The nearest rows under emd, proven: all rows are bounded from below, the most promising are
/// solved exactly in the order of their bounds, and what no bound lets in is left out. Of rows that
/// are not asked for, or lie beyond the limit from which a search starts, proofs say nothing.
void search_exact(const backends::PreparedRows& rows, const Queries& queries,
                  const ExactRequest& options, core::Run& run, Matches& matches);

}  // namespace navvy::search
