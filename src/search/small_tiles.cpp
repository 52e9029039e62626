#include "search/small_tiles.hpp"

#include <algorithm>

#include "backends/costs.hpp"

namespace navvy::search {

using backends::LaneTables;
using backends::RowBlocks;
using backends::SmallNearest;

SmallTiles::SmallTiles(const Index& index, const RowBlocks& rows,
                       const backends::SmallGround& ground, backends::Levels levels,
                       unsigned threads)
    : index_(index), rows_(rows), ground_(ground), levels_(levels) {
  for (unsigned thread = 0; thread < threads; ++thread)
    workers_.push_back({core::Buffer<float>(RowBlocks::block_rows * panel_lanes),
                        SmallNearest(ground),
                        backends::SmallWriter(ground, rows.kernels(), levels)});
}

std::uint64_t SmallTiles::memory_per_query() const noexcept {
  return LaneTables::memory(ground_.size(), 1, levels_);
}

void SmallTiles::prepare(int slot, Range queries, core::ThreadPool& pool, core::Monitor& monitor) {
  Slot& target = slots_[static_cast<std::size_t>(slot)];
  if (target.queries.begin == queries.begin && target.queries.end == queries.end) return;
  target.queries = queries;
  target.tables.clear();
  const std::size_t blocks = (queries.size() + panel_lanes - 1) / panel_lanes;
  for (std::size_t block = 0; block < blocks; ++block)
    target.tables.emplace_back(ground_.size(), panel_lanes, levels_);
  monitor.begin("tables", blocks);
  pool.run(
      blocks,
      [&](std::size_t block, unsigned thread) {
        const std::size_t begin = queries.begin + block * panel_lanes;
        workers_[thread].writer.write(
            index_.rows, begin, std::min(panel_lanes, queries.end - begin), target.tables[block]);
        monitor.add(1);
      },
      &monitor);
}

void SmallTiles::fill(Range rows, int slot, Range queries, unsigned thread, float* tile) {
  const Slot& source = slots_[static_cast<std::size_t>(slot)];
  const std::size_t first_panel = (queries.begin - source.queries.begin) / panel_lanes;
  const std::size_t panels = (queries.size() + panel_lanes - 1) / panel_lanes;
  for (std::size_t panel = 0; panel < panels; ++panel)
    for (std::size_t row = rows.begin; row < rows.end; row += RowBlocks::block_rows) {
      const LaneTables& tables = source.tables[first_panel + panel];
      const std::size_t block = row / RowBlocks::block_rows;
      float* costs = tile + (panel * tile_size + row - rows.begin) * panel_lanes;
      Worker& worker = workers_[thread];
      backends::block_costs(rows_, block, tables, costs, worker.scratch.data());
      if (levels_.finish)
        backends::finish_costs(rows_, block, tables, index_.rows,
                               queries.begin + panel * panel_lanes, worker.nearest, costs,
                               worker.scratch.data());
    }
}

}  // namespace navvy::search
