// Sinkhorn distances of one query to many rows, by kernels where numbers stay in range.
#include "backends/cpu/sinkhorn.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "backends/cpu/ground/bin_distances.hpp"
#include "backends/cpu/solve_each.hpp"
#include "navvy/error.hpp"
#include "pairwise/metric_emd.hpp"
#include "pairwise/sinkhorn.hpp"

namespace navvy::backends {
namespace {

using kernels::scaling_lanes;

constexpr const char* pair_memory = "the work on a pair of histograms";

std::size_t padded(std::size_t count) {
  return (count + scaling_lanes - 1) / scaling_lanes * scaling_lanes;
}

// Weights scaled to sum 1, then zeros.
void fill_weights(const Histogram& histogram, std::span<double> out) {
  const double sum = std::accumulate(histogram.weights.begin(), histogram.weights.end(), 0.0);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = i < histogram.size() ? static_cast<double>(histogram.weights[i]) / sum : 0;
}

// Of one pair with the row of the most bins: costs, costs turned, the kernel, and five vectors.
std::uint64_t pair_bytes(const Engine& engine, std::size_t bins) {
  const std::uint64_t most = padded(engine.rows.most_bins());
  return most * padded(bins) * (2 * sizeof(float) + sizeof(double)) +
         5 * std::max<std::uint64_t>(most, padded(bins)) * sizeof(double);
}

/// The ground distances of the query's bins to all coordinates are computed once where there is
/// room for them, so that a row only picks its lines; the iterations run on plain numbers, and in
/// logarithms, pair by pair, where those could leave their range.
class SinkhornSolver : public Solver {
 public:
  SinkhornSolver(const Engine& engine, const SinkhornOptions& options, const Run& run)
      : engine_(engine), options_(options), workers_(run.pool.threads()) {
    pairwise::validate(options);
  }

  void set_query(const Histogram& query, Run& run) override;
  [[nodiscard]] bool offers(Bound /*bound*/) const noexcept override { return false; }
  void raise(Bound /*bound*/, std::span<const std::uint32_t> /*rows*/, std::span<double> /*lower*/,
             Run& /*run*/) override {}
  /// The iterations' own plans: none is cheaper.
  void plan_costs(std::span<const std::uint32_t> rows, std::span<double> upper, Run& run) override {
    solve(rows, upper, run);
  }
  void solve(std::span<const std::uint32_t> rows, std::span<double> distances, Run& run) override;
  [[nodiscard]] std::size_t batch() const noexcept override { return 1; }
  [[nodiscard]] std::uint64_t unconverged() const noexcept override { return unconverged_; }

 private:
  struct Worker {
    core::Buffer<float> costs, turned;
    core::Buffer<double> kernel;
    core::Buffer<double> vectors;  // p and u, then q, v and sums
  };

  struct Costs {
    const float* values;  // in lines that are padded
    double largest;
  };

  double distance(std::uint32_t row, Worker& worker, const Run& run);
  double iterate(const Histogram& rows, const Histogram& columns, const Costs& costs,
                 Worker& worker, const Run& run);
  double iterate_in_logarithms(const Histogram& rows, const Histogram& columns);

  const Engine& engine_;
  SinkhornOptions options_;
  std::vector<Worker> workers_;
  std::vector<std::uint32_t> coordinates_;
  std::vector<float> weights_;
  std::size_t stride_ = 0;
  BinDistances distances_{engine_.slabs};
  std::atomic<std::uint64_t> unconverged_{0};
};

void SinkhornSolver::set_query(const Histogram& query, Run& run) {
  coordinates_.clear();
  weights_.clear();
  for (std::size_t bin = 0; bin < query.size(); ++bin) {
    if (query.weights[bin] == 0) continue;
    coordinates_.push_back(query.coordinates[bin]);
    weights_.push_back(query.weights[bin]);
  }
  stride_ = padded(coordinates_.size());
  if (distances_.set_query(coordinates_, pair_bytes(engine_, coordinates_.size()), run))
    distances_.fill(run, [](std::size_t, core::Range, const float*, unsigned) {});
}

void SinkhornSolver::solve(std::span<const std::uint32_t> rows, std::span<double> distances,
                           Run& run) {
  const auto try_one = [&](std::size_t i, unsigned thread) {
    try {
      distances[i] = distance(rows[i], workers_[thread], run);
      return true;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit) throw;
      workers_[thread] = Worker();
      return false;
    }
  };
  const auto make_room = [&] {
    for (Worker& worker : workers_) worker = Worker();
  };
  solve_each(rows.size(), run, try_one, make_room,
             [&](std::size_t i) { distances[i] = distance(rows[i], workers_.front(), run); });
}

double SinkhornSolver::distance(std::uint32_t row, Worker& worker, const Run& run) {
  const Histogram query{coordinates_, weights_};
  const Histogram histogram = engine_.rows.sources()[row];
  const kernels::KernelTable& kernels = engine_.rows.kernels();
  run.require(worker.costs, histogram.size() * stride_, pair_memory);
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    float* line = worker.costs.data() + i * stride_;
    distances_.line(histogram.coordinates[i], {line, query.size()});
    std::fill(line + query.size(), line + stride_, 0.0F);
  }
  const auto largest =
      static_cast<double>(kernels.largest(worker.costs.data(), histogram.size() * stride_));
  if (largest == 0) return 0;
  // The side that comes first is the one that is scaled first, whichever is the query.
  if (!pairwise::precedes(query, histogram))
    return iterate(histogram, query, {worker.costs.data(), largest}, worker, run);
  const std::size_t stride = padded(histogram.size());
  run.require(worker.turned, query.size() * stride, pair_memory);
  std::fill_n(worker.turned.data(), query.size() * stride, 0.0F);
  kernels.transpose(worker.costs.data(), stride_, histogram.size(), query.size(),
                    worker.turned.data(), stride);
  return iterate(query, histogram, {worker.turned.data(), largest}, worker, run);
}

double SinkhornSolver::iterate(const Histogram& rows, const Histogram& columns, const Costs& costs,
                               Worker& worker, const Run& run) {
  const double factor =
      options_.lambda / (options_.cost_scale > 0 ? options_.cost_scale : costs.largest);
  if (factor * costs.largest > pairwise::plain_limit) return iterate_in_logarithms(rows, columns);
  const kernels::KernelTable& kernels = engine_.rows.kernels();
  const std::size_t stride = padded(columns.size());
  run.require(worker.kernel, rows.size() * stride, pair_memory);
  run.require(worker.vectors, 2 * rows.size() + 3 * stride, pair_memory);
  kernels.exp_of_costs(costs.values, rows.size() * stride, factor, worker.kernel.data());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::fill_n(worker.kernel.data() + i * stride + columns.size(), stride - columns.size(), 0.0);
  double* p = worker.vectors.data();
  double* u = p + rows.size();
  double* q = u + rows.size();
  double* v = q + stride;
  fill_weights(rows, {p, rows.size()});
  fill_weights(columns, {q, stride});
  std::fill_n(u, rows.size(), 0.0);
  for (std::size_t j = 0; j < stride; ++j) v[j] = j < columns.size() ? 1 : 0;
  const kernels::Scaling work{
      worker.kernel.data(), rows.size(), columns.size(), stride, p, q, u, v, v + stride};
  kernels.scale(work);
  bool converged = false;
  constexpr int between_checks = 16;  // a pair may take longer than a caller likes to wait
  for (int i = 0; !converged && i < options_.max_iterations; ++i) {
    converged = kernels.scale(work) <= options_.tolerance;
    if (i % between_checks == 0) run.monitor.throw_if_stopped();
  }
  if (!converged) unconverged_.fetch_add(1, std::memory_order_relaxed);
  return kernels.plan_cost(work, costs.values);
}

double SinkhornSolver::iterate_in_logarithms(const Histogram& rows, const Histogram& columns) {
  TransportOptions options;
  options.sinkhorn = options_;
  const Transport result =
      transport({MeasureKind::sinkhorn, 1}, engine_.index.vocabulary, rows, columns, options);
  if (!result.converged) unconverged_.fetch_add(1, std::memory_order_relaxed);
  return result.distance;
}

}  // namespace

std::unique_ptr<Solver> make_sinkhorn_solver(const Engine& engine, const SinkhornOptions& options,
                                             const Run& run) {
  return std::make_unique<SinkhornSolver>(engine, options, run);
}

std::uint64_t sinkhorn_solver_memory(const Engine& engine, std::size_t bins) {
  return BinDistances::memory(engine.slabs, bins, 1) + pair_bytes(engine, bins);
}

}  // namespace navvy::backends
