// Nearest bins are looked up among sorted neighbours, or come from a table for many rows.
#include "backends/cpu/queries/sorted_query.hpp"

#include "core/pieces.hpp"

namespace navvy::backends {

SortedQuery::SortedQuery(const Engine& engine, Levels levels, Destinations destinations,
                         core::Run& run)
    : engine_(engine),
      levels_(levels),
      destinations_(destinations_of(engine, destinations)),
      reserved_(
          run.budget.reserve(memory(engine, levels, run.pool.threads()), "the bounds of a query")) {
  for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
    workers_.push_back({OneQueryTable(*engine.sorted, engine.rows, levels),
                        false,
                        {SortedNearest(*engine.sorted), SortedNearest(*engine.sorted), {}}});
}

std::uint64_t SortedQuery::memory(const Engine& engine, const Levels& levels,
                                  unsigned threads) noexcept {
  // A table for each thread, and the weights of three histograms by coordinate.
  return std::uint64_t{threads} * engine.sorted->slabs() * kernels::slab_rows *
         (2 * table_width(levels) + 3) * sizeof(float);
}

void SortedQuery::set_query(const Histogram& query) {
  query_ = query;
  ends_ = core::piece_ends(engine_.index.vocabulary, query);
  for (Worker& worker : workers_) {
    worker.has_table = false;
    worker.pairs.query.set_query(query);
  }
}

void SortedQuery::into_query(std::span<const std::uint32_t> rows, std::span<float> costs,
                             unsigned thread) {
  Worker& worker = workers_[thread];
  if (!worker.has_table) worker.table.set_query(query_);
  worker.has_table = true;
  worker.table.costs(rows, costs);
}

float SortedQuery::into_query(std::uint32_t row, unsigned thread) {
  return workers_[thread].pairs.into_query(engine_.rows, row, charged(levels_, query_.size()),
                                           levels_.overflow);
}

float SortedQuery::into_row(std::uint32_t row, unsigned thread) {
  return workers_[thread].pairs.into_row(query_, ends_, destinations_[row], levels_);
}

float SortedQuery::ict(std::uint32_t row, unsigned thread) {
  return workers_[thread].pairs.ict(query_, ends_, engine_.rows, row);
}

void SortedQuery::distances(std::uint32_t coordinate, std::span<float> out) const {
  for (std::size_t bin = 0; bin < out.size(); ++bin)
    out[bin] = engine_.sorted->distance(coordinate, query_.coordinates[bin]);
}

}  // namespace navvy::backends
