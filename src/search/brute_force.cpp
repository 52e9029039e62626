#include "search/brute_force.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <vector>

#include "backends/directed_cost.hpp"
#include "core/top.hpp"
#include "pairwise/metric_emd.hpp"
#include "search/baseline_tiles.hpp"
#include "search/sinkhorn_query.hpp"

namespace navvy::search {
namespace {

// The dot product of a row with a query's weights by coordinate, summed as the kernels do.
double dot(const backends::RowBlocks& rows, std::size_t row, const std::vector<float>& weights) {
  const Histogram histogram = rows.sources()[row];
  double total = 0;
  std::size_t bin = 0;
  for (const std::uint32_t end : rows.piece_ends(row)) {
    double sum = 0;
    for (; bin < end; ++bin)
      sum = std::fma(static_cast<double>(histogram.weights[bin]),
                     static_cast<double>(weights[histogram.coordinates[bin]]), sum);
    total += sum;
  }
  return total;
}

double squared_length(const Vocabulary& vocabulary, const Histogram& histogram) {
  double total = 0;
  std::size_t bin = 0;
  for (const std::uint32_t end : backends::piece_ends(vocabulary, histogram)) {
    double sum = 0;
    for (; bin < end; ++bin) {
      const auto weight = static_cast<double>(histogram.weights[bin]);
      sum = std::fma(weight, weight, sum);
    }
    total += sum;
  }
  return total;
}

// As tiles round them, so that every verb gives the same bits.
double rounded(double value) { return static_cast<double>(static_cast<float>(value)); }

class BowDistances : public RowDistances {
 public:
  explicit BowDistances(const Engine& engine) : engine_(engine) {}

  void set_query(const Histogram& query, core::ThreadPool& /*pool*/) override {
    weights_.assign(engine_.index.vocabulary.size(), 0);
    for (std::size_t bin = 0; bin < query.size(); ++bin)
      weights_[query.coordinates[bin]] = query.weights[bin];
    squared_ = squared_length(engine_.index.vocabulary, query);
  }

  double distance(std::uint32_t row, unsigned /*thread*/) override {
    return rounded(bow_distance(dot(engine_.rows, row, weights_),
                                search::squared_length(engine_.rows, row), squared_));
  }

 private:
  const Engine& engine_;
  std::vector<float> weights_;  // of the query by coordinate
  double squared_ = 0;
};

class WcdDistances : public RowDistances {
 public:
  WcdDistances(const Engine& engine, core::Budget budget)
      : engine_(engine), centroid_(engine.index.vocabulary.dimensions()) {
    budget.take(std::uint64_t{engine.rows.rows()} * centroid_.size() * sizeof(double),
                "the centroids of all rows");
  }

  void set_query(const Histogram& query, core::ThreadPool& pool) override {
    if (engine_.centroids.empty()) fill_centroids(pool);
    centroid(engine_.index.vocabulary, query, centroid_);
  }

  double distance(std::uint32_t row, unsigned /*thread*/) override {
    const auto other = of(row);
    double sum = 0;
    for (std::size_t d = 0; d < other.size(); ++d)
      sum += (other[d] - centroid_[d]) * (other[d] - centroid_[d]);
    return rounded(std::sqrt(sum));
  }

 private:
  // Once: for every query anew they would cost far more than the distances.
  void fill_centroids(core::ThreadPool& pool) {
    engine_.centroids.resize(engine_.rows.rows() * centroid_.size());
    pool.run(engine_.rows.rows(), [&](std::size_t row, unsigned) {
      centroid(engine_.index.vocabulary, engine_.rows.sources()[row], of(row));
    });
  }

  [[nodiscard]] std::span<double> of(std::size_t row) {
    return std::span(engine_.centroids).subspan(row * centroid_.size(), centroid_.size());
  }

  const Engine& engine_;
  std::vector<double> centroid_;  // of the query
};

class EmdDistances : public RowDistances {
 public:
  EmdDistances(const Engine& engine, unsigned threads, core::Monitor& monitor)
      : engine_(engine), monitor_(monitor) {
    for (unsigned thread = 0; thread < threads; ++thread)
      workers_.push_back({pairwise::MetricEmd(engine.index.vocabulary, engine.threshold), {}});
  }

  void set_query(const Histogram& query, core::ThreadPool& /*pool*/) override {
    query_ = query;
    pairwise::normalize(query.weights, weights_);
  }

  double distance(std::uint32_t row, unsigned thread) override {
    Worker& worker = workers_[thread];
    const Histogram histogram = engine_.index.rows[row];
    pairwise::normalize(histogram.weights, worker.weights);
    worker.emd.set_pair(histogram, worker.weights, query_, weights_);
    return worker.emd.solve(&monitor_);
  }

 private:
  struct Worker {
    pairwise::MetricEmd emd;
    std::vector<double> weights;
  };

  const Engine& engine_;
  core::Monitor& monitor_;
  Histogram query_;
  std::vector<double> weights_;
  std::vector<Worker> workers_;
};

}  // namespace

std::unique_ptr<RowDistances> row_distances(const Engine& engine, const RunOptions& options,
                                            const core::Budget& budget, unsigned threads,
                                            core::Monitor& monitor) {
  switch (options.measure.kind) {
    case MeasureKind::bow:
      return std::make_unique<BowDistances>(engine);
    case MeasureKind::wcd:
      return std::make_unique<WcdDistances>(engine, budget);
    case MeasureKind::sinkhorn:
      return std::make_unique<SinkhornQuery>(engine, options.sinkhorn, budget, threads);
    default:
      return std::make_unique<EmdDistances>(engine, threads, monitor);
  }
}

void search_brute_force(const Engine& engine, const Queries& queries, const SearchOptions& options,
                        const core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor,
                        Matches& matches) {
  const auto start = std::chrono::steady_clock::now();
  // Sinkhorn of one pair may take as long as the caller waits for its turn to stop.
  const std::size_t block = options.measure.kind == MeasureKind::sinkhorn ? 1 : 64;
  const std::size_t n = engine.rows.rows();
  std::vector<double> distances(n);
  monitor.begin("queries", queries.size() * n);
  const auto measure = row_distances(engine, options, budget, pool.threads(), monitor);
  for (std::size_t query = 0; query < queries.size(); ++query) {
    measure->set_query((*queries.histograms)[query], pool);
    pool.run((n + block - 1) / block,
             [&](std::size_t b, unsigned thread) {
               const std::size_t last = std::min((b + 1) * block, n);
               for (std::size_t row = b * block; row < last; ++row)
                 if (!engine.rows.is_empty(row))
                   distances[row] = measure->distance(static_cast<std::uint32_t>(row), thread);
               monitor.add(last - b * block);
             },
             &monitor);
    core::TopList<double> list(options.top);
    for (std::uint32_t row = 0; row < n; ++row)
      if (row != queries.own_row(query) && !engine.rows.is_empty(row))
        list.offer(distances[row], row);
    const auto& found = list.sorted();
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
      matches.rows[query * options.top + rank] = found[rank].row;
      matches.distances[query * options.top + rank] = found[rank].distance;
    }
  }
  matches.counters.unconverged = measure->unconverged();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  matches.counters.stages.push_back(
      {to_string(options.measure), std::uint64_t{n} * queries.size(), seconds.count()});
}

}  // namespace navvy::search
