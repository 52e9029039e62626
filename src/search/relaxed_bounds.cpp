#include "search/relaxed_bounds.hpp"

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

class SmallBounds : public RelaxedBounds {
 public:
  SmallBounds(const Engine& engine, int iterations, unsigned threads) : engine_(engine) {
    for (unsigned thread = 0; thread < threads; ++thread)
      workers_.push_back({backends::SmallCandidates(*engine.small, engine.rows, act(iterations)),
                          backends::SmallNearest(*engine.small), backends::DirectedCost()});
    levels_ = static_cast<std::size_t>(iterations) + 1;
  }

  void set_query(const Histogram& query, core::ThreadPool& pool, core::Monitor&) override {
    query_ = query;
    ends_ = backends::piece_ends(engine_.index.vocabulary, query);
    pool.run(workers_.size(),
             [&](std::size_t i, unsigned) { workers_[i].candidates.set_query(query); });
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

  void distances(std::uint32_t coordinate, std::span<float> out) const override {
    for (std::size_t bin = 0; bin < out.size(); ++bin)
      out[bin] = engine_.small->distance(coordinate, query_.coordinates[bin]);
  }

  // The root of a square that was rounded once from double.
  [[nodiscard]] double relative_error() const noexcept override { return 2 * unit; }

 private:
  struct Worker {
    backends::SmallCandidates candidates;
    backends::SmallNearest row;
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
  LargeBounds(const Engine& engine, int iterations, core::Budget& budget, unsigned threads)
      : engine_(engine),
        budget_(budget),
        query_(*engine.large, engine.rows, engine.index, backends::levels_of(act(iterations)),
               threads) {
    budget_.take(query_.memory(), "the table of a query");
  }

  void set_query(const Histogram& query, core::ThreadPool& pool, core::Monitor& monitor) override {
    core::Budget(budget_).take(query_.memory_for(query), "the distances of a query to all words");
    query_.set_query(query, pool, monitor);
  }

  void into_query(std::span<const std::uint32_t> rows, std::span<float> costs,
                  unsigned /*thread*/) override {
    query_.costs(rows, costs);
  }

  float into_row(std::uint32_t row, unsigned thread) override {
    return query_.into_row(row, thread);
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
  const Engine& engine_;
  core::Budget budget_;
  backends::LargeQuery query_;
};

}  // namespace

std::unique_ptr<RelaxedBounds> relaxed_bounds(const Engine& engine, int iterations,
                                              core::Budget& budget, unsigned threads) {
  if (engine.is_small) return std::make_unique<SmallBounds>(engine, iterations, threads);
  return std::make_unique<LargeBounds>(engine, iterations, budget, threads);
}

}  // namespace navvy::search
