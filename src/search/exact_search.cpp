#include "search/exact_search.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "search/exact_query.hpp"

namespace navvy::search {
namespace {

void prepare(const Engine& engine, core::Budget& budget, core::ThreadPool& pool) {
  const Vocabulary& vocabulary = engine.index.vocabulary;
  budget.take(ExactTables::memory(vocabulary, engine.threshold, engine.rows.rows()),
              "the projections of all rows");
  if (!engine.exact)
    engine.exact = std::make_unique<const ExactTables>(vocabulary, engine.threshold,
                                                       engine.rows.sources(), pool);
}

void prepare(Matches& matches) {
  const std::size_t count = matches.queries * matches.top;
  matches.lower.assign(count, std::numeric_limits<double>::quiet_NaN());
  matches.upper = matches.lower;
  matches.exact.assign(count, 0);
  matches.proofs.assign(matches.queries, {});
}

void put(std::span<const ExactMatch> found, std::size_t query, Matches& matches) {
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    const std::size_t place = query * matches.top + rank;
    matches.rows[place] = found[rank].row;
    matches.distances[place] = found[rank].upper;
    matches.lower[place] = found[rank].lower;
    matches.upper[place] = found[rank].upper;
    matches.exact[place] = found[rank].exact ? 1 : 0;
  }
}

std::size_t most_bins(const Queries& queries) {
  std::size_t most = 0;
  for (std::size_t query = 0; query < queries.size(); ++query)
    most = std::max(most, (*queries.histograms)[query].size());
  return most;
}

// Whether queries run side by side, each on a thread of its own: that keeps all threads busy from
// end to end, where the rows of one query leave them waiting for the last solve of each batch.
bool side_by_side(const Engine& engine, const Queries& queries, const BoundSwitches& switches,
                  const core::Budget& budget, unsigned threads) {
  const std::uint64_t each =
      ExactQuery::memory(engine, switches) + ExactQuery::memory_for(engine, most_bins(queries), 1);
  return threads > 1 && queries.size() >= threads && budget.fits(each * threads);
}

// One search on one thread.
struct Lane {
  core::ThreadPool pool{1};
  ExactQuery query;

  Lane(const Engine& engine, const SearchOptions& options, const BoundSwitches& switches,
       core::Budget& budget, core::Monitor& monitor)
      : query(engine, options, switches, budget, pool, monitor) {}
};

using RunQuery = std::function<void(ExactQuery&, std::size_t query)>;

void run_side_by_side(const Engine& engine, std::size_t queries, const SearchOptions& options,
                      const BoundSwitches& switches, core::Budget& budget, core::ThreadPool& pool,
                      core::Monitor& monitor, const RunQuery& run) {
  std::vector<std::unique_ptr<Lane>> lanes;
  for (unsigned thread = 0; thread < pool.threads(); ++thread)
    lanes.push_back(std::make_unique<Lane>(engine, options, switches, budget, monitor));
  pool.run(
      queries, [&](std::size_t query, unsigned thread) { run(lanes[thread]->query, query); },
      &monitor);
}

}  // namespace

void search_exact(const Engine& engine, const Queries& queries, const SearchOptions& options,
                  const BoundSwitches& switches, core::Budget& budget, core::ThreadPool& pool,
                  core::Monitor& monitor, Matches& matches) {
  prepare(engine, budget, pool);
  prepare(matches);
  monitor.begin("queries", queries.size());
  const auto run = [&](ExactQuery& exact, std::size_t query) {
    put(exact.run((*queries.histograms)[query], queries.own_row(query), matches.proofs[query]),
        query, matches);
    monitor.add(1);
  };
  if (side_by_side(engine, queries, switches, budget, pool.threads())) {
    run_side_by_side(engine, queries.size(), options, switches, budget, pool, monitor, run);
  } else {
    ExactQuery exact(engine, options, switches, budget, pool, monitor);
    for (std::size_t query = 0; query < queries.size(); ++query) {
      run(exact, query);
      monitor.throw_if_stopped();
    }
  }
  for (const Proof& proof : matches.proofs)
    for (const SearchCounters::Stage& stage : proof.stages)
      add_stage(stage, matches.counters.stages);
}

}  // namespace navvy::search
