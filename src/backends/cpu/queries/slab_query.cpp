// Phase 1 of one query slab by slab; its distances to all words serve both directions.
#include "backends/cpu/queries/slab_query.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/pieces.hpp"

namespace navvy::backends {

using kernels::slab_rows;

namespace {

std::size_t table_size(const SlabGround& ground, const Levels& levels) {
  return ground.slabs() * slab_rows * 2 * table_width(levels);
}

}  // namespace

SlabQuery::SlabQuery(const SlabGround& ground, const RowBlocks& rows, const RowSet& index,
                     Levels levels, Run& run)
    : ground_(ground),
      rows_(rows),
      index_(index),
      levels_(levels),
      stored_(static_cast<std::size_t>(levels.count) + (levels.finish ? 1 : 0)),
      width_(table_width(levels)),
      table_(run.buffer<float>(table_size(ground, levels), "the table of a query")),
      all_rows_(run.buffer<std::uint32_t>(rows.rows(), "the rows of a query")) {
  std::fill_n(table_.data(), table_.size(), 0.0F);
  std::iota(all_rows_.data(), all_rows_.data() + all_rows_.size(), 0U);
  for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
    workers_.push_back({core::Buffer<float>(), core::Buffer<float>(2 * stored_ * slab_rows),
                        TableWriter(ground.kernels(), levels), SlabNearest(ground), PairCost()});
}

std::uint64_t SlabQuery::memory(const SlabGround& ground, const RowBlocks& rows,
                                const Levels& levels) noexcept {
  return std::uint64_t{table_size(ground, levels)} * sizeof(float) +
         std::uint64_t{rows.rows()} * sizeof(std::uint32_t);
}

std::uint64_t SlabQuery::memory_for(const SlabGround& ground, std::size_t bins,
                                    unsigned threads) noexcept {
  const std::uint64_t bundles = (bins + slab_rows - 1) / slab_rows;
  const std::uint64_t per_coordinate = bundles * slab_rows * sizeof(float);
  return (ground.slabs() + threads) * slab_rows * per_coordinate;
}

const float* SlabQuery::distances(std::size_t bundle) const noexcept {
  return distances_.data() + bundle * ground_.slabs() * slab_rows * slab_rows;
}

void SlabQuery::set_query(const Histogram& query, Run& run) {
  query_ = query;
  ends_ = core::piece_ends(index_.vocabulary, query);
  const std::size_t bundles = (query.size() + slab_rows - 1) / slab_rows;
  keeps_distances_ = run.try_require(distances_, bundles * ground_.slabs() * slab_rows * slab_rows);
  places_.resize(query.size());
  std::iota(places_.begin(), places_.end(), 0U);
  words_ = ground_.pack(query.coordinates);
  for (Worker& worker : workers_) {
    worker.slab.require(std::max(bundles * slab_rows * slab_rows, words_.slab_size()));
    // Nothing asks for the bins that fill the last bundle, but they are copied.
    std::fill_n(worker.slab.data(), worker.slab.size(), 0.0F);
    worker.nearest.set_query(query);
  }
  // Several slabs at once: a slab alone is done in microseconds.
  constexpr std::size_t step = 16;
  run.pool.run((ground_.slabs() + step - 1) / step,
               [&](std::size_t block, unsigned thread) {
                 const std::size_t last = std::min((block + 1) * step, ground_.slabs());
                 for (std::size_t slab = block * step; slab < last; ++slab)
                   fill_slab(slab, workers_[thread]);
               },
               &run.monitor);
}

void SlabQuery::fill_slab(std::size_t slab, Worker& worker) {
  const kernels::KernelTable& kernels = ground_.kernels();
  const std::size_t first = slab * slab_rows;
  ground_.squared_distances(slab, words_, worker.slab.data());
  kernels.k_smallest(worker.slab.data(), {places_.data(), query_.weights.data(), query_.size()},
                     stored_, levels_.overflow, worker.writer.planes(0));
  worker.writer.put(slab, width_, table_.data(), nullptr);
  if (!keeps_distances_) return;
  for (std::size_t bundle = 0; bundle * slab_rows < query_.size(); ++bundle)
    kernels.transpose(worker.slab.data() + bundle * slab_rows * slab_rows, slab_rows, slab_rows,
                      slab_rows, const_cast<float*>(distances(bundle)) + first * slab_rows,
                      slab_rows);
}

void SlabQuery::costs(std::size_t first, std::span<float> costs) const {
  this->costs(all_rows_.span().subspan(first, costs.size()), costs);
}

void SlabQuery::costs(std::span<const std::uint32_t> rows, std::span<float> costs) const {
  rows_.kernels().candidate_costs(rows_.whole_rows(), rows.data(), costs.size(),
                                  {table_.data(), width_}, costs.data());
}

void SlabQuery::distances_to_bins(std::uint32_t coordinate, std::span<float> out) const {
  for (std::size_t bin = 0; bin < out.size(); ++bin)
    out[bin] = std::sqrt(keeps_distances_
                             ? distances(bin / slab_rows)[coordinate * slab_rows + bin % slab_rows]
                             : ground_.squared_distance(coordinate, query_.coordinates[bin]));
}

float SlabQuery::into_query(std::uint32_t row, unsigned thread) {
  Worker& worker = workers_[thread];
  const std::size_t levels =
      levels_.finish ? query_.size() : static_cast<std::size_t>(levels_.count);
  return worker.cost(rows_.sources()[row], rows_.piece_ends(row), levels, levels_.overflow,
                     worker.nearest);
}

float SlabQuery::into_row(std::uint32_t row, unsigned thread) {
  Worker& worker = workers_[thread];
  const Histogram target = index_.rows[row];
  if (levels_.finish || !keeps_distances_) return into_row_by_pairs(target, worker);
  const kernels::QueryBins bins{target.coordinates.data(), target.weights.data(), target.size()};
  std::size_t filled = query_.size();  // the bundle of bins that the planes hold; none yet
  return worker.cost(
      query_, ends_, static_cast<std::size_t>(levels_.count),
      [&](std::size_t bin, std::span<float> capacities, std::span<float> steps) {
        float* planes = worker.planes.data();
        const std::size_t bundle = bin / slab_rows;
        if (bundle != filled)
          ground_.kernels().k_smallest(distances(bundle), bins, stored_, levels_.overflow, planes);
        filled = bundle;
        const std::size_t lane = bin % slab_rows;
        for (std::size_t level = 0; level < steps.size(); ++level) {
          capacities[level] = level == 0 ? 0 : planes[(stored_ + level - 1) * slab_rows + lane];
          steps[level] = planes[level * slab_rows + lane];
        }
        return steps.size();
      });
}

float SlabQuery::into_row_by_pairs(const Histogram& target, Worker& worker) {
  worker.nearest.set_query(target);
  const std::size_t levels =
      levels_.finish ? target.size() : static_cast<std::size_t>(levels_.count);
  const float cost = worker.cost(query_, ends_, levels, levels_.overflow, worker.nearest);
  worker.nearest.set_query(query_);
  return cost;
}

}  // namespace navvy::backends
