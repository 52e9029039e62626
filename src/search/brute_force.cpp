#include "search/brute_force.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "backends/directed_cost.hpp"
#include "core/top.hpp"
#include "search/baseline_tiles.hpp"

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

// One query against rows, for the measures that are not worth tables or cannot have them.
class PairDistances {
 public:
  PairDistances(const Engine& engine, const Histogram& query, const RunOptions& options)
      : engine_(engine), query_(query), measure_(options.measure) {
    transport_.direction = options.direction;
    transport_.sinkhorn = options.sinkhorn;
    const Vocabulary& vocabulary = engine.index.vocabulary;
    if (measure_.kind == MeasureKind::bow) {
      weights_.assign(vocabulary.size(), 0);
      for (std::size_t bin = 0; bin < query.size(); ++bin)
        weights_[query.coordinates[bin]] = query.weights[bin];
      squared_ = squared_length(vocabulary, query);
    } else if (measure_.kind == MeasureKind::wcd) {
      centroid_.resize(vocabulary.dimensions());
      centroid(vocabulary, query, centroid_);
    }
  }

  [[nodiscard]] double operator()(std::size_t row) const {
    switch (measure_.kind) {
      case MeasureKind::bow:
        return rounded(bow_distance(dot(engine_.rows, row, weights_),
                                    search::squared_length(engine_.rows, row), squared_));
      case MeasureKind::wcd:
        return rounded(centroid_distance(row));
      default:
        return transported(row);
    }
  }

  /// Pairs whose iterations stopped at their limit.
  [[nodiscard]] std::uint64_t unconverged() const noexcept { return unconverged_; }

 private:
  [[nodiscard]] double transported(std::size_t row) const {
    const Transport result =
        transport(measure_, engine_.index.vocabulary, engine_.index.rows[row], query_, transport_);
    if (!result.converged) unconverged_.fetch_add(1, std::memory_order_relaxed);
    return result.distance;
  }

  // As tiles round them, so that every verb gives the same bits.
  static double rounded(double value) { return static_cast<double>(static_cast<float>(value)); }

  [[nodiscard]] double centroid_distance(std::size_t row) const {
    std::vector<double> other(centroid_.size());
    centroid(engine_.index.vocabulary, engine_.rows.sources()[row], other);
    double sum = 0;
    for (std::size_t d = 0; d < other.size(); ++d)
      sum += (other[d] - centroid_[d]) * (other[d] - centroid_[d]);
    return std::sqrt(sum);
  }

  const Engine& engine_;
  Histogram query_;
  Measure measure_;
  TransportOptions transport_;
  std::vector<float> weights_;
  double squared_ = 0;
  std::vector<double> centroid_;
  mutable std::atomic<std::uint64_t> unconverged_{0};
};

}  // namespace

void pair_distances(const Engine& engine, const Histogram& query, std::size_t begin,
                    const RunOptions& options, std::span<double> distances) {
  const PairDistances distance(engine, query, options);
  for (std::size_t i = 0; i < distances.size(); ++i)
    distances[i] = engine.rows.is_empty(begin + i) ? std::numeric_limits<double>::quiet_NaN()
                                                   : distance(begin + i);
}

void search_brute_force(const Engine& engine, const Queries& queries, const SearchOptions& options,
                        core::ThreadPool& pool, core::Monitor& monitor, Matches& matches) {
  // One pair under sinkhorn may take as long as the caller waits for its turn to stop.
  const std::size_t block = options.measure.kind == MeasureKind::sinkhorn ? 1 : 64;
  const std::size_t n = engine.rows.rows();
  std::vector<double> distances(n);
  monitor.begin("queries", queries.size() * n);
  for (std::size_t query = 0; query < queries.size(); ++query) {
    const PairDistances distance(engine, (*queries.histograms)[query], options);
    pool.run((n + block - 1) / block,
             [&](std::size_t b, unsigned) {
               const std::size_t last = std::min((b + 1) * block, n);
               for (std::size_t row = b * block; row < last; ++row)
                 if (!engine.rows.is_empty(row)) distances[row] = distance(row);
               monitor.add(last - b * block);
             },
             &monitor);
    matches.counters.unconverged += distance.unconverged();
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
  matches.counters.stages.push_back(
      {to_string(options.measure), std::uint64_t{n} * queries.size(), 0});
}

}  // namespace navvy::search
