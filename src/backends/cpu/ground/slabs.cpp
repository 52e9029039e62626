// Slabs of ground distances by the kernels, and tables of batches of queries from them.
#include "backends/cpu/ground/slabs.hpp"

#include <algorithm>
#include <cmath>

#include "backends/cpu/tables/table_writer.hpp"

namespace navvy::backends {

using kernels::slab_rows;
using kernels::strip_rows;

SlabGround::SlabGround(const Ground& ground, const kernels::KernelTable& kernels)
    : ground_(ground),
      kernels_(kernels),
      strips_(slabs() * slab_rows * dimensions()),
      norms_(slabs() * slab_rows) {
  const Vocabulary& vocabulary = ground_.vocabulary();
  const std::size_t dimensions = vocabulary.dimensions();
  std::fill_n(strips_.data(), strips_.size(), 0.0F);
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    for (std::size_t d = 0; d < dimensions; ++d)
      strips_[(id / strip_rows * dimensions + d) * strip_rows + id % strip_rows] =
          vocabulary.coordinate(id)[d];
  kernels_.squared_norms(strips_.data(), slabs() * slab_rows / strip_rows, dimensions,
                         norms_.data());
}

PackedWords SlabGround::pack(std::span<const std::uint32_t> ids) const {
  constexpr std::size_t pack_size = kernels::word_pack;
  const Vocabulary& vocabulary = ground_.vocabulary();
  const std::size_t dimensions = vocabulary.dimensions();
  const std::size_t whole = (ids.size() + pack_size - 1) / pack_size * pack_size;
  PackedWords words{{ids.begin(), ids.end()},
                    core::Buffer<float>(whole * dimensions),
                    core::Buffer<float>(whole)};
  for (std::size_t word = 0; word < whole; ++word) {
    const bool exists = word < ids.size();
    words.norms[word] = exists ? norms_[ids[word]] : 0;
    float* to = words.vectors.data() + word / pack_size * pack_size * dimensions + word % pack_size;
    for (std::size_t d = 0; d < dimensions; ++d)
      to[d * pack_size] = exists ? vocabulary.coordinate(ids[word])[d] : 0;
  }
  return words;
}

void SlabGround::squared_distances(std::size_t slab, const PackedWords& words,
                                   float* out) const noexcept {
  kernels_.squared_distances(
      {strips_.data(), norms_.data(), dimensions(), static_cast<std::uint32_t>(slab * slab_rows),
       words.vectors.data(), words.norms.data(), words.ids.data(), words.ids.size()},
      out);
  const float largest = ground_.largest_squared();
  if (std::isinf(largest)) return;
  for (std::size_t i = 0; i < words.slab_size(); ++i) out[i] = std::min(out[i], largest);
}

std::size_t SlabNearest::find_for(float weight, std::size_t coordinate, kernels::Overflow overflow,
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

// The 32 coordinates of one slab, for as many queries as a table has lanes.
void write_slab(const SlabGround& ground, std::size_t slab, const float* squares,
                std::span<const kernels::QueryBins> queries, TableWriter& writer,
                LaneTables& table) {
  for (std::size_t lane = 0; lane < table.lanes(); lane += TableWriter::group) {
    for (std::size_t i = 0; i < TableWriter::group; ++i)
      if (lane + i < queries.size() && queries[lane + i].count > 0)
        ground.kernels().k_smallest(squares, queries[lane + i], writer.levels(),
                                    table.levels().overflow, writer.planes(i));
      else
        writer.clear(i);
    writer.put(slab, ground.size(), lane, table);
  }
}

}  // namespace

void fill_tables(const SlabGround& ground, const QueryBatch& batch, std::span<LaneTables> tables,
                 core::Run& run) {
  struct Worker {
    core::Buffer<float> slab;
    TableWriter writer;
  };
  const PackedWords words = ground.pack(batch.words());
  std::vector<Worker> workers;
  for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
    workers.push_back({core::Buffer<float>(words.slab_size()),
                       TableWriter(ground.kernels(), tables[0].levels())});
  const std::size_t lanes = tables[0].lanes();
  run.monitor.begin("nearest bins", ground.slabs());
  run.pool.run(
      ground.slabs(),
      [&](std::size_t slab, unsigned thread) {
        Worker& own = workers[thread];
        ground.squared_distances(slab, words, own.slab.data());
        for (std::size_t table = 0; table < tables.size(); ++table)
          write_slab(ground, slab, own.slab.data(), batch.bins(table * lanes, lanes), own.writer,
                     tables[table]);
        run.monitor.add(1);
      },
      &run.monitor);
}

std::uint64_t tables_memory(const SlabGround& ground, unsigned threads) noexcept {
  return std::uint64_t{ground.size()} * (ground.dimensions() + std::uint64_t{threads} * slab_rows) *
         sizeof(float);
}

}  // namespace navvy::backends
