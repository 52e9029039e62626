// Tiles of ground distances by the kernels, and tables of batches of queries from them.
#include "backends/cpu/ground/tiles.hpp"

#include <algorithm>
#include <cmath>

#include "backends/cpu/tables/table_writer.hpp"

namespace navvy::backends {

using kernels::panel_rows;
using kernels::tile_rows;

LargeGround::LargeGround(const Ground& ground, const kernels::KernelTable& kernels)
    : ground_(ground),
      kernels_(kernels),
      panels_(tiles() * tile_rows * dimensions()),
      norms_(tiles() * tile_rows) {
  const Vocabulary& vocabulary = ground_.vocabulary();
  const std::size_t dimensions = vocabulary.dimensions();
  std::fill_n(panels_.data(), panels_.size(), 0.0F);
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    for (std::size_t d = 0; d < dimensions; ++d)
      panels_[(id / panel_rows * dimensions + d) * panel_rows + id % panel_rows] =
          vocabulary.coordinate(id)[d];
  kernels_.squared_norms(panels_.data(), tiles() * tile_rows / panel_rows, dimensions,
                         norms_.data());
}

PackedWords LargeGround::pack(std::span<const std::uint32_t> ids) const {
  constexpr std::size_t group = kernels::word_group;
  const Vocabulary& vocabulary = ground_.vocabulary();
  const std::size_t dimensions = vocabulary.dimensions();
  const std::size_t whole = (ids.size() + group - 1) / group * group;
  PackedWords words{{ids.begin(), ids.end()},
                    core::Buffer<float>(whole * dimensions),
                    core::Buffer<float>(whole)};
  for (std::size_t word = 0; word < whole; ++word) {
    const bool exists = word < ids.size();
    words.norms[word] = exists ? norms_[ids[word]] : 0;
    float* to = words.vectors.data() + word / group * group * dimensions + word % group;
    for (std::size_t d = 0; d < dimensions; ++d)
      to[d * group] = exists ? vocabulary.coordinate(ids[word])[d] : 0;
  }
  return words;
}

void LargeGround::squared_distances(std::size_t tile, const PackedWords& words,
                                    float* out) const noexcept {
  kernels_.squared_distances(
      {panels_.data(), norms_.data(), dimensions(), static_cast<std::uint32_t>(tile * tile_rows),
       words.vectors.data(), words.norms.data(), words.ids.data(), words.ids.size()},
      out);
  const float largest = ground_.largest_squared();
  if (std::isinf(largest)) return;
  for (std::size_t i = 0; i < words.tile_size(); ++i) out[i] = std::min(out[i], largest);
}

void LargeGround::distances(std::size_t tile, const PackedWords& words, float* out) const noexcept {
  squared_distances(tile, words, out);
  for (std::size_t i = 0; i < words.tile_size(); ++i) out[i] = std::sqrt(out[i]);
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
  std::vector<std::size_t> offsets{0};
  for (std::size_t query = first; query < first + count; ++query) {
    const auto coordinates = queries[query].coordinates;
    words_.insert(words_.end(), coordinates.begin(), coordinates.end());
    offsets.push_back(words_.size());
  }
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  places_.reserve(offsets.back());
  for (std::size_t query = first; query < first + count; ++query)
    for (const std::uint32_t coordinate : queries[query].coordinates)
      places_.push_back(static_cast<std::uint32_t>(
          std::lower_bound(words_.begin(), words_.end(), coordinate) - words_.begin()));
  for (std::size_t i = 0; i < count; ++i)
    bins_.push_back({places_.data() + offsets[i], queries[first + i].weights.data(),
                     queries[first + i].size()});
}

namespace {

// The 32 coordinates of one tile, for as many queries as a table has lanes.
void write_tile(const LargeGround& ground, std::size_t tile, const float* squares,
                std::span<const kernels::QueryBins> queries, TableWriter& writer,
                LaneTables& table) {
  for (std::size_t lane = 0; lane < table.lanes(); lane += TableWriter::group) {
    for (std::size_t i = 0; i < TableWriter::group; ++i)
      if (lane + i < queries.size() && queries[lane + i].count > 0)
        ground.kernels().k_smallest(squares, queries[lane + i], writer.levels(),
                                    table.levels().overflow, writer.planes(i));
      else
        writer.clear(i);
    writer.put(tile, ground.size(), lane, table);
  }
}

}  // namespace

void fill_tables(const LargeGround& ground, const QueryBatch& batch, std::span<LaneTables> tables,
                 core::Run& run) {
  struct Scratch {
    core::Buffer<float> tile;
    TableWriter writer;
  };
  const PackedWords words = ground.pack(batch.words());
  std::vector<Scratch> scratch;
  for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
    scratch.push_back({core::Buffer<float>(words.tile_size()),
                       TableWriter(ground.kernels(), tables[0].levels())});
  const std::size_t lanes = tables[0].lanes();
  run.monitor.begin("nearest bins", ground.tiles());
  run.pool.run(
      ground.tiles(),
      [&](std::size_t tile, unsigned thread) {
        Scratch& own = scratch[thread];
        ground.squared_distances(tile, words, own.tile.data());
        for (std::size_t table = 0; table < tables.size(); ++table)
          write_tile(ground, tile, own.tile.data(), batch.bins(table * lanes, lanes), own.writer,
                     tables[table]);
        run.monitor.add(1);
      },
      &run.monitor);
}

std::uint64_t tables_memory(const LargeGround& ground, unsigned threads) noexcept {
  return std::uint64_t{ground.size()} * (ground.dimensions() + std::uint64_t{threads} * tile_rows) *
         sizeof(float);
}

}  // namespace navvy::backends
