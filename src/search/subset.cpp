#include "search/subset.hpp"

#include <algorithm>
#include <vector>

#include "backends/costs.hpp"
#include "core/buffer.hpp"
#include "search/knn.hpp"

namespace navvy::search {
namespace {

using backends::LaneTables;
using backends::RowBlocks;

}  // namespace

std::uint64_t subset_memory(const Engine& engine, const SmallTiles& tiles) {
  return (std::uint64_t{2} * engine.rows.rows() + panel_lanes) * panel_lanes * sizeof(float) +
         LaneTables::memory(engine.small->size(), panel_lanes, tiles.levels());
}

void subset_distances(const Engine& engine, const SmallTiles& tiles, Direction direction,
                      std::span<const std::uint32_t> chosen, core::ThreadPool& pool,
                      core::Monitor& monitor, const RowSink& sink) {
  const std::size_t n = engine.rows.rows();
  const auto all_tables = tiles.tables(0);
  LaneTables own_tables(engine.small->size(), panel_lanes, tiles.levels());
  backends::TableWriter writer(engine.rows.kernels(), tiles.levels());
  core::Buffer<float> into_chosen(n * panel_lanes);  // [row][chosen]
  core::Buffer<float> into_rows(all_tables.size() * panel_lanes *
                                panel_lanes);  // [table][chosen][64]
  std::vector<core::Buffer<float>> scratch;
  for (unsigned thread = 0; thread < pool.threads(); ++thread)
    scratch.emplace_back(RowBlocks::block_rows * panel_lanes);

  for (std::size_t first = 0; first < chosen.size(); first += panel_lanes) {
    const auto some = chosen.subspan(first, std::min(panel_lanes, chosen.size() - first));
    const Histograms queries = chosen_rows(engine.index.rows, some);
    const RowBlocks own_rows(engine.index.vocabulary, queries, true);
    fill_tables(*engine.small, writer, queries, {0, some.size()}, own_tables);
    pool.run(
        engine.rows.blocks(),
        [&](std::size_t block, unsigned thread) {
          backends::block_costs(engine.rows, block, own_tables,
                                into_chosen.data() + block * RowBlocks::block_rows * panel_lanes,
                                scratch[thread].data());
        },
        &monitor);
    pool.run(
        all_tables.size(),
        [&](std::size_t table, unsigned thread) {
          backends::block_costs(own_rows, 0, all_tables[table],
                                into_rows.data() + table * panel_lanes * panel_lanes,
                                scratch[thread].data());
        },
        &monitor);
    pool.run(some.size(), [&](std::size_t lane, unsigned) {
      std::vector<float> distances(n);
      for (std::size_t row = 0; row < n; ++row) {
        const float a = into_chosen[row * panel_lanes + lane];
        const float b =
            into_rows[(row / panel_lanes * panel_lanes + lane) * panel_lanes + row % panel_lanes];
        distances[row] = direction == Direction::symmetric           ? std::max(a, b)
                         : direction == Direction::database_to_query ? a
                                                                     : b;
      }
      sink(some[lane], distances);
    });
  }
}

}  // namespace navvy::search
