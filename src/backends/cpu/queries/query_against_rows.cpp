// Which way a query goes: from sorted ground distances where they are kept, else through slabs.
#include "backends/cpu/queries/query_against_rows.hpp"

#include "backends/cpu/ground/bin_distances.hpp"
#include "backends/cpu/queries/slab_query.hpp"
#include "backends/cpu/queries/sorted_query.hpp"

namespace navvy::backends {

const Histograms& destinations_of(const Engine& engine, Destinations which) {
  return which == Destinations::all_bins ? engine.index.rows : engine.rows.sources();
}

std::unique_ptr<QueryAgainstRows> query_against_rows(const Engine& engine, Levels levels,
                                                     Destinations destinations, core::Run& run) {
  if (engine.has_sorted) return std::make_unique<SortedQuery>(engine, levels, destinations, run);
  return std::make_unique<SlabQuery>(engine, levels, destinations, run);
}

std::uint64_t query_memory(const Engine& engine, const Levels& levels, unsigned threads) {
  return engine.has_sorted ? SortedQuery::memory(engine, levels, threads)
                           : SlabQuery::memory(engine, levels);
}

std::uint64_t query_memory_for(const Engine& engine, std::size_t bins, unsigned threads) {
  return engine.has_sorted ? 0 : BinDistances::memory(engine.slabs, bins, threads);
}

}  // namespace navvy::backends
