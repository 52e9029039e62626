#include "search/coarse_pairs.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "search/small_tiles.hpp"

namespace navvy::search {

using backends::CoarseTables;
using backends::LaneTables;
using backends::RowBlocks;

static_assert(panel_lanes == kernels::coarse_lanes);

CoarseTiles::CoarseTiles(const Engine& engine, CoarsePlan plan, unsigned threads)
    : engine_(engine), plan_(std::move(plan)), rows_(engine.rows, plan_.scale) {
  for (unsigned thread = 0; thread < threads; ++thread)
    workers_.push_back({backends::TableWriter(engine.rows.kernels(), plan_.levels),
                        LaneTables(engine.small->size(), panel_lanes, plan_.levels)});
}

std::uint64_t CoarseTiles::memory_per_query() const noexcept {
  return CoarseTables::memory(engine_.small->size(), plan_.chosen.size()) / panel_lanes;
}

std::uint64_t CoarseTiles::memory_fixed() const noexcept {
  return backends::CoarseRows::memory(engine_.rows) +
         workers_.size() * LaneTables::memory(engine_.small->size(), panel_lanes, plan_.levels);
}

void CoarseTiles::prepare(int slot, Range queries, core::ThreadPool& pool, core::Monitor& monitor) {
  Slot& target = slots_[static_cast<std::size_t>(slot)];
  if (target.queries.begin == queries.begin && target.queries.end == queries.end) return;
  target.queries = queries;
  target.tables.clear();
  const std::size_t blocks = (queries.size() + panel_lanes - 1) / panel_lanes;
  for (std::size_t block = 0; block < blocks; ++block)
    target.tables.emplace_back(engine_.small->size(), plan_.chosen.size());
  monitor.begin("tables", blocks);
  pool.run(
      blocks,
      [&](std::size_t block, unsigned thread) {
        Worker& worker = workers_[thread];
        const std::size_t begin = queries.begin + block * panel_lanes;
        fill_tables(*engine_.small, worker.writer, engine_.index.rows,
                    {begin, std::min(begin + panel_lanes, queries.end)}, worker.tables);
        target.tables[block].fill(worker.tables, plan_.chosen, plan_.scale);
        monitor.add(1);
      },
      &monitor);
}

void CoarseTiles::fill(Range rows, int slot, Range queries, std::uint16_t* tile) const {
  const Slot& source = slots_[static_cast<std::size_t>(slot)];
  const std::size_t first_panel = (queries.begin - source.queries.begin) / panel_lanes;
  const std::size_t panels = (queries.size() + panel_lanes - 1) / panel_lanes;
  for (std::size_t panel = 0; panel < panels; ++panel) {
    std::uint16_t* costs = tile + panel * tile_size * panel_lanes;
    std::fill_n(costs, rows.size() * panel_lanes, std::uint16_t{0});
    for (std::size_t row = rows.begin; row < rows.end; row += RowBlocks::block_rows)
      engine_.rows.kernels().charge_coarse(rows_.segments(row / RowBlocks::block_rows),
                                           source.tables[first_panel + panel].table(),
                                           costs + (row - rows.begin) * panel_lanes);
  }
}

namespace {

constexpr std::size_t tile_entries = tile_size * tile_size;

struct CoarseScratch {
  core::Buffer<std::uint16_t> forward{tile_entries};   // rows I into queries J
  core::Buffer<std::uint16_t> backward{tile_entries};  // rows J into queries I
  core::Buffer<std::uint32_t> places{panel_lanes * panel_lanes};
};

// One 64 x 64 square of a tile: rows i0.. into queries j0.., and the other way round.
struct CoarseSquare {
  const std::uint16_t* forward;
  const std::uint16_t* backward;
  std::size_t i0, i_count;
  std::size_t j0, j_count;
};

// Which lists take a pair's cost.
struct Takers {
  bool rows;
  bool lanes;
};

class CoarseJob {
 public:
  CoarseJob(const CoarseTiles& tiles, const RowBlocks& rows, Direction direction, unsigned threads,
            Lists& lists)
      : tiles_(tiles),
        rows_(rows),
        direction_(direction),
        scratch_(threads),
        locks_((rows.rows() + tile_size - 1) / tile_size),
        lists_(lists) {}

  void run_tile(const TilePair& tile, unsigned thread) {
    const auto [i, j, slot_i, slot_j] = tile;
    CoarseScratch& scratch = scratch_[thread];
    const bool diagonal = i.begin == j.begin;
    tiles_.fill(i, slot_j, j, scratch.forward.data());
    if (!diagonal) tiles_.fill(j, slot_i, i, scratch.backward.data());
    const std::uint16_t* backward = diagonal ? scratch.forward.data() : scratch.backward.data();

    const std::scoped_lock lock(locks_[i.begin / tile_size]);
    std::unique_lock<std::mutex> second;
    if (!diagonal) second = std::unique_lock(locks_[j.begin / tile_size]);
    for (std::size_t a = 0; a < i.size(); a += panel_lanes)
      for (std::size_t b = 0; b < j.size(); b += panel_lanes)
        offer_square(
            {scratch.forward.data() + (b / panel_lanes * tile_size + a) * panel_lanes,
             backward + (a / panel_lanes * tile_size + b) * panel_lanes, i.begin + a,
             std::min(panel_lanes, i.size() - a), j.begin + b, std::min(panel_lanes, j.size() - b)},
            diagonal, scratch.places.data());
  }

 private:
  // On the diagonal tile every pair comes twice; one of them is enough for each list.
  void offer_square(const CoarseSquare& square, bool diagonal, std::uint32_t* places) {
    if (direction_ == Direction::symmetric) {
      offer<true>(square, {!diagonal, true}, places);
      return;
    }
    const bool into_lanes = direction_ == Direction::database_to_query;
    offer<false>(square, {!into_lanes, into_lanes}, places);
    if (diagonal) return;
    const CoarseSquare turned{square.backward, square.forward, square.j0,
                              square.j_count,  square.i0,      square.i_count};
    offer<false>(turned, {!into_lanes, into_lanes}, places);
  }

  // Of the larger of two costs the first decides for most pairs; the other is looked up for those
  // that pass.
  template <bool larger_of_both>
  void offer(const CoarseSquare& square, Takers takers, std::uint32_t* places) {
    std::uint16_t row_limits[panel_lanes];
    std::uint16_t lane_limits[panel_lanes];
    for (std::size_t k = 0; k < panel_lanes; ++k) {
      row_limits[k] = takers.rows && k < square.i_count ? limit(square.i0 + k) : 0;
      lane_limits[k] = takers.lanes && k < square.j_count ? limit(square.j0 + k) : 0;
    }
    const std::size_t found =
        rows_.kernels().at_most(square.forward, square.i_count, row_limits, lane_limits, places);
    for (std::size_t k = 0; k < found; ++k) {
      const std::size_t a = places[k] / panel_lanes;
      const std::size_t b = places[k] % panel_lanes;
      std::uint16_t cost = square.forward[places[k]];
      if (larger_of_both) cost = std::max(cost, square.backward[b * panel_lanes + a]);
      if (cost > std::max(row_limits[a], lane_limits[b]) || b >= square.j_count) continue;
      const auto i = static_cast<std::uint32_t>(square.i0 + a);
      const auto j = static_cast<std::uint32_t>(square.j0 + b);
      if (i == j || rows_.is_empty(i) || rows_.is_empty(j)) continue;
      if (takers.rows) lists_[i].offer(cost, j);
      if (takers.lanes) lists_[j].offer(cost, i);
    }
  }

  [[nodiscard]] std::uint16_t limit(std::size_t row) const {
    return static_cast<std::uint16_t>(std::min(lists_[row].threshold(), 65535.0F));
  }

  const CoarseTiles& tiles_;
  const RowBlocks& rows_;
  Direction direction_;
  std::vector<CoarseScratch> scratch_;
  std::vector<std::mutex> locks_;
  Lists& lists_;
};

}  // namespace

void offer_coarse_pairs(CoarseTiles& tiles, const RowBlocks& rows, Direction direction,
                        core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor,
                        Lists& lists) {
  budget.take(std::uint64_t{pool.threads()} * 2 * tile_entries * sizeof(std::uint16_t),
              "tiles of costs");
  CoarseJob job(tiles, rows, direction, pool.threads(), lists);
  for_tile_pairs(tiles, rows.rows(), budget, pool, monitor,
                 [&](const TilePair& tile, unsigned thread) { job.run_tile(tile, thread); });
}

}  // namespace navvy::search
