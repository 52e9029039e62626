#include "backends/large_query.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace navvy::backends {

using kernels::tile_rows;

namespace {

std::size_t table_size(const LargeGround& ground, const Levels& levels) {
  return ground.tiles() * tile_rows * 2 * table_width(levels);
}

// More is not kept for the next query: it would weigh on a process that has become idle.
constexpr std::size_t most_kept = std::size_t{64} << 20U;

}  // namespace

LargeQuery::LargeQuery(const LargeGround& ground, const RowBlocks& rows, const Index& index,
                       Levels levels, unsigned threads)
    : ground_(ground),
      rows_(rows),
      index_(index),
      levels_(levels),
      stored_(static_cast<std::size_t>(levels.count) + (levels.finish ? 1 : 0)),
      width_(table_width(levels)),
      memory_(ground.spare().take()),
      all_rows_(rows.rows()) {
  memory_.table.require(table_size(ground, levels));
  std::fill_n(memory_.table.data(), table_size(ground, levels), 0.0F);
  std::iota(all_rows_.begin(), all_rows_.end(), 0U);
  for (unsigned thread = 0; thread < threads; ++thread)
    workers_.push_back({core::Buffer<float>(), core::Buffer<float>(2 * stored_ * tile_rows),
                        TableWriter(ground.kernels(), levels), LargeNearest(ground),
                        DirectedCost()});
}

LargeQuery::~LargeQuery() {
  const std::size_t floats = memory_.table.size() + memory_.distances.size();
  if (floats * sizeof(float) <= most_kept) ground_.spare().give(std::move(memory_));
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
  return memory_.distances.data() + group * ground_.tiles() * tile_rows * tile_rows;
}

void LargeQuery::set_query(const Histogram& query, core::ThreadPool& pool, core::Monitor& monitor) {
  query_ = query;
  ends_ = piece_ends(index_.vocabulary, query);
  const std::size_t groups = (query.size() + tile_rows - 1) / tile_rows;
  memory_.distances.require(groups * ground_.tiles() * tile_rows * tile_rows);
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
  pool.run((ground_.tiles() + step - 1) / step,
           [&](std::size_t block, unsigned thread) {
             const std::size_t last = std::min((block + 1) * step, ground_.tiles());
             for (std::size_t tile = block * step; tile < last; ++tile)
               fill_tile(tile, workers_[thread]);
           },
           &monitor);
}

void LargeQuery::fill_tile(std::size_t tile, Worker& worker) {
  const kernels::KernelTable& kernels = ground_.kernels();
  const std::size_t first = tile * tile_rows;
  ground_.squared_distances(tile, words_, worker.tile.data());
  kernels.k_smallest(worker.tile.data(), {places_.data(), query_.weights.data(), query_.size()},
                     stored_, levels_.overflow, worker.writer.planes(0));
  worker.writer.put(tile, width_, memory_.table.data(), nullptr);
  for (std::size_t group = 0; group * tile_rows < query_.size(); ++group)
    kernels.transpose(worker.tile.data() + group * tile_rows * tile_rows, tile_rows, tile_rows,
                      tile_rows, const_cast<float*>(distances(group)) + first * tile_rows,
                      tile_rows);
}

void LargeQuery::costs(std::size_t first, std::span<float> costs) const {
  this->costs(std::span(all_rows_).subspan(first, costs.size()), costs);
}

void LargeQuery::costs(std::span<const std::uint32_t> rows, std::span<float> costs) const {
  rows_.kernels().candidate_costs(rows_.whole_rows(), rows.data(), costs.size(),
                                  {memory_.table.data(), width_}, costs.data());
}

void LargeQuery::distances_to_bins(std::uint32_t coordinate, std::span<float> out) const {
  for (std::size_t bin = 0; bin < out.size(); ++bin)
    out[bin] = std::sqrt(distances(bin / tile_rows)[coordinate * tile_rows + bin % tile_rows]);
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
  if (levels_.finish) return into_row_all_levels(target, worker);
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

float LargeQuery::into_row_all_levels(const Histogram& target, Worker& worker) {
  worker.nearest.set_query(target);
  const float cost = worker.cost(query_, ends_, target.size(), levels_.overflow, worker.nearest);
  worker.nearest.set_query(query_);
  return cost;
}

}  // namespace navvy::backends
