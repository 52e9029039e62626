// Solves pairs of unequal masses, and bounds them by what every unit of mass pays at least.
//
// Which of the bounds of emd hold. rwmd the way that mass is moved does: every unit pays its
// nearest distance or the price, which is no smaller. Beside it what finds no room pays the price.
// All the others compare two histograms of mass 1 and do not: rwmd the other way, since room may
// stay empty; omr, act and ict by the scaled weights, since room may be larger; projections, wcd
// and potentials, since centroids and means of what is moved and of all room may differ by
// anything.
#include "backends/cpu/emd/partial_solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "backends/cpu/emd/pair_solvers.hpp"
#include "backends/cpu/queries/query_against_rows.hpp"
#include "core/direction.hpp"
#include "core/price.hpp"
#include "pairwise/partial_emd.hpp"

namespace navvy::backends {
namespace {

constexpr Levels rwmd_levels{1, kernels::Overflow::everywhere};

class PartialSolver : public Solver {
 public:
  PartialSolver(const Engine& engine, const Task& task, const Run& run)
      : engine_(engine),
        moves_query_(core::moves_query(task.direction)),
        price_(task.price),
        solvers_(run.pool.threads()) {}

  void set_query(const Histogram& query, Run& run) override;
  [[nodiscard]] bool offers(Bound bound) const noexcept override {
    return bound == (moves_query_ ? Bound::into_row : Bound::into_query);
  }
  void raise(Bound bound, std::span<const std::uint32_t> rows, std::span<double> lower,
             Run& run) override;
  void plan_costs(std::span<const std::uint32_t> rows, std::span<double> upper, Run& run) override;
  void solve(std::span<const std::uint32_t> rows, std::span<double> distances, Run& run) override;

  /// Solves teach nothing about other rows: few at a time, so that few are in vain.
  [[nodiscard]] std::size_t batch() const noexcept override { return 8; }

 private:
  using Solvers = PairSolvers<pairwise::PartialEmd>;
  using Rows = std::span<const std::uint32_t>;

  void make_bounds(Run& run);
  [[nodiscard]] double safe(float cost, std::uint32_t row) const;
  [[nodiscard]] double price_of_lack(std::uint32_t row) const;
  template <class Body>
  void for_each_pair(Rows rows, const Run& run, const Body& body);

  const Engine& engine_;
  bool moves_query_;
  double price_;
  Solvers solvers_;

  Histogram query_;
  std::vector<double> query_weights_;
  WeightedBins bins_, old_bins_;  // bounds forget the old query last
  std::unique_ptr<QueryAgainstRows> relaxed_;
  bool knows_query_ = false;  // relaxed_
};

void PartialSolver::set_query(const Histogram& query, Run& /*run*/) {
  query_ = query;
  pairwise::normalize(query.weights, query_weights_);
  if (knows_query_) old_bins_ = std::move(bins_);
  bins_ = WeightedBins(query);
  knows_query_ = false;
}

void PartialSolver::make_bounds(Run& run) {
  if (knows_query_) return;
  if (!relaxed_)
    relaxed_ = query_against_rows(engine_, rwmd_levels, Destinations::with_weight, run);
  relaxed_->set_query(bins_.histogram(), run);
  knows_query_ = true;
}

void PartialSolver::raise(Bound bound, Rows rows, std::span<double> lower, Run& run) {
  if (!offers(bound)) return;
  make_bounds(run);
  constexpr std::size_t block = 256;
  run.pool.run((rows.size() + block - 1) / block,
               [&](std::size_t b, unsigned thread) {
                 const std::size_t first = b * block;
                 const Rows some = rows.subspan(first, std::min(block, rows.size() - first));
                 float costs[block];
                 if (moves_query_)
                   for (std::size_t i = 0; i < some.size(); ++i)
                     costs[i] = relaxed_->into_row(some[i], thread);
                 else
                   relaxed_->into_query(some, std::span(costs, some.size()), thread);
                 for (std::size_t i = 0; i < some.size(); ++i)
                   lower[first + i] = std::max(
                       {lower[first + i], safe(costs[i], some[i]), price_of_lack(some[i])});
               },
               &run.monitor);
}

// Sums over bins are off by a unit per addition, and a weight of what is moved that is not exactly
// a share of 1 counts in full. Lengths that are not exactly 1 may exceed the price by as much.
double PartialSolver::safe(float cost, std::uint32_t row) const {
  constexpr double unit = 0x1p-24;
  double mass = bins_.mass;
  std::size_t bins = bins_.size();
  if (!moves_query_) {
    const Histogram moved = engine_.rows.sources()[row];
    mass = 0;
    for (const float weight : moved.weights) mass += static_cast<double>(weight);
    bins = moved.size();
  }
  const double relative = engine_.ground.promises().relative_error + core::length_tolerance +
                          static_cast<double>(bins + 8) * unit;
  return static_cast<double>(cost) * (1 - relative) -
         (4 * unit + std::abs(mass - 1)) * engine_.ground.promises().diameter;
}

// Room that falls short by rounding alone is enough to the solver.
double PartialSolver::price_of_lack(std::uint32_t row) const {
  const double row_mass = engine_.index.rows[row].mass;
  const double room = moves_query_ ? row_mass / query_.mass : query_.mass / row_mass;
  return price_ * (1 - room * (1 + 0x1p-19) - 0x1p-40);
}

template <class Body>
void PartialSolver::for_each_pair(Rows rows, const Run& run, const Body& body) {
  const Histograms& sources = engine_.rows.sources();
  const auto bins_of = [&](std::uint32_t row) {
    const std::size_t bins = sources[row].size();
    return moves_query_ ? std::pair(bins_.size(), bins) : std::pair(bins, bins_.size());
  };
  const auto needed = [&](std::uint32_t row) {
    const auto [from, to] = bins_of(row);
    return pairwise::PartialEmd::memory(from, to, engine_.index.vocabulary.dimensions());
  };
  const auto set = [&](std::uint32_t row, Solvers::Worker& worker) {
    const Histogram histogram = engine_.index.rows[row];
    pairwise::normalize(histogram.weights, worker.weights);
    if (!worker.emd) {
      worker.emd = std::make_unique<pairwise::PartialEmd>(engine_.index.vocabulary, price_,
                                                          engine_.rows.kernels());
      const auto [from, to] = bins_of(row);
      worker.emd->make_room(from, to);
    }
    if (moves_query_)
      worker.emd->set_pair(query_, query_weights_, histogram, worker.weights);
    else
      worker.emd->set_pair(histogram, worker.weights, query_, query_weights_);
  };
  solvers_.for_each(rows, run, needed, set, body);
}

void PartialSolver::plan_costs(Rows rows, std::span<double> upper, Run& run) {
  for_each_pair(rows, run, [&](std::size_t i, pairwise::PartialEmd& emd) {
    // Room for the rounding of both solvers, which work in double.
    upper[i] = emd.greedy_cost() * (1 + 0x1p-40) + 0x1p-40 * price_;
  });
}

void PartialSolver::solve(Rows rows, std::span<double> distances, Run& run) {
  for_each_pair(rows, run, [&](std::size_t i, pairwise::PartialEmd& emd) {
    distances[i] = emd.solve(&run.monitor);
  });
}

}  // namespace

std::unique_ptr<Solver> make_partial_solver(const Engine& engine, const Task& task,
                                            const Run& run) {
  return std::make_unique<PartialSolver>(engine, task, run);
}

std::uint64_t partial_solver_memory(const Engine& engine, std::size_t bins) {
  return query_memory(engine, rwmd_levels, 1) + query_memory_for(engine, bins, 1) +
         std::max(pairwise::PartialEmd::memory(engine.rows.most_bins(), bins,
                                               engine.index.vocabulary.dimensions()),
                  pairwise::PartialEmd::memory(bins, engine.rows.most_bins(),
                                               engine.index.vocabulary.dimensions()));
}

}  // namespace navvy::backends
