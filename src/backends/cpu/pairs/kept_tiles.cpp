// Runs batches of queries through all rows and keeps the costs.
#include "backends/cpu/pairs/kept_tiles.hpp"

#include <algorithm>

#include "backends/cpu/relaxation/block_costs.hpp"

namespace navvy::backends {
namespace {

// A table of 16 queries over 60,000 words is 4 MB and stays in the third-level cache while all rows
// pass by; one of 64 would not.
constexpr std::size_t lanes = 16;

// Larger batches share more words: of some thousand documents most words occur in several. Beyond
// that the tables only grow.
constexpr std::size_t default_batch = 4096;
constexpr std::uint64_t table_bytes = std::uint64_t{9} << 28U;

}  // namespace

KeptTiles::KeptTiles(const Engine& engine, Levels levels, std::size_t batch, const Run& run)
    : queries_(engine.index.rows),
      rows_(engine.rows),
      ground_(engine.slabs),
      levels_(levels),
      threads_(run.pool.threads()) {
  const std::uint64_t per_query = LaneTables::memory(ground_.size(), 1, levels);
  const std::uint64_t most_bytes = std::min(table_bytes, run.budget.left() / 4);
  const std::size_t fitting = std::max<std::uint64_t>(lanes, most_bytes / per_query);
  const std::size_t most = std::min(default_batch, fitting);
  const std::size_t batches = std::max<std::size_t>(1, (rows_.rows() + most - 1) / most);
  const std::size_t wanted = (rows_.rows() + batches - 1) / batches;  // all of about the same size
  batch_ = (std::max<std::size_t>(1, batch != 0 ? batch : wanted) + lanes - 1) / lanes * lanes;
}

std::uint64_t KeptTiles::memory_fixed() const noexcept {
  return LaneTables::memory(ground_.size(), batch_, levels_) + tables_memory(ground_, threads_);
}

void KeptTiles::prepare(int slot, Range queries, Range rows, Run& run) {
  Slot& target = slots_[static_cast<std::size_t>(slot)];
  if (target.queries == queries) return;
  target.queries = queries;
  target.costs.require(rows_.rows() * queries.size());
  if (tables_.empty())
    for (std::size_t table = 0; table < batch_ / lanes; ++table)
      tables_.emplace_back(ground_.size(), lanes, levels_);
  for (std::size_t first = queries.begin; first < queries.end; first += batch_)
    run_batch(target, first, rows, run);
}

void KeptTiles::run_batch(Slot& slot, std::size_t first, Range rows, Run& run) {
  const std::size_t count = std::min(batch_, slot.queries.end - first);
  const std::size_t used = (count + lanes - 1) / lanes;
  const QueryBatch batch(queries_, first, count);
  fill_tables(ground_, batch, std::span(tables_).first(used), run);

  struct Worker {
    core::Buffer<float> costs{RowBlocks::block_rows * lanes};
    core::Buffer<float> level{RowBlocks::block_rows * lanes};
    SlabNearest nearest;
  };
  std::vector<Worker> workers;
  for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
    workers.push_back({.nearest = SlabNearest(ground_)});
  run.monitor.begin("costs", used);
  // A thread keeps one table in its cache while all rows pass by.
  run.pool.run(
      used,
      [&](std::size_t table, unsigned thread) {
        Worker& own = workers[thread];
        const std::size_t lane_count = std::min(lanes, count - table * lanes);
        for (std::size_t block = rows.begin / RowBlocks::block_rows;
             block * RowBlocks::block_rows < rows.end; ++block) {
          block_costs(rows_, block, tables_[table], own.costs.data(), own.level.data());
          if (levels_.finish)
            finish_costs(rows_, block, tables_[table],
                         {queries_, first + table * lanes, own.nearest}, own.costs.data(),
                         own.level.data());
          const std::size_t begin = block * RowBlocks::block_rows;
          const std::size_t count_of_rows = std::min(RowBlocks::block_rows, rows_.rows() - begin);
          float* to = slot.costs.data() + begin * slot.queries.size() +
                      (first - slot.queries.begin) + table * lanes;
          for (std::size_t row = 0; row < count_of_rows; ++row)
            std::copy_n(own.costs.data() + row * lanes, lane_count, to + row * slot.queries.size());
        }
        run.monitor.add(1);
      },
      &run.monitor);
}

void KeptTiles::fill(Range rows, int slot, Range queries, unsigned /*thread*/, float* tile) {
  const Slot& source = slots_[static_cast<std::size_t>(slot)];
  for (std::size_t panel = 0; panel * panel_lanes < queries.size(); ++panel) {
    const std::size_t first = queries.begin + panel * panel_lanes;
    const std::size_t count = std::min(panel_lanes, queries.end - first);
    for (std::size_t row = rows.begin; row < rows.end; ++row)
      std::copy_n(source.costs.data() + row * source.queries.size() + first - source.queries.begin,
                  count, tile + (panel * tile_size + row - rows.begin) * panel_lanes);
  }
}

}  // namespace navvy::backends
