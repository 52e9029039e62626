#include "search/relaxed_bounds.hpp"

#include <algorithm>
#include <vector>

#include "backends/directed_cost.hpp"
#include "backends/large_query.hpp"
#include "backends/level_table.hpp"
#include "backends/small_ground.hpp"

namespace navvy::search {
namespace {

// Half a unit in the last place of a float.
constexpr double unit = 0x1p-24;

Measure act(int iterations) {
  return iterations == 0 ? Measure{MeasureKind::rwmd, 1} : Measure{MeasureKind::act, iterations};
}

struct Cut {
  Histogram histogram;
  std::span<const std::uint32_t> ends;  // of its pieces
};

// `in_query` is set to the query already.
float larger_ict(const Cut& query, const backends::RowBlocks& rows, std::uint32_t row,
                 backends::Nearest& in_query, backends::Nearest& in_row,
                 backends::DirectedCost& cost) {
  const Histogram histogram = rows.sources()[row];
  constexpr auto everywhere = kernels::Overflow::everywhere;
  in_row.set_query(histogram);
  const float there =
      cost(histogram, rows.piece_ends(row), query.histogram.size(), everywhere, in_query);
  return std::max(there, cost(query.histogram, query.ends, histogram.size(), everywhere, in_row));
}

class SmallBounds : public RelaxedBounds {
 public:
  SmallBounds(const Engine& engine, int iterations, unsigned threads) : engine_(engine) {
    for (unsigned thread = 0; thread < threads; ++thread)
      workers_.push_back({backends::SmallCandidates(*engine.small, engine.rows, act(iterations)),
                          backends::SmallNearest(*engine.small),
                          backends::SmallNearest(*engine.small), backends::DirectedCost()});
    levels_ = static_cast<std::size_t>(iterations) + 1;
  }

  void set_query(const Histogram& query, core::ThreadPool& pool, core::Monitor&) override {
    query_ = query;
    ends_ = backends::piece_ends(engine_.index.vocabulary, query);
    pool.run(workers_.size(), [&](std::size_t i, unsigned) {
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
      out[bin] = engine_.small->distance(coordinate, query_.coordinates[bin]);
  }

  // The root of a square that was rounded once from double.
  [[nodiscard]] double relative_error() const noexcept override { return 2 * unit; }

 private:
  struct Worker {
    backends::SmallCandidates candidates;
    backends::SmallNearest query, row;
    backends::DirectedCost cost;
  };

  const Engine& engine_;
  std::size_t levels_;
  Histogram query_;
  std::vector<std::uint32_t> ends_;
  std::vector<Worker> workers_;
};

class LargeBounds : public RelaxedBounds {
 public:
  LargeBounds(const Engine& engine, int iterations, unsigned threads)
      : engine_(engine),
        query_(*engine.large, engine.rows, engine.index, backends::levels_of(act(iterations)),
               threads) {
    for (unsigned thread = 0; thread < threads; ++thread)
      workers_.push_back({backends::LargeNearest(*engine.large),
                          backends::LargeNearest(*engine.large), backends::DirectedCost()});
  }

  void set_query(const Histogram& query, core::ThreadPool& pool, core::Monitor& monitor) override {
    query_.set_query(query, pool, monitor);
    histogram_ = query;
    ends_ = backends::piece_ends(engine_.index.vocabulary, query);
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

  // With m dimensions |a|^2 + |b|^2 - 2ab is off by at most (2m + 3) units of |a|^2 + |b|^2. It is
  // used where it is at least a quarter of that, so the square is off by 4 (2m + 3) units of
  // itself and its root by half of that; the direct sum used elsewhere is better.
  [[nodiscard]] double relative_error() const noexcept override {
    return (4.0 * static_cast<double>(engine_.index.vocabulary.dimensions()) + 8) * unit;
  }

 private:
  struct Worker {
    backends::LargeNearest query, row;
    backends::DirectedCost cost;
  };

  const Engine& engine_;
  backends::LargeQuery query_;
  Histogram histogram_;
  std::vector<std::uint32_t> ends_;
  std::vector<Worker> workers_;
};

}  // namespace

std::unique_ptr<RelaxedBounds> relaxed_bounds(const Engine& engine, int iterations,
                                              unsigned threads) {
  if (engine.is_small) return std::make_unique<SmallBounds>(engine, iterations, threads);
  return std::make_unique<LargeBounds>(engine, iterations, threads);
}

std::uint64_t relaxed_bounds_memory(const Engine& engine, int iterations) {
  if (engine.is_small) return 0;
  return backends::LargeQuery::memory(*engine.large, engine.rows,
                                      backends::levels_of(act(iterations)));
}

std::uint64_t relaxed_query_memory(const Engine& engine, std::size_t bins, unsigned threads) {
  return engine.is_small ? 0 : backends::LargeQuery::memory_for(*engine.large, bins, threads);
}

}  // namespace navvy::search
