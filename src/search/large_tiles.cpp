#include "search/large_tiles.hpp"

#include <algorithm>

#include "backends/costs.hpp"

namespace navvy::search {
namespace {

using backends::LaneTables;
using backends::RowBlocks;

// A table of 16 queries over 60,000 words is 4 MB and stays in the third-level cache while all rows
// pass by; one of 64 would not.
constexpr std::size_t lanes = 16;

// Larger batches share more words: of some thousand documents most words occur in several. Beyond
// that the tables only grow.
constexpr std::size_t default_batch = 4096;
constexpr std::uint64_t table_bytes = std::uint64_t{9} << 28U;

}  // namespace

LargeTiles::LargeTiles(const Index& index, const RowBlocks& rows,
                       const backends::LargeGround& ground, backends::Levels levels,
                       std::size_t batch, unsigned threads)
    : index_(index), rows_(rows), ground_(ground), levels_(levels), threads_(threads) {
  const std::uint64_t per_query = LaneTables::memory(ground.size(), 1, levels);
  const std::size_t fitting = std::max<std::uint64_t>(lanes, table_bytes / per_query);
  const std::size_t most = std::min(default_batch, fitting);
  const std::size_t batches = std::max<std::size_t>(1, (rows.rows() + most - 1) / most);
  const std::size_t wanted = (rows.rows() + batches - 1) / batches;  // all of about the same size
  batch_ = (std::max<std::size_t>(1, batch != 0 ? batch : wanted) + lanes - 1) / lanes * lanes;
}

std::uint64_t LargeTiles::memory_fixed() const noexcept {
  return LaneTables::memory(ground_.size(), batch_, levels_) +
         backends::tables_memory(ground_, threads_);
}

void LargeTiles::prepare(int slot, Range queries, core::ThreadPool& pool, core::Monitor& monitor) {
  Slot& target = slots_[static_cast<std::size_t>(slot)];
  target.queries = queries;
  target.costs.require(rows_.rows() * queries.size());
  if (tables_.empty())
    for (std::size_t table = 0; table < batch_ / lanes; ++table)
      tables_.emplace_back(ground_.size(), lanes, levels_);
  for (std::size_t first = queries.begin; first < queries.end; first += batch_)
    run_batch(target, first, pool, monitor);
}

void LargeTiles::run_batch(Slot& slot, std::size_t first, core::ThreadPool& pool,
                           core::Monitor& monitor) {
  const std::size_t count = std::min(batch_, slot.queries.end - first);
  const std::size_t used = (count + lanes - 1) / lanes;
  const backends::QueryBatch batch(index_.rows, first, count);
  backends::fill_tables(ground_, batch, std::span(tables_).first(used), pool, monitor);

  struct Scratch {
    core::Buffer<float> costs{RowBlocks::block_rows * lanes};
    core::Buffer<float> level{RowBlocks::block_rows * lanes};
    backends::LargeNearest nearest;
  };
  std::vector<Scratch> scratch;
  for (unsigned thread = 0; thread < pool.threads(); ++thread)
    scratch.push_back({.nearest = backends::LargeNearest(ground_)});
  monitor.begin("costs", used);
  // A thread keeps one table in its cache while all rows pass by.
  pool.run(
      used,
      [&](std::size_t table, unsigned thread) {
        Scratch& own = scratch[thread];
        const std::size_t lane_count = std::min(lanes, count - table * lanes);
        for (std::size_t block = 0; block < rows_.blocks(); ++block) {
          backends::block_costs(rows_, block, tables_[table], own.costs.data(), own.level.data());
          if (levels_.finish)
            backends::finish_costs(rows_, block, tables_[table], index_.rows, first + table * lanes,
                                   own.nearest, own.costs.data(), own.level.data());
          const std::size_t begin = block * RowBlocks::block_rows;
          const std::size_t rows = std::min(RowBlocks::block_rows, rows_.rows() - begin);
          float* to = slot.costs.data() + begin * slot.queries.size() +
                      (first - slot.queries.begin) + table * lanes;
          for (std::size_t row = 0; row < rows; ++row)
            std::copy_n(own.costs.data() + row * lanes, lane_count, to + row * slot.queries.size());
        }
        monitor.add(1);
      },
      &monitor);
}

void LargeTiles::fill(Range rows, int slot, Range queries, unsigned /*thread*/, float* tile) {
  const Slot& source = slots_[static_cast<std::size_t>(slot)];
  for (std::size_t panel = 0; panel * panel_lanes < queries.size(); ++panel) {
    const std::size_t first = queries.begin + panel * panel_lanes;
    const std::size_t count = std::min(panel_lanes, queries.end - first);
    for (std::size_t row = rows.begin; row < rows.end; ++row)
      std::copy_n(source.costs.data() + row * source.queries.size() + first - source.queries.begin,
                  count, tile + (panel * tile_size + row - rows.begin) * panel_lanes);
  }
}

}  // namespace navvy::search
