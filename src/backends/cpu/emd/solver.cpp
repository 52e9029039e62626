// Bounds, plans and solves of one query, in blocks of rows over all threads.
#include "backends/cpu/emd/solver.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "backends/cpu/emd/pair_solvers.hpp"
#include "backends/cpu/emd/potentials.hpp"
#include "backends/cpu/emd/projections.hpp"
#include "backends/cpu/queries/query_against_rows.hpp"
#include "pairwise/metric_emd.hpp"

namespace navvy::backends {
namespace {

// act of so many iterations, or rwmd for 0.
Levels bound_levels(const SolverOptions& options) {
  return {options.iterations + 1, kernels::Overflow::everywhere};
}

// What a solver needs on one thread for queries of so many bins.
std::uint64_t bounds_memory(const Engine& engine, const SolverOptions& options, std::size_t bins) {
  const std::size_t size = engine.index.vocabulary.size();
  return query_memory(engine, bound_levels(options), 1) + query_memory_for(engine, bins, 1) +
         PotentialBounds::memory(size) + PotentialBounds::memory(size, bins);
}

void raise_to(double& lower, double bound) { lower = std::max(lower, bound); }

class EmdSolver : public Solver {
 public:
  EmdSolver(const Engine& engine, const SolverOptions& options, const Run& run)
      : engine_(engine), options_(options), solvers_(run.pool.threads()) {
    if (options.prepared) exact_tables(engine, run);
  }

  void set_query(const Histogram& query, Run& run) override;
  [[nodiscard]] bool offers(Bound bound) const noexcept override;
  void raise(Bound bound, std::span<const std::uint32_t> rows, std::span<double> lower,
             Run& run) override;
  void plan_costs(std::span<const std::uint32_t> rows, std::span<double> upper, Run& run) override;
  void solve(std::span<const std::uint32_t> rows, std::span<double> distances, Run& run) override;

  /// As many as there are functions that are evaluated together.
  [[nodiscard]] std::size_t batch() const noexcept override { return PotentialBounds::lanes; }

 private:
  using Solvers = PairSolvers<pairwise::MetricEmd>;
  using Rows = std::span<const std::uint32_t>;
  using Lower = std::span<double>;

  void raise_by_projections(Rows rows, Lower lower, const Run& run) const;
  void raise_into_query(Rows rows, Lower lower, const Run& run);
  void raise_into_row(Rows rows, Lower lower, const Run& run);
  void raise_by_ict(Rows rows, Lower lower, const Run& run);
  void raise_by_potentials(Rows rows, Lower lower, const Run& run);

  void make_bounds(Run& run);
  /// body(i, emd) for every row, with the solver of a thread set to the pair.
  template <class Body>
  void for_each_pair(Rows rows, const Run& run, const Body& body);
  [[nodiscard]] std::uint64_t pair_memory(std::uint32_t row) const;
  void set_pair(std::uint32_t row, Solvers::Worker& worker) const;
  void keep_function(const pairwise::MetricEmd& emd, std::vector<double>& g) const;

  /// A relaxed cost of that many levels less all that rounding may have added.
  [[nodiscard]] double safe(float cost, std::uint32_t row, std::size_t levels) const;
  [[nodiscard]] std::size_t most_bins(std::uint32_t row) const;
  [[nodiscard]] std::size_t levels() const noexcept {
    return static_cast<std::size_t>(options_.iterations) + 1;
  }

  const Engine& engine_;
  SolverOptions options_;
  Solvers solvers_;

  Histogram query_;
  std::vector<double> query_weights_;
  WeightedBins bins_, old_bins_;                // bounds forget the old query last
  std::vector<std::vector<double>> functions_;  // of the last solves: g by weighted bin

  // Made when a bound first asks for them.
  const ExactTables* tables_ = nullptr;
  core::Reservation reserved_, reserved_for_query_;
  std::unique_ptr<QueryAgainstRows> relaxed_;
  std::optional<PotentialBounds> potentials_;
  bool has_potentials_ = true;  // there is room for what they keep of a query
  bool knows_query_ = false;    // relaxed_ and potentials_
};

void EmdSolver::set_query(const Histogram& query, Run& /*run*/) {
  query_ = query;
  pairwise::normalize(query.weights, query_weights_);
  functions_.clear();
  if (knows_query_) old_bins_ = std::move(bins_);
  bins_ = WeightedBins(query);
  knows_query_ = false;
}

bool EmdSolver::offers(Bound bound) const noexcept {
  switch (bound) {
    case Bound::projections:
      return ExactTables::has_projections(engine_.ground);
    case Bound::into_query:
    case Bound::into_row:
    case Bound::ict:
      return true;
    case Bound::potentials:
      return options_.potentials && engine_.ground.promises().metric;
  }
  return false;
}

void EmdSolver::make_bounds(Run& run) {
  if (knows_query_) return;
  if (!relaxed_) {
    reserved_ = run.budget.reserve(PotentialBounds::memory(engine_.index.vocabulary.size()),
                                   "the bounds of a query");
    relaxed_ = query_against_rows(engine_, bound_levels(options_), Destinations::with_weight, run);
    potentials_.emplace(engine_, *tables_, *relaxed_);
  }
  relaxed_->set_query(bins_.histogram(), run);
  const std::uint64_t needed =
      PotentialBounds::memory(engine_.index.vocabulary.size(), bins_.size());
  if (needed > reserved_for_query_.bytes()) {
    reserved_for_query_ = core::Reservation();
    auto reserved = run.budget.try_reserve(needed);
    has_potentials_ = reserved.has_value();
    if (reserved) reserved_for_query_ = *std::move(reserved);
  }
  potentials_->set_query(bins_.histogram());
  knows_query_ = true;
}

void EmdSolver::raise(Bound bound, Rows rows, Lower lower, Run& run) {
  tables_ = &exact_tables(engine_, run);
  if (bound != Bound::projections) make_bounds(run);
  switch (bound) {
    case Bound::projections:
      return raise_by_projections(rows, lower, run);
    case Bound::into_query:
      return raise_into_query(rows, lower, run);
    case Bound::into_row:
      return raise_into_row(rows, lower, run);
    case Bound::ict:
      return raise_by_ict(rows, lower, run);
    case Bound::potentials:
      return raise_by_potentials(rows, lower, run);
  }
}

void EmdSolver::raise_by_projections(Rows rows, Lower lower, const Run& run) const {
  if (!tables_->projections) return;
  const Projections& projections = *tables_->projections;
  const std::vector<float> shadow = projections.shadow(bins_.histogram());
  for_each_in_blocks(rows.size(), 1024, run, [&](std::size_t i, unsigned) {
    const auto distance = static_cast<double>(projections.distance(shadow, rows[i]));
    raise_to(lower[i], distance * (1 - 0x1p-18) - projections.error());
  });
}

void EmdSolver::raise_into_query(Rows rows, Lower lower, const Run& run) {
  constexpr std::size_t block = 256;
  run.pool.run((rows.size() + block - 1) / block,
               [&](std::size_t b, unsigned thread) {
                 const Rows some =
                     rows.subspan(b * block, std::min(block, rows.size() - b * block));
                 float costs[block];
                 relaxed_->into_query(some, std::span(costs, some.size()), thread);
                 for (std::size_t i = 0; i < some.size(); ++i)
                   raise_to(lower[b * block + i], safe(costs[i], some[i], levels()));
               },
               &run.monitor);
}

void EmdSolver::raise_into_row(Rows rows, Lower lower, const Run& run) {
  for_each_in_blocks(rows.size(), 4, run, [&](std::size_t i, unsigned thread) {
    raise_to(lower[i], safe(relaxed_->into_row(rows[i], thread), rows[i], levels()));
  });
}

void EmdSolver::raise_by_ict(Rows rows, Lower lower, const Run& run) {
  for_each_in_blocks(rows.size(), 4, run, [&](std::size_t i, unsigned thread) {
    raise_to(lower[i], safe(relaxed_->ict(rows[i], thread), rows[i], most_bins(rows[i])));
  });
}

void EmdSolver::raise_by_potentials(Rows rows, Lower lower, const Run& run) {
  const auto functions = std::exchange(functions_, {});
  if (functions.empty() || !has_potentials_) return;
  potentials_->set_functions(functions, rows, run);
  for_each_in_blocks(rows.size(), 128, run, [&](std::size_t i, unsigned) {
    raise_to(lower[i], potentials_->lower_bound(rows[i]));
  });
}

// Sums over the bins of a row and over levels are off by a unit per addition; a weight that is
// compared with a sum of weights moves mass by a unit per level over at most the diameter; and
// masses that are not exactly 1 count in full.
double EmdSolver::safe(float cost, std::uint32_t row, std::size_t levels) const {
  constexpr double unit = 0x1p-24;
  const auto summed = static_cast<double>(most_bins(row) + levels + 8);
  const double relative = engine_.ground.promises().relative_error + summed * unit;
  const double moved = static_cast<double>(levels + 4) * unit + std::abs(tables_->masses[row] - 1) +
                       std::abs(bins_.mass - 1);
  return static_cast<double>(cost) * (1 - relative) - moved * engine_.ground.promises().diameter;
}

std::size_t EmdSolver::most_bins(std::uint32_t row) const {
  return std::max(engine_.rows.sources()[row].size(), bins_.size());
}

std::uint64_t EmdSolver::pair_memory(std::uint32_t row) const {
  return pairwise::MetricEmd::memory(engine_.rows.sources()[row].size(), bins_.size(),
                                     engine_.index.vocabulary.dimensions());
}

void EmdSolver::set_pair(std::uint32_t row, Solvers::Worker& worker) const {
  const Histogram histogram = engine_.index.rows[row];
  pairwise::normalize(histogram.weights, worker.weights);
  if (!worker.emd) {
    worker.emd = std::make_unique<pairwise::MetricEmd>(engine_.index.vocabulary, engine_.threshold,
                                                       engine_.rows.kernels());
    worker.emd->make_room(engine_.rows.sources()[row].size(), bins_.size());
  }
  worker.emd->set_pair(histogram, worker.weights, query_, query_weights_);
}

template <class Body>
void EmdSolver::for_each_pair(Rows rows, const Run& run, const Body& body) {
  solvers_.for_each(
      rows, run, [&](std::uint32_t row) { return pair_memory(row); },
      [&](std::uint32_t row, Solvers::Worker& worker) { set_pair(row, worker); }, body);
}

void EmdSolver::plan_costs(Rows rows, std::span<double> upper, Run& run) {
  for_each_pair(rows, run, [&](std::size_t i, pairwise::MetricEmd& emd) {
    // Room for the rounding of both solvers, which work in double.
    upper[i] = emd.greedy_cost() * (1 + 0x1p-40) + 0x1p-40 * engine_.ground.promises().diameter;
  });
}

void EmdSolver::solve(Rows rows, std::span<double> distances, Run& run) {
  // Of more solves than a batch the last leave their functions.
  const std::size_t kept = offers(Bound::potentials) ? std::min(rows.size(), batch()) : 0;
  const std::size_t first = rows.size() - kept;
  functions_.assign(kept, {});
  for_each_pair(rows, run, [&](std::size_t i, pairwise::MetricEmd& emd) {
    distances[i] = emd.solve(&run.monitor);
    if (i >= first) keep_function(emd, functions_[i - first]);
  });
  // Equal histograms leave no function.
  std::erase_if(functions_, [](const std::vector<double>& values) {
    return std::ranges::none_of(values, [](double value) { return std::isfinite(value); });
  });
}

void EmdSolver::keep_function(const pairwise::MetricEmd& emd, std::vector<double>& g) const {
  std::vector<double> all;
  emd.potentials(all);
  for (const std::uint32_t bin : bins_.positions) g.push_back(all[bin]);
}

}  // namespace

const ExactTables& exact_tables(const Engine& engine, const Run& run) {
  return engine.exact.get(
      [&] { return ExactTables(engine.ground, engine.rows.sources(), run.for_kept()); });
}

std::unique_ptr<Solver> make_emd_solver(const Engine& engine, const SolverOptions& options,
                                        const Run& run) {
  return std::make_unique<EmdSolver>(engine, options, run);
}

std::uint64_t emd_solver_memory(const Engine& engine, const SolverOptions& options,
                                std::size_t bins) {
  return bounds_memory(engine, options, bins) +
         pairwise::MetricEmd::memory(engine.rows.most_bins(), bins,
                                     engine.index.vocabulary.dimensions());
}

}  // namespace navvy::backends
