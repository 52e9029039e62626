// Exact queries side by side or one after the other, as memory and their number allow.
#include "search/exact/search.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "search/exact/query.hpp"

namespace navvy::search {
namespace {

void put(std::span<const ExactMatch> found, std::size_t query, Matches& matches) {
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    const ExactMatch& match = found[rank];
    matches.put(query, rank, {match.row, match.upper, match.lower, match.upper, match.exact});
  }
}

std::size_t most_bins(const Queries& queries) {
  std::size_t most = 0;
  for (std::size_t query = 0; query < queries.size(); ++query)
    most = std::max(most, (*queries.histograms)[query].size());
  return most;
}

// The rows that may match any query.
core::Buffer<std::uint32_t> candidates(const backends::PreparedRows& rows,
                                       const SearchOptions& options, const core::Run& run) {
  const auto may_match = [&](std::uint32_t row) {
    return !rows.is_empty(row) && is_among(options, row);
  };
  std::size_t count = 0;
  for (std::uint32_t row = 0; row < rows.rows(); ++row) count += may_match(row) ? 1 : 0;
  auto found = run.buffer<std::uint32_t>(count, "the rows that may match");
  count = 0;
  for (std::uint32_t row = 0; row < rows.rows(); ++row)
    if (may_match(row)) found[count++] = row;
  return found;
}

// Whether queries run side by side, each on a thread of its own: that keeps all threads busy from
// end to end, where the rows of one query leave them waiting for the last solve of each batch.
bool side_by_side(const ExactScope& scope, const Queries& queries, core::Run& run) {
  const unsigned threads = run.pool.threads();
  return threads > 1 && queries.size() >= threads &&
         run.budget.fits(ExactQuery::memory(scope, most_bins(queries), run) * threads);
}

using RunQuery = std::function<void(ExactQuery&, std::size_t query)>;

void run_side_by_side(const ExactScope& scope, std::size_t queries, const core::Run& run,
                      const RunQuery& run_query) {
  std::vector<std::unique_ptr<ExactQuery>> lanes;
  for (unsigned thread = 0; thread < run.pool.threads(); ++thread) {
    core::Run single = run.with_threads(1);
    auto solver = solver_for(scope, single);
    lanes.push_back(std::make_unique<ExactQuery>(scope, std::move(solver), std::move(single)));
  }
  run.pool.run(
      queries, [&](std::size_t query, unsigned thread) { run_query(*lanes[thread], query); },
      &run.monitor);
}

}  // namespace

void search_exact(const backends::PreparedRows& rows, const Queries& queries,
                  const ExactRequest& options, core::Run& run, Matches& matches) {
  matches.add_bounds();
  const auto may_match = candidates(rows, options.search, run);
  const ExactScope scope{rows, may_match.span(), options.search, options.bounds};
  // The first solver makes what all share: with all threads, and before memory is shared out.
  auto solver = solver_for(scope, run);
  queries.begin(run.monitor, 1);
  const auto run_query = [&](ExactQuery& exact, std::size_t query) {
    put(exact.run({(*queries.histograms)[query], queries.own_row(query),
                   start_limit(options.search, query)},
                  matches.proofs[query]),
        query, matches);
    run.monitor.add(1);
  };
  if (side_by_side(scope, queries, run)) {
    run_side_by_side(scope, queries.size(), run, run_query);
  } else {
    ExactQuery exact(scope, std::move(solver), run.with_threads(run.pool.threads()));
    for (std::size_t query = 0; query < queries.size(); ++query) {
      run_query(exact, query);
      run.monitor.throw_if_stopped();
    }
  }
  for (const Proof& proof : matches.proofs)
    for (const SearchCounters::Stage& stage : proof.stages)
      add_stage(stage, matches.counters.stages);
}

}  // namespace navvy::search
