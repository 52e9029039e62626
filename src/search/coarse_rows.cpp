#include "search/coarse_rows.hpp"

#include <algorithm>
#include <vector>

#include "core/buffer.hpp"
#include "search/knn.hpp"
#include "search/small_tiles.hpp"

namespace navvy::search {
namespace {

using backends::CoarseRows;
using backends::CoarseTables;
using backends::RowBlocks;

// Up to 64 chosen rows in both roles: as queries of their own table, and as rows that are moved.
struct Chosen {
  Chosen(const Engine& engine, const CoarsePlan& plan, std::span<const std::uint32_t> chosen)
      : histograms(chosen_rows(engine.index.rows, chosen)),
        blocks(engine.index.vocabulary, histograms, true),
        rows(blocks, plan.scale),
        table(engine.small->size(), plan.chosen.size()) {
    backends::LaneTables tables(engine.small->size(), panel_lanes, plan.levels);
    backends::TableWriter writer(engine.rows.kernels(), plan.levels);
    fill_tables(*engine.small, writer, histograms, {0, histograms.size()}, tables);
    table.fill(tables, plan.chosen, plan.scale);
  }

  Histograms histograms;
  RowBlocks blocks;
  CoarseRows rows;
  CoarseTables table;
};

// Costs between the chosen rows and a tile's worth of rows: [row][chosen] and [table][chosen][64].
struct Costs {
  core::Buffer<std::uint16_t> into_chosen{tile_size * panel_lanes};
  core::Buffer<std::uint16_t> into_rows{tile_size * panel_lanes};
  std::vector<std::uint16_t> distances;

  void fill(const Engine& engine, const CoarseTiles& tiles, const Chosen& chosen, Range range) {
    const kernels::KernelTable& kernels = engine.rows.kernels();
    std::fill_n(into_chosen.data(), into_chosen.size(), std::uint16_t{0});
    std::fill_n(into_rows.data(), into_rows.size(), std::uint16_t{0});
    for (std::size_t row = range.begin; row < range.end; row += RowBlocks::block_rows)
      kernels.charge_coarse(tiles.rows().segments(row / RowBlocks::block_rows),
                            chosen.table.table(),
                            into_chosen.data() + (row - range.begin) * panel_lanes);
    const auto tables = tiles.tables(0);
    const std::size_t first = (range.begin - tiles.prepared(0).begin) / panel_lanes;
    for (std::size_t i = 0; i * panel_lanes < range.size(); ++i)
      kernels.charge_coarse(chosen.rows.segments(0), tables[first + i].table(),
                            into_rows.data() + i * panel_lanes * panel_lanes);
  }

  // Of one chosen row.
  std::span<const std::uint16_t> of(std::size_t lane, Direction direction, std::size_t count) {
    distances.resize(count);
    for (std::size_t row = 0; row < count; ++row) {
      const std::uint16_t into = into_chosen[row * panel_lanes + lane];
      const std::uint16_t from =
          into_rows[(row / panel_lanes * panel_lanes + lane) * panel_lanes + row % panel_lanes];
      distances[row] = direction == Direction::symmetric           ? std::max(into, from)
                       : direction == Direction::database_to_query ? into
                                                                   : from;
    }
    return distances;
  }
};

}  // namespace

void coarse_rows(const Engine& engine, CoarseTiles& tiles, Direction direction,
                 std::span<const std::uint32_t> chosen, core::ThreadPool& pool,
                 core::Monitor& monitor, const CoarseSink& sink) {
  const std::size_t n = engine.rows.rows();
  const std::size_t groups = (chosen.size() + panel_lanes - 1) / panel_lanes;
  std::vector<Costs> costs(pool.threads());
  const std::size_t step = std::max(tiles.prepared(0).size(), tile_size) / tile_size * tile_size;
  for (std::size_t begin = 0; begin < n; begin += step) {
    const Range range{begin, std::min(begin + step, n)};
    tiles.prepare(0, range, pool, monitor);
    monitor.begin("longer lists", groups);
    pool.run(
        groups,
        [&](std::size_t group, unsigned thread) {
          const auto some = chosen.subspan(group * panel_lanes)
                                .first(std::min(panel_lanes, chosen.size() - group * panel_lanes));
          const Chosen rows(engine, tiles.plan(), some);
          for (std::size_t row = range.begin; row < range.end; row += tile_size) {
            const Range part{row, std::min(row + tile_size, range.end)};
            costs[thread].fill(engine, tiles, rows, part);
            for (std::size_t lane = 0; lane < some.size(); ++lane)
              sink({some[lane], part.begin, costs[thread].of(lane, direction, part.size())},
                   thread);
          }
          monitor.add(1);
        },
        &monitor);
  }
}

}  // namespace navvy::search
