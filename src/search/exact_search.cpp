#include "search/exact_search.hpp"

#include <limits>

#include "search/exact_query.hpp"

namespace navvy::search {
namespace {

void prepare(const Engine& engine, core::Budget& budget, core::ThreadPool& pool) {
  if (!engine.exact)
    engine.exact =
        std::make_unique<const ExactTables>(engine.index.vocabulary, engine.rows.sources(), pool);
  if (engine.exact->projections)
    budget.take(engine.exact->projections->memory(), "the projections of all rows");
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

}  // namespace

void search_exact(const Engine& engine, const Queries& queries, const SearchOptions& options,
                  const BoundSwitches& switches, core::Budget& budget, core::ThreadPool& pool,
                  core::Monitor& monitor, Matches& matches) {
  prepare(engine, budget, pool);
  prepare(matches);
  ExactQuery exact(engine, options, switches, budget, pool, monitor);
  monitor.begin("queries", queries.size());
  for (std::size_t query = 0; query < queries.size(); ++query) {
    Proof& proof = matches.proofs[query];
    put(exact.run((*queries.histograms)[query], queries.own_row(query), proof), query, matches);
    for (const SearchCounters::Stage& stage : proof.stages)
      add_stage(stage, matches.counters.stages);
    monitor.add(1);
    monitor.throw_if_stopped();
  }
}

}  // namespace navvy::search
