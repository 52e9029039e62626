// Loops in double over pairwise: no bound, no table, no order of its own. Numbers are rounded to
// float where the seam has floats, and nowhere else.
#include "backends/reference/reference.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "pairwise/metric_emd.hpp"

namespace navvy::backends {
namespace {

/// The distances of a task, under a ground distance that may have a threshold.
class PairDistance {
 public:
  PairDistance(const RowSet& set, double threshold, const Task& task)
      : set_(set), threshold_(threshold), measure_(task.measure) {
    options_.direction = task.direction;
    options_.sinkhorn = task.sinkhorn;
    if (measure_.kind == MeasureKind::emd) options_.price = task.price;
    if (measure_.kind == MeasureKind::emd_hat)
      threshold_ = std::min(threshold_, measure_.threshold);
    else if (measure_.kind == MeasureKind::emd && !std::isinf(threshold_))
      measure_.kind = MeasureKind::emd_hat;
    if (measure_.kind == MeasureKind::emd_hat) measure_.threshold = threshold_;
  }

  /// Of a query and a row, both of which have weight.
  [[nodiscard]] Transport operator()(const Histogram& query, std::size_t row, Run& run) const {
    TransportOptions options = options_;
    options.progress = [&](const Progress&) { return run.monitor.check(); };
    const Histogram p = set_.rows[row];
    const bool moves = is_relaxation(measure_) || measure_.kind == MeasureKind::sinkhorn;
    if (!moves || std::isinf(threshold_))
      return transport(measure_, set_.vocabulary, p, query, options);
    std::vector<double> costs = ground_distances(set_.vocabulary, p, query);
    for (double& cost : costs) cost = std::min(cost, threshold_);
    std::vector<double> p_weights;
    std::vector<double> q_weights;
    pairwise::normalize(p.weights, p_weights);
    pairwise::normalize(query.weights, q_weights);
    return transport(measure_, p_weights, q_weights, {p.size(), query.size(), costs}, options);
  }

  [[nodiscard]] float rounded(const Histogram& query, std::size_t row, Run& run) const {
    return static_cast<float>((*this)(query, row, run).distance);
  }

  [[nodiscard]] const Histograms& rows() const noexcept { return set_.rows; }
  [[nodiscard]] bool is_empty(std::size_t row) const noexcept {
    return navvy::is_empty(set_.rows[row]);
  }

 private:
  RowSet set_;
  double threshold_;
  Measure measure_;
  TransportOptions options_;
};

class ReferenceQueries : public QueryBlock {
 public:
  explicit ReferenceQueries(PairDistance distance) : distance_(std::move(distance)) {}

  [[nodiscard]] std::size_t block() const noexcept override { return 1; }
  void prepare(const Histograms& queries, Range /*range*/, Run& /*run*/) override {
    queries_ = &queries;
  }
  Bounds bounds(std::size_t query) override {
    query_ = (*queries_)[query];
    return {};
  }
  void distances(std::span<const std::uint32_t> rows, std::span<float> out, Run& run) override {
    run.pool.run(
        rows.size(),
        [&](std::size_t i, unsigned) { out[i] = distance_.rounded(query_, rows[i], run); },
        &run.monitor);
  }

 private:
  PairDistance distance_;
  const Histograms* queries_ = nullptr;
  Histogram query_;
};

class ReferencePairs : public PairStage {
 public:
  explicit ReferencePairs(PairDistance distance) : distance_(std::move(distance)) {}

  [[nodiscard]] bool exact() const noexcept override { return true; }

  /// A unit is a row with those before it.
  [[nodiscard]] std::size_t units() const noexcept override { return distance_.rows().size(); }

  void list(Range units, CandidateLists& lists, Run& run) override {
    run.monitor.begin("pairs", this->units());
    run.monitor.add(units.begin);
    run.pool.run(
        units.size(),
        [&](std::size_t unit, unsigned) {
          list_row(static_cast<std::uint32_t>(units.begin + unit), lists, run);
          run.monitor.add(1);
        },
        &run.monitor);
  }

 private:
  void list_row(std::uint32_t row, CandidateLists& lists, Run& run) const {
    if (distance_.is_empty(row)) return;
    const Histograms& rows = distance_.rows();
    std::vector<Found> own;
    std::vector<Found> others;
    for (std::uint32_t other = 0; other < row; ++other) {
      if (distance_.is_empty(other)) continue;
      own.push_back({row, other, distance_.rounded(rows[row], other, run)});
      others.push_back({other, row, distance_.rounded(rows[other], row, run)});
    }
    lists.offer({row, row + std::size_t{1}}, own);
    lists.offer({0, row}, others);
  }

  PairDistance distance_;
};

class ReferenceSolver : public Solver {
 public:
  explicit ReferenceSolver(PairDistance distance) : distance_(std::move(distance)) {}

  void set_query(const Histogram& query, Run& /*run*/) override { query_ = query; }
  [[nodiscard]] bool offers(Bound /*bound*/) const noexcept override { return false; }
  void raise(Bound /*bound*/, std::span<const std::uint32_t> /*rows*/, std::span<double> /*lower*/,
             Run& /*run*/) override {}
  void plan_costs(std::span<const std::uint32_t> rows, std::span<double> upper, Run& run) override {
    solve(rows, upper, run);
  }
  void solve(std::span<const std::uint32_t> rows, std::span<double> distances, Run& run) override {
    run.pool.run(
        rows.size(),
        [&](std::size_t i, unsigned) {
          const Transport result = distance_(query_, rows[i], run);
          distances[i] = result.distance;
          if (!result.converged) unconverged_.fetch_add(1, std::memory_order_relaxed);
        },
        &run.monitor);
  }
  [[nodiscard]] std::size_t batch() const noexcept override { return 1; }
  [[nodiscard]] std::uint64_t unconverged() const noexcept override { return unconverged_; }

 private:
  PairDistance distance_;
  Histogram query_;
  std::atomic<std::uint64_t> unconverged_{0};
};

class ReferenceRows : public PreparedRows {
 public:
  ReferenceRows(RowSet set, double threshold) : set_(std::move(set)), threshold_(threshold) {}

  [[nodiscard]] std::size_t rows() const noexcept override { return set_.rows.size(); }
  [[nodiscard]] bool is_empty(std::size_t row) const noexcept override {
    return navvy::is_empty(set_.rows[row]);
  }

  void prepare(const Task& /*task*/, Run& /*run*/) const override {}

  [[nodiscard]] std::unique_ptr<QueryBlock> queries(const Task& task, std::size_t /*queries*/,
                                                    Run& /*run*/) const override {
    return std::make_unique<ReferenceQueries>(distance(task));
  }
  [[nodiscard]] std::unique_ptr<PairStage> pairs(const Task& task, const ListsWanted& /*lists*/,
                                                 Run& /*run*/) const override {
    return std::make_unique<ReferencePairs>(distance(task));
  }

  void matrix(const Task& task, Range queries, Range rows, Run& run,
              const StripeSink& sink) const override {
    const PairDistance distance = this->distance(task);
    core::Buffer<float> values = run.buffer<float>(rows.size(), "a row of the matrix");
    run.monitor.begin("distances", queries.size());
    for (std::size_t query = queries.begin; query < queries.end; ++query) {
      run.pool.run(
          rows.size(),
          [&](std::size_t i, unsigned) {
            const std::size_t row = rows.begin + i;
            values[i] = is_empty(query) || is_empty(row)
                            ? std::numeric_limits<float>::quiet_NaN()
                            : distance.rounded(set_.rows[query], row, run);
          },
          &run.monitor);
      run.monitor.add(1);
      sink(query - queries.begin, 1, values.span());
    }
  }

  [[nodiscard]] std::unique_ptr<Solver> solver(const Task& task, const SolverOptions& /*options*/,
                                               Run& /*run*/) const override {
    return std::make_unique<ReferenceSolver>(distance(task));
  }
  [[nodiscard]] std::uint64_t solver_memory(const Task& /*task*/, const SolverOptions& /*options*/,
                                            std::size_t /*bins*/, Run& /*run*/) const override {
    return 0;
  }

 private:
  [[nodiscard]] PairDistance distance(const Task& task) const { return {set_, threshold_, task}; }

  RowSet set_;
  double threshold_;
};

class ReferenceBackend : public Backend {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "reference"; }
  [[nodiscard]] std::unique_ptr<const PreparedRows> prepare(const RowSet& rows, double threshold,
                                                            Run& /*run*/) const override {
    return std::make_unique<ReferenceRows>(rows, threshold);
  }
};

}  // namespace

const Backend& reference_backend() {
  static const ReferenceBackend backend;
  return backend;
}

}  // namespace navvy::backends
