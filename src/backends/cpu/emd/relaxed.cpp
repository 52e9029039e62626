// Relaxed costs of one query over small supports and over large vocabularies.
#include "backends/cpu/emd/relaxed.hpp"

#include <algorithm>
#include <vector>

#include "backends/cpu/ground/sorted.hpp"
#include "backends/cpu/queries/slab_query.hpp"
#include "backends/cpu/relaxation/pair_cost.hpp"
#include "backends/cpu/tables/one_query.hpp"
#include "core/pieces.hpp"

namespace navvy::backends {
namespace {

Measure act(int iterations) {
  return iterations == 0 ? Measure{MeasureKind::rwmd, 1} : Measure{MeasureKind::act, iterations};
}

struct Cut {
  Histogram histogram;
  std::span<const std::uint32_t> ends;  // of its pieces
};

// `in_query` is set to the query already.
float larger_ict(const Cut& query, const RowBlocks& rows, std::uint32_t row, Nearest& in_query,
                 Nearest& in_row, PairCost& cost) {
  const Histogram histogram = rows.sources()[row];
  constexpr auto everywhere = kernels::Overflow::everywhere;
  in_row.set_query(histogram);
  const float there =
      cost(histogram, rows.piece_ends(row), query.histogram.size(), everywhere, in_query);
  return std::max(there, cost(query.histogram, query.ends, histogram.size(), everywhere, in_row));
}

class SortedBounds : public RelaxedBounds {
 public:
  SortedBounds(const Engine& engine, int iterations, core::Run& run)
      : engine_(engine),
        reserved_(run.budget.reserve(relaxed_bounds_memory(engine, iterations, run.pool.threads()),
                                     "the bounds of a query")) {
    for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
      workers_.push_back({OneQueryTable(*engine.sorted, engine.rows, act(iterations)),
                          SortedNearest(*engine.sorted), SortedNearest(*engine.sorted),
                          PairCost()});
    levels_ = static_cast<std::size_t>(iterations) + 1;
  }

  void set_query(const Histogram& query, core::Run& run) override {
    query_ = query;
    ends_ = core::piece_ends(engine_.index.vocabulary, query);
    run.pool.run(workers_.size(), [&](std::size_t i, unsigned) {
      workers_[i].candidates.set_query(query);
      workers_[i].query.set_query(query);
    });
  }

  void into_query(std::span<const std::uint32_t> rows, std::span<float> costs,
                  unsigned thread) override {
    workers_[thread].candidates.costs(rows, costs);
  }

  float into_row(std::uint32_t row, unsigned thread) override {
    Worker& worker = workers_[thread];
    worker.row.set_query(engine_.rows.sources()[row]);
    return worker.cost(query_, ends_, levels_, kernels::Overflow::everywhere, worker.row);
  }

  float ict(std::uint32_t row, unsigned thread) override {
    Worker& worker = workers_[thread];
    return larger_ict({query_, ends_}, engine_.rows, row, worker.query, worker.row, worker.cost);
  }

  void distances(std::uint32_t coordinate, std::span<float> out) const override {
    for (std::size_t bin = 0; bin < out.size(); ++bin)
      out[bin] = engine_.sorted->distance(coordinate, query_.coordinates[bin]);
  }

 private:
  struct Worker {
    OneQueryTable candidates;
    SortedNearest query, row;
    PairCost cost;
  };

  const Engine& engine_;
  core::Reservation reserved_;
  std::size_t levels_;
  Histogram query_;
  std::vector<std::uint32_t> ends_;
  std::vector<Worker> workers_;
};

class SlabBounds : public RelaxedBounds {
 public:
  SlabBounds(const Engine& engine, int iterations, core::Run& run)
      : engine_(engine),
        query_(engine.slabs, engine.rows, engine.index, levels_of(act(iterations)), run) {
    for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
      workers_.push_back({SlabNearest(engine.slabs), SlabNearest(engine.slabs), PairCost()});
  }

  void set_query(const Histogram& query, core::Run& run) override {
    query_.set_query(query, run);
    histogram_ = query;
    ends_ = core::piece_ends(engine_.index.vocabulary, query);
    for (Worker& worker : workers_) worker.query.set_query(query);
  }

  void into_query(std::span<const std::uint32_t> rows, std::span<float> costs,
                  unsigned /*thread*/) override {
    query_.costs(rows, costs);
  }

  float into_row(std::uint32_t row, unsigned thread) override {
    return query_.into_row(row, thread);
  }

  float ict(std::uint32_t row, unsigned thread) override {
    Worker& worker = workers_[thread];
    return larger_ict({histogram_, ends_}, engine_.rows, row, worker.query, worker.row,
                      worker.cost);
  }

  void distances(std::uint32_t coordinate, std::span<float> out) const override {
    query_.distances_to_bins(coordinate, out);
  }

 private:
  struct Worker {
    SlabNearest query, row;
    PairCost cost;
  };

  const Engine& engine_;
  SlabQuery query_;
  Histogram histogram_;
  std::vector<std::uint32_t> ends_;
  std::vector<Worker> workers_;
};

}  // namespace

std::unique_ptr<RelaxedBounds> relaxed_bounds(const Engine& engine, int iterations,
                                              core::Run& run) {
  if (engine.has_sorted) return std::make_unique<SortedBounds>(engine, iterations, run);
  return std::make_unique<SlabBounds>(engine, iterations, run);
}

std::uint64_t relaxed_bounds_memory(const Engine& engine, int iterations, unsigned threads) {
  const Levels levels = levels_of(act(iterations));
  if (!engine.has_sorted) return SlabQuery::memory(engine.slabs, engine.rows, levels);
  // A table for each thread, and the weights of three histograms by coordinate.
  return std::uint64_t{threads} * engine.sorted->slabs() * kernels::slab_rows *
         (2 * table_width(levels) + 3) * sizeof(float);
}

std::uint64_t relaxed_query_memory(const Engine& engine, std::size_t bins, unsigned threads) {
  return engine.has_sorted ? 0 : SlabQuery::memory_for(engine.slabs, bins, threads);
}

}  // namespace navvy::backends
