#pragma once

#include "core/budget.hpp"
#include "core/parallel.hpp"
#include "navvy/search.hpp"
#include "search/few_queries.hpp"

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

/// The nearest rows under emd, proven: all rows are bounded from below, the most promising are
/// solved exactly in the order of their bounds, and what no bound lets in is left out.
void search_exact(const Engine& engine, const Queries& queries, const SearchOptions& options,
                  const BoundSwitches& switches, core::Budget& budget, core::ThreadPool& pool,
                  core::Monitor& monitor, Matches& matches);

}  // namespace navvy::search
