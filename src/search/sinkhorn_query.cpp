#include "search/sinkhorn_query.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pairwise/metric_emd.hpp"
#include "pairwise/sinkhorn.hpp"

namespace navvy::search {
namespace {

using kernels::scaling_lanes;

std::size_t padded(std::size_t count) {
  return (count + scaling_lanes - 1) / scaling_lanes * scaling_lanes;
}

// Weights scaled to sum 1, then zeros.
void fill_weights(const Histogram& histogram, std::span<double> out) {
  const double sum = std::accumulate(histogram.weights.begin(), histogram.weights.end(), 0.0);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = i < histogram.size() ? static_cast<double>(histogram.weights[i]) / sum : 0;
}

}  // namespace

SinkhornQuery::SinkhornQuery(const Engine& engine, const SinkhornOptions& options,
                             const core::Budget& budget, unsigned threads)
    : engine_(engine), options_(options), budget_(budget), workers_(threads) {
  pairwise::validate(options);
}

void SinkhornQuery::set_query(const Histogram& query, core::ThreadPool& pool) {
  coordinates_.clear();
  weights_.clear();
  for (std::size_t bin = 0; bin < query.size(); ++bin) {
    if (query.weights[bin] == 0) continue;
    coordinates_.push_back(query.coordinates[bin]);
    weights_.push_back(query.weights[bin]);
  }
  stride_ = padded(coordinates_.size());
  const std::size_t size = engine_.index.vocabulary.size();
  core::Budget(budget_).take(std::uint64_t{size} * stride_ * sizeof(float),
                             "the distances of a query to all coordinates");
  distances_.require(size * stride_);
  constexpr std::size_t tile = kernels::tile_rows;
  std::vector<std::vector<float>> scratch(pool.threads());
  const backends::PackedWords words =
      engine_.is_small ? backends::PackedWords() : engine_.large->pack(coordinates_);
  pool.run((size + tile - 1) / tile, [&](std::size_t t, unsigned thread) {
    if (!engine_.is_small) return fill_large(t, words, scratch[thread]);
    const std::size_t last = std::min((t + 1) * tile, size);
    for (std::size_t id = t * tile; id < last; ++id) fill_small(static_cast<std::uint32_t>(id));
  });
}

void SinkhornQuery::fill_small(std::uint32_t coordinate) {
  float* out = distances_.data() + coordinate * stride_;
  for (std::size_t bin = 0; bin < stride_; ++bin)
    out[bin] =
        bin < coordinates_.size() ? engine_.small->distance(coordinate, coordinates_[bin]) : 0.0F;
}

void SinkhornQuery::fill_large(std::size_t tile, const backends::PackedWords& words,
                               std::vector<float>& scratch) {
  constexpr std::size_t rows = kernels::tile_rows;
  scratch.resize(words.tile_size());
  engine_.large->squared_distances(tile, words, scratch.data());
  const std::size_t last = std::min((tile + 1) * rows, engine_.index.vocabulary.size());
  for (std::size_t id = tile * rows; id < last; ++id) {
    float* out = distances_.data() + id * stride_;
    for (std::size_t bin = 0; bin < stride_; ++bin)
      out[bin] = bin < coordinates_.size() ? std::sqrt(scratch[bin * rows + id % rows]) : 0.0F;
  }
}

double SinkhornQuery::distance(std::uint32_t row, unsigned thread) {
  const Histogram query{coordinates_, weights_};
  const Histogram histogram = engine_.rows.sources()[row];
  const kernels::KernelTable& kernels = engine_.rows.kernels();
  Worker& worker = workers_[thread];
  worker.costs.require(histogram.size() * stride_);
  for (std::size_t i = 0; i < histogram.size(); ++i)
    std::copy_n(distances_.data() + histogram.coordinates[i] * stride_, stride_,
                worker.costs.data() + i * stride_);
  const auto largest =
      static_cast<double>(kernels.largest(worker.costs.data(), histogram.size() * stride_));
  if (largest == 0) return 0;
  // The side that comes first is the one that is scaled first, whichever is the query.
  if (!pairwise::precedes(query, histogram))
    return iterate(histogram, query, worker.costs.data(), largest, worker);
  const std::size_t stride = padded(histogram.size());
  worker.turned.require(query.size() * stride);
  std::fill_n(worker.turned.data(), query.size() * stride, 0.0F);
  kernels.transpose(worker.costs.data(), stride_, histogram.size(), query.size(),
                    worker.turned.data(), stride);
  return iterate(query, histogram, worker.turned.data(), largest, worker);
}

double SinkhornQuery::iterate(const Histogram& rows, const Histogram& columns, const float* costs,
                              double largest, Worker& worker) {
  const double factor = options_.lambda / (options_.cost_scale > 0 ? options_.cost_scale : largest);
  if (factor * largest > pairwise::plain_limit) {
    TransportOptions options;
    options.sinkhorn = options_;
    const Transport result =
        transport({MeasureKind::sinkhorn, 1}, engine_.index.vocabulary, rows, columns, options);
    if (!result.converged) unconverged_.fetch_add(1, std::memory_order_relaxed);
    return result.distance;
  }
  const kernels::KernelTable& kernels = engine_.rows.kernels();
  const std::size_t stride = padded(columns.size());
  worker.kernel.require(rows.size() * stride);
  worker.vectors.require(2 * rows.size() + 3 * stride);
  kernels.exp_of_costs(costs, rows.size() * stride, factor, worker.kernel.data());
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
  for (int i = 0; !converged && i < options_.max_iterations; ++i)
    converged = kernels.scale(work) <= options_.tolerance;
  if (!converged) unconverged_.fetch_add(1, std::memory_order_relaxed);
  return kernels.plan_cost(work, costs);
}

}  // namespace navvy::search
