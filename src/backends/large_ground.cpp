#include "backends/large_ground.hpp"

#include <algorithm>
#include <cmath>

namespace navvy::backends {

using kernels::panel_rows;
using kernels::tile_rows;

LargeGround::LargeGround(const Vocabulary& vocabulary, const kernels::KernelTable& kernels)
    : vocabulary_(vocabulary),
      kernels_(kernels),
      panels_(tiles() * tile_rows * vocabulary.dimensions()),
      norms_(tiles() * tile_rows) {
  const std::size_t dimensions = vocabulary.dimensions();
  std::fill_n(panels_.data(), panels_.size(), 0.0F);
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    for (std::size_t d = 0; d < dimensions; ++d)
      panels_[(id / panel_rows * dimensions + d) * panel_rows + id % panel_rows] =
          vocabulary.coordinate(id)[d];
  kernels_.squared_norms(panels_.data(), tiles() * tile_rows / panel_rows, dimensions,
                         norms_.data());
}

void LargeGround::squared_distances(std::size_t tile, std::span<const std::uint32_t> words,
                                    float* out) const noexcept {
  kernels_.squared_distances(
      {panels_.data(), vocabulary_.coordinates().data(), norms_.data(), vocabulary_.dimensions(),
       static_cast<std::uint32_t>(tile * tile_rows), words.data(), words.size()},
      out);
}

float LargeGround::squared_distance(std::uint32_t a, std::uint32_t b) const noexcept {
  if (a == b) return 0;
  const auto x = vocabulary_.coordinate(a);
  const auto y = vocabulary_.coordinate(b);
  float dot = 0;
  for (std::size_t d = 0; d < x.size(); ++d) dot = std::fma(x[d], y[d], dot);
  const float norms = norms_[a] + norms_[b];
  const float squared = std::max(std::fma(dot, -2.0F, norms), 0.0F);
  if (squared >= norms * 0.25F) return squared;
  float direct = 0;
  for (std::size_t d = 0; d < x.size(); ++d) direct = std::fma(x[d] - y[d], x[d] - y[d], direct);
  return direct;
}

std::size_t LargeNearest::find_for(float weight, std::size_t coordinate, kernels::Overflow overflow,
                                   const NearestLevels& levels) {
  order_.clear();
  for (std::uint32_t bin = 0; bin < query_.size(); ++bin)
    order_.emplace_back(
        ground_.squared_distance(static_cast<std::uint32_t>(coordinate), query_.coordinates[bin]),
        bin);
  std::sort(order_.begin(), order_.end());
  float previous = 0;
  float filled = 0;
  std::size_t level = 0;
  for (; level < std::min(levels.steps.size(), order_.size()) && filled < weight; ++level) {
    const float distance = std::sqrt(order_[level].first);
    levels.capacities[level] = filled;
    levels.steps[level] = level == 0 ? distance : distance - previous;
    filled += query_.weights[order_[level].second];
    previous = distance;
  }
  if (overflow == kernels::Overflow::at_distance_zero && levels.steps[0] > 0)
    std::fill(levels.steps.begin() + 1,
              levels.steps.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, level)),
              0.0F);
  if (level < levels.steps.size()) levels.capacities[level] = filled;
  return level;
}

QueryBatch::QueryBatch(const Histograms& queries, std::size_t first, std::size_t count) {
  offsets_.push_back(0);
  for (std::size_t query = first; query < first + count; ++query) {
    queries_.push_back(queries[query]);
    const auto coordinates = queries[query].coordinates;
    words_.insert(words_.end(), coordinates.begin(), coordinates.end());
    offsets_.push_back(offsets_.back() + coordinates.size());
  }
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  places_.reserve(offsets_.back());
  for (const Histogram& query : queries_)
    for (const std::uint32_t coordinate : query.coordinates)
      places_.push_back(static_cast<std::uint32_t>(
          std::lower_bound(words_.begin(), words_.end(), coordinate) - words_.begin()));
}

namespace {

// Queries are brought side by side in groups of this many: a cache line of lanes.
constexpr std::size_t group = 16;

struct Scratch {
  core::Buffer<float> tile;
  core::Buffer<float> planes;  // of one group of queries
};

// Turns the planes of a group (lanes = coordinates) into table entries (lanes = queries).
void write_group(const LargeGround& ground, std::size_t tile, const float* planes,
                 std::size_t first_lane, LaneTables& tables) {
  const auto stored = static_cast<std::size_t>(tables.stored_levels());
  const std::size_t stride = 2 * stored * tile_rows;
  const std::size_t first = tile * tile_rows;
  const std::size_t count = std::min(tile_rows, ground.size() - first);
  const std::size_t lanes = tables.lanes();
  const auto turn = [&](std::size_t plane, float* to, std::size_t to_stride) {
    ground.kernels().transpose(planes + plane * tile_rows, stride, group, count, to, to_stride);
  };
  turn(0, tables.nearest() + first * lanes + first_lane, lanes);
  for (std::size_t level = 1; level < stored; ++level) {
    float* entry = tables.overflow(static_cast<int>(level)) + first * 2 * lanes + first_lane;
    turn(stored + level - 1, entry, 2 * lanes);
    turn(level, entry + lanes, 2 * lanes);
  }
}

}  // namespace

void fill_tables(const LargeGround& ground, const QueryBatch& batch, std::span<LaneTables> tables,
                 core::ThreadPool& pool, core::Monitor& monitor) {
  const Levels levels = tables[0].levels();
  const auto stored = static_cast<std::size_t>(tables[0].stored_levels());
  const std::size_t planes_per_query = 2 * stored * tile_rows;
  std::vector<Scratch> scratch;
  for (unsigned thread = 0; thread < pool.threads(); ++thread)
    scratch.push_back({core::Buffer<float>(batch.words().size() * tile_rows),
                       core::Buffer<float>(group * planes_per_query)});
  const std::size_t lanes = tables[0].lanes();
  monitor.begin("nearest bins", ground.tiles());
  pool.run(
      ground.tiles(),
      [&](std::size_t tile, unsigned thread) {
        Scratch& own = scratch[thread];
        ground.squared_distances(tile, batch.words(), own.tile.data());
        for (std::size_t first = 0; first < tables.size() * lanes; first += group) {
          for (std::size_t i = 0; i < group; ++i) {
            float* planes = own.planes.data() + i * planes_per_query;
            const bool used = first + i < batch.size() && batch.bins(first + i).count > 0;
            if (!used) {
              std::fill_n(planes, planes_per_query, 0.0F);
              continue;
            }
            ground.kernels().k_smallest(own.tile.data(), batch.bins(first + i), stored,
                                        levels.overflow, planes);
            if (levels.finish) std::fill_n(planes + (stored - 1) * tile_rows, tile_rows, 1.0F);
          }
          write_group(ground, tile, own.planes.data(), first % lanes, tables[first / lanes]);
        }
        monitor.add(1);
      },
      &monitor);
}

}  // namespace navvy::backends
