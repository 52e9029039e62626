// A few grown rows in both roles, as queries and as rows, against all others.
#include "backends/cpu/coarse/growth.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/buffer.hpp"

namespace navvy::backends {
namespace {

using kernels::coarse_group;
using kernels::coarse_lanes;

// Up to 128 grown rows in both roles: as queries of their own table, and as rows that are moved.
struct GrownRows {
  GrownRows(const Engine& engine, const CoarsePlan& plan, std::span<const std::uint32_t> rows,
            const Run& run)
      : bins(engine.index.vocabulary, engine.rows, rows, plan.scale, run),
        count(rows.size()),
        table(engine.sorted->size(), plan.overflow_levels.size()) {
    CoarseTableMaker(engine, plan).fill(rows, table);
  }

  // Bytes of the tables of one.
  static std::uint64_t memory(const Engine& engine, const CoarsePlan& plan) {
    return CoarseTables::memory(engine.sorted->size(), plan.overflow_levels.size()) +
           CoarseTableMaker::memory(engine, plan);
  }

  CoarseRows bins;
  std::size_t count;
  CoarseTables table;
};

// Costs between the grown rows and a tile's worth of rows: [row][grown] and [table][grown][128].
class GrownCosts {
 public:
  void fill(const CoarseTiles& tiles, int slot, const GrownRows& grown, Range range) {
    std::fill_n(into_grown_.data(), into_grown_.size(), std::uint16_t{0});
    std::fill_n(into_rows_.data(), into_rows_.size(), std::uint16_t{0});
    charge(tiles, tiles.rows(), range, grown.table, into_grown_.data());
    const CoarseTables* tables = tiles.tables(slot, range.begin);
    for (std::size_t i = 0; i * coarse_lanes < range.size(); ++i)
      charge(tiles, grown.bins, {0, grown.count}, tables[i],
             into_rows_.data() + i * coarse_lanes * coarse_lanes);
  }

  // Of one grown row.
  std::span<const std::uint16_t> of(std::size_t lane, Direction direction, std::size_t count) {
    distances_.resize(count);
    for (std::size_t row = 0; row < count; ++row) {
      const std::uint16_t into = into_grown_[row * coarse_lanes + lane];
      const std::uint16_t from =
          into_rows_[(row / coarse_lanes * coarse_lanes + lane) * coarse_lanes +
                     row % coarse_lanes];
      distances_[row] = direction == Direction::symmetric           ? std::max(into, from)
                        : direction == Direction::database_to_query ? into
                                                                    : from;
    }
    return distances_;
  }

 private:
  // All levels of some rows against the queries of one table.
  void charge(const CoarseTiles& tiles, const CoarseRows& rows, Range range,
              const CoarseTables& table, std::uint16_t* costs) {
    const kernels::KernelTable& kernels = tiles.engine().rows.kernels();
    for (std::size_t row = range.begin; row < range.end; row += RowBlocks::block_rows)
      kernels.charge_coarse(rows.segments(row / RowBlocks::block_rows), table.nearest(),
                            costs + (row - range.begin) * coarse_lanes);
    if (tiles.plan().overflow_levels.empty()) return;
    for (std::size_t lane = 0; lane < coarse_lanes; lane += coarse_group)
      kernels.charge_coarse_overflow(rows.bins(range.begin), every_row_.data(), range.size(),
                                     table.overflow(lane / coarse_group), costs + lane);
  }

  static std::vector<std::uint32_t> numbers(std::size_t count) {
    std::vector<std::uint32_t> result(count);
    std::iota(result.begin(), result.end(), 0U);
    return result;
  }

  core::Buffer<std::uint16_t> into_grown_{tile_size * coarse_lanes};
  core::Buffer<std::uint16_t> into_rows_{tile_size * coarse_lanes};
  std::vector<std::uint32_t> every_row_ = numbers(tile_size);
  std::vector<std::uint16_t> distances_;
};

// Of the rows that grow, which are compared with a stretch.
std::vector<std::uint32_t> lists_against(const Growing& growing,
                                         const TileSchedule::Stretch& stretch) {
  std::vector<std::uint32_t> lists;
  for (std::uint32_t list = 0; list < growing.places.size(); ++list)
    if (!growing.border || (growing.places[list] < *growing.border) != (stretch.slot == 0))
      lists.push_back(list);
  return lists;
}

}  // namespace

void grown_costs(CoarseTiles& tiles, const Growing& growing,
                 std::span<const TileSchedule::Stretch> stretches, Run& run,
                 const CoarseSink& sink) {
  const std::vector<std::uint32_t>& order = tiles.plan().order;
  const core::Reservation reserved = run.budget.reserve(
      run.pool.threads() * GrownRows::memory(tiles.engine(), tiles.plan()), "longer lists");
  std::vector<GrownCosts> costs(run.pool.threads());
  for (const TileSchedule::Stretch& stretch : stretches) {
    const std::vector<std::uint32_t> lists = lists_against(growing, stretch);
    const std::size_t blocks = (lists.size() + coarse_lanes - 1) / coarse_lanes;
    if (blocks == 0) continue;
    const Range range = stretch.rows;
    tiles.prepare(stretch.slot, range, {0, order.size()}, run);
    run.monitor.begin("longer lists", blocks);
    run.pool.run(
        blocks,
        [&](std::size_t block, unsigned thread) {
          const std::size_t first = block * coarse_lanes;
          const auto some =
              std::span(lists).subspan(first).first(std::min(coarse_lanes, lists.size() - first));
          std::vector<std::uint32_t> rows;
          for (const std::uint32_t list : some) rows.push_back(order[growing.places[list]]);
          const GrownRows own(tiles.engine(), tiles.plan(), rows, run);
          for (std::size_t row = range.begin; row < range.end; row += tile_size) {
            const Range part{row, std::min(row + tile_size, range.end)};
            const std::size_t begin = std::clamp(stretch.begin, part.begin, part.end);
            costs[thread].fill(tiles, stretch.slot, own, part);
            for (std::size_t lane = 0; lane < some.size(); ++lane)
              sink({some[lane], begin,
                    costs[thread]
                        .of(lane, growing.direction, part.size())
                        .subspan(begin - part.begin)});
          }
          run.monitor.add(1);
        },
        &run.monitor);
  }
}

}  // namespace navvy::backends
