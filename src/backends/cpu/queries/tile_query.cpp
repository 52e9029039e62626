// Phase 1 of one query tile by tile; its distances to all words serve both directions.
#include "backends/cpu/queries/tile_query.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/pieces.hpp"

namespace navvy::backends {

using kernels::tile_rows;

namespace {

std::size_t table_size(const LargeGround& ground, const Levels& levels) {
  return ground.tiles() * tile_rows * 2 * table_width(levels);
}

}  // namespace

LargeQuery::LargeQuery(const LargeGround& ground, const RowBlocks& rows, const RowSet& index,
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
    workers_.push_back({core::Buffer<float>(), core::Buffer<float>(2 * stored_ * tile_rows),
                        TableWriter(ground.kernels(), levels), LargeNearest(ground),
                        DirectedCost()});
}

std::uint64_t LargeQuery::memory(const LargeGround& ground, const RowBlocks& rows,
                                 const Levels& levels) noexcept {
  return std::uint64_t{table_size(ground, levels)} * sizeof(float) +
         std::uint64_t{rows.rows()} * sizeof(std::uint32_t);
}

std::uint64_t LargeQuery::memory_for(const LargeGround& ground, std::size_t bins,
                                     unsigned threads) noexcept {
  const std::uint64_t groups = (bins + tile_rows - 1) / tile_rows;
  const std::uint64_t per_coordinate = groups * tile_rows * sizeof(float);
  return (ground.tiles() + threads) * tile_rows * per_coordinate;
}

const float* LargeQuery::distances(std::size_t group) const noexcept {
  return distances_.data() + group * ground_.tiles() * tile_rows * tile_rows;
}

void LargeQuery::set_query(const Histogram& query, Run& run) {
  query_ = query;
  ends_ = core::piece_ends(index_.vocabulary, query);
  const std::size_t groups = (query.size() + tile_rows - 1) / tile_rows;
  keeps_distances_ = run.try_require(distances_, groups * ground_.tiles() * tile_rows * tile_rows);
  places_.resize(query.size());
  std::iota(places_.begin(), places_.end(), 0U);
  words_ = ground_.pack(query.coordinates);
  for (Worker& worker : workers_) {
    worker.tile.require(std::max(groups * tile_rows * tile_rows, words_.tile_size()));
    // Nothing asks for the bins that fill the last group, but they are copied.
    std::fill_n(worker.tile.data(), worker.tile.size(), 0.0F);
    worker.nearest.set_query(query);
  }
  // Several tiles at once: a tile alone is done in microseconds.
  constexpr std::size_t step = 16;
  run.pool.run((ground_.tiles() + step - 1) / step,
               [&](std::size_t block, unsigned thread) {
                 const std::size_t last = std::min((block + 1) * step, ground_.tiles());
                 for (std::size_t tile = block * step; tile < last; ++tile)
                   fill_tile(tile, workers_[thread]);
               },
               &run.monitor);
}

void LargeQuery::fill_tile(std::size_t tile, Worker& worker) {
  const kernels::KernelTable& kernels = ground_.kernels();
  const std::size_t first = tile * tile_rows;
  ground_.squared_distances(tile, words_, worker.tile.data());
  kernels.k_smallest(worker.tile.data(), {places_.data(), query_.weights.data(), query_.size()},
                     stored_, levels_.overflow, worker.writer.planes(0));
  worker.writer.put(tile, width_, table_.data(), nullptr);
  if (!keeps_distances_) return;
  for (std::size_t group = 0; group * tile_rows < query_.size(); ++group)
    kernels.transpose(worker.tile.data() + group * tile_rows * tile_rows, tile_rows, tile_rows,
                      tile_rows, const_cast<float*>(distances(group)) + first * tile_rows,
                      tile_rows);
}

void LargeQuery::costs(std::size_t first, std::span<float> costs) const {
  this->costs(all_rows_.span().subspan(first, costs.size()), costs);
}

void LargeQuery::costs(std::span<const std::uint32_t> rows, std::span<float> costs) const {
  rows_.kernels().candidate_costs(rows_.whole_rows(), rows.data(), costs.size(),
                                  {table_.data(), width_}, costs.data());
}

void LargeQuery::distances_to_bins(std::uint32_t coordinate, std::span<float> out) const {
  for (std::size_t bin = 0; bin < out.size(); ++bin)
    out[bin] = std::sqrt(keeps_distances_
                             ? distances(bin / tile_rows)[coordinate * tile_rows + bin % tile_rows]
                             : ground_.squared_distance(coordinate, query_.coordinates[bin]));
}

float LargeQuery::into_query(std::uint32_t row, unsigned thread) {
  Worker& worker = workers_[thread];
  const std::size_t levels =
      levels_.finish ? query_.size() : static_cast<std::size_t>(levels_.count);
  return worker.cost(rows_.sources()[row], rows_.piece_ends(row), levels, levels_.overflow,
                     worker.nearest);
}

float LargeQuery::into_row(std::uint32_t row, unsigned thread) {
  Worker& worker = workers_[thread];
  const Histogram target = index_.rows[row];
  if (levels_.finish || !keeps_distances_) return into_row_by_pairs(target, worker);
  const kernels::QueryBins bins{target.coordinates.data(), target.weights.data(), target.size()};
  std::size_t filled = query_.size();  // the group of bins that the planes hold; none yet
  return worker.cost(
      query_, ends_, static_cast<std::size_t>(levels_.count),
      [&](std::size_t bin, std::span<float> capacities, std::span<float> steps) {
        float* planes = worker.planes.data();
        const std::size_t group = bin / tile_rows;
        if (group != filled)
          ground_.kernels().k_smallest(distances(group), bins, stored_, levels_.overflow, planes);
        filled = group;
        const std::size_t lane = bin % tile_rows;
        for (std::size_t level = 0; level < steps.size(); ++level) {
          capacities[level] = level == 0 ? 0 : planes[(stored_ + level - 1) * tile_rows + lane];
          steps[level] = planes[level * tile_rows + lane];
        }
        return steps.size();
      });
}

float LargeQuery::into_row_by_pairs(const Histogram& target, Worker& worker) {
  worker.nearest.set_query(target);
  const std::size_t levels =
      levels_.finish ? target.size() : static_cast<std::size_t>(levels_.count);
  const float cost = worker.cost(query_, ends_, levels, levels_.overflow, worker.nearest);
  worker.nearest.set_query(query_);
  return cost;
}

}  // namespace navvy::backends
