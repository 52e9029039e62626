// Keeps the tables of two ranges of queries and walks rows through them.
#include "backends/cpu/pairs/table_tiles.hpp"

#include <algorithm>

#include "backends/cpu/relaxation/block_costs.hpp"

namespace navvy::backends {

TableTiles::TableTiles(const Engine& engine, Levels levels, unsigned threads)
    : queries_(engine.index.rows), rows_(engine.rows), ground_(*engine.sorted), levels_(levels) {
  for (unsigned thread = 0; thread < threads; ++thread)
    workers_.push_back({core::Buffer<float>(RowBlocks::block_rows * panel_lanes),
                        SortedNearest(ground_), SortedWriter(ground_, rows_.kernels(), levels)});
}

std::uint64_t TableTiles::memory_per_query() const noexcept {
  return LaneTables::memory(ground_.size(), 1, levels_);
}

void TableTiles::prepare(int slot, Range queries, Range /*rows*/, Run& run) {
  Slot& target = slots_[static_cast<std::size_t>(slot)];
  if (target.queries == queries) return;
  target.queries = queries;
  target.tables.clear();
  const std::size_t blocks = (queries.size() + panel_lanes - 1) / panel_lanes;
  for (std::size_t block = 0; block < blocks; ++block)
    target.tables.emplace_back(ground_.size(), panel_lanes, levels_);
  run.monitor.begin("tables", blocks);
  run.pool.run(
      blocks,
      [&](std::size_t block, unsigned thread) {
        const std::size_t begin = queries.begin + block * panel_lanes;
        workers_[thread].writer.write(queries_, begin, std::min(panel_lanes, queries.end - begin),
                                      target.tables[block]);
        run.monitor.add(1);
      },
      &run.monitor);
}

void TableTiles::fill(Range rows, int slot, Range queries, unsigned thread, float* tile) {
  const Slot& source = slots_[static_cast<std::size_t>(slot)];
  const std::size_t first_panel = (queries.begin - source.queries.begin) / panel_lanes;
  const std::size_t panels = (queries.size() + panel_lanes - 1) / panel_lanes;
  for (std::size_t panel = 0; panel < panels; ++panel)
    for (std::size_t row = rows.begin; row < rows.end; row += RowBlocks::block_rows) {
      const LaneTables& tables = source.tables[first_panel + panel];
      const std::size_t block = row / RowBlocks::block_rows;
      float* costs = tile + (panel * tile_size + row - rows.begin) * panel_lanes;
      Worker& worker = workers_[thread];
      block_costs(rows_, block, tables, costs, worker.scratch.data());
      if (levels_.finish)
        finish_costs(rows_, block, tables,
                     {queries_, queries.begin + panel * panel_lanes, worker.nearest}, costs,
                     worker.scratch.data());
    }
}

}  // namespace navvy::backends
