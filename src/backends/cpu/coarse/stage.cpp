// Pairs in tiles, twice: the nearest distances alone leave few groups of 16 lanes in which a pair
// can still enter a list, and only there overflow is added.

#include "backends/cpu/coarse/stage.hpp"

#include <algorithm>
#include <utility>

#include "backends/cpu/coarse/growth.hpp"
#include "core/buffer.hpp"

namespace navvy::backends {
namespace {

using kernels::coarse_group;
using kernels::coarse_lanes;
using kernels::coarse_square;

constexpr std::size_t tile_entries = tile_size * tile_size;
constexpr std::size_t tile_groups = tile_size / coarse_group;

// Entry (row, lane) of a tile of coarse costs.
constexpr std::size_t entry_of(std::size_t row, std::size_t lane) {
  return (lane / coarse_lanes * tile_size + row) * coarse_lanes + lane % coarse_lanes;
}

// Costs of moving rows into queries, and which groups of lanes want their overflow.
struct CoarseTile {
  core::Buffer<std::uint16_t> costs{tile_entries};
  // By group and row; bytes, since neighbouring rows are marked one after the other.
  std::vector<std::uint8_t> wanted = std::vector<std::uint8_t>(tile_groups * tile_size);
  Range rows, lanes;
  const CoarseTables* tables = nullptr;  // of the lanes

  void want(std::size_t row, std::size_t lane) {
    wanted[lane / coarse_group * tile_size + row] = 1;
  }
};

struct CoarseWorker {
  CoarseTile forward;
  CoarseTile backward;
  core::Buffer<std::uint32_t> square_places{coarse_square * coarse_square};
  std::vector<std::uint32_t> places;  // row * tile_size + lane
  std::vector<std::uint32_t> listed;
  std::array<float, tile_size> limits;  // as distances
  // As coarse costs; what wants nothing has 0 and is turned away by its list.
  std::array<std::uint16_t, tile_size> row_limits;
  std::array<std::uint16_t, tile_size> lane_limits;
  std::vector<Found> found_rows;
  std::vector<Found> found_lanes;
};

// Which lists take a pair's cost.
struct Takers {
  bool rows;
  bool lanes;
};

class CoarseJob {
 public:
  CoarseJob(const CoarseTiles& tiles, Direction direction, CandidateLists& lists, Run& run)
      : tiles_(tiles),
        kernels_(tiles.engine().rows.kernels()),
        direction_(direction),
        workers_(run.pool.threads()),
        lists_(lists) {}

  // Costs, and at most as many places.
  static std::uint64_t memory(unsigned threads) {
    return std::uint64_t{threads} * tile_entries *
           (2 * sizeof(std::uint16_t) + sizeof(std::uint32_t));
  }

  void run_tile(const TilePair& tile, unsigned thread) {
    const auto [i, j, slot_i, slot_j, diagonal] = tile;
    CoarseWorker& worker = workers_[thread];
    CoarseTile& forward = worker.forward;
    CoarseTile& backward = diagonal ? forward : worker.backward;
    charge_nearest(i, slot_j, j, forward);
    if (!diagonal) charge_nearest(j, slot_i, i, backward);
    if (direction_ == Direction::symmetric) {
      // On the diagonal tile every pair comes twice; one of them is enough for each list.
      offer(forward, &backward, {!diagonal, true}, worker);
      return;
    }
    const bool into_lanes = direction_ == Direction::database_to_query;
    offer(forward, nullptr, {!into_lanes, into_lanes}, worker);
    if (!diagonal) offer(backward, nullptr, {!into_lanes, into_lanes}, worker);
  }

 private:
  void charge_nearest(Range rows, int slot, Range lanes, CoarseTile& tile) const {
    tile.rows = rows;
    tile.lanes = lanes;
    tile.tables = tiles_.tables(slot, lanes.begin);
    for (std::size_t lane = 0; lane < lanes.size(); lane += coarse_lanes) {
      std::uint16_t* costs = tile.costs.data() + entry_of(0, lane);
      std::fill_n(costs, rows.size() * coarse_lanes, std::uint16_t{0});
      for (std::size_t row = 0; row < rows.size(); row += RowBlocks::block_rows)
        kernels_.charge_coarse(tiles_.rows().segments((rows.begin + row) / RowBlocks::block_rows),
                               tile.tables[lane / coarse_lanes].nearest(),
                               costs + row * coarse_lanes);
    }
  }

  // `backward`: the tile the other way round, where the larger cost counts.
  void offer(CoarseTile& forward, CoarseTile* backward, Takers takers, CoarseWorker& worker) {
    copy_limits(forward.rows, takers.rows, worker, worker.row_limits);
    copy_limits(forward.lanes, takers.lanes, worker, worker.lane_limits);
    list_places(forward, backward, worker);
    if (!tiles_.plan().overflow_levels.empty()) add_overflow(forward, backward, worker);
    offer_places(forward, backward, takers, worker);
  }

  // Once per entry, also where one tile is both directions.
  void add_overflow(CoarseTile& forward, CoarseTile* backward, CoarseWorker& worker) const {
    for (const std::uint32_t place : worker.places) {
      forward.want(place / tile_size, place % tile_size);
      if (backward == &forward) forward.want(place % tile_size, place / tile_size);
    }
    charge_overflow(forward, worker.listed);
    if (backward == nullptr || backward == &forward) return;
    // What one direction rules out need not be looked at in the other.
    std::erase_if(worker.places, [&](std::uint32_t place) {
      const std::size_t row = place / tile_size;
      const std::size_t lane = place % tile_size;
      return forward.costs[entry_of(row, lane)] >
             std::max(worker.row_limits[row], worker.lane_limits[lane]);
    });
    for (const std::uint32_t place : worker.places)
      backward->want(place % tile_size, place / tile_size);
    charge_overflow(*backward, worker.listed);
  }

  void copy_limits(Range range, bool takes, CoarseWorker& worker,
                   std::array<std::uint16_t, tile_size>& limits) const {
    limits.fill(0);
    if (!takes) return;
    lists_.limits(range, worker.limits);
    for (std::size_t k = 0; k < range.size(); ++k)
      limits[k] = worker.limits[k] < 0 ? 0 : tiles_.plan().scale.within(worker.limits[k]);
  }

  void list_places(const CoarseTile& forward, const CoarseTile* backward,
                   CoarseWorker& worker) const {
    worker.places.clear();
    std::uint32_t* found = worker.square_places.data();
    for (std::size_t a = 0; a < forward.rows.size(); a += coarse_square)
      for (std::size_t b = 0; b < forward.lanes.size(); b += coarse_square) {
        const kernels::CoarseSquare square{
            forward.costs.data() + entry_of(a, b),
            backward == nullptr ? nullptr : backward->costs.data() + entry_of(b, a),
            std::min(coarse_square, forward.rows.size() - a)};
        const std::size_t count = kernels_.at_most(square, worker.row_limits.data() + a,
                                                   worker.lane_limits.data() + b, found);
        for (std::size_t k = 0; k < count; ++k) {
          const std::size_t row = a + found[k] / coarse_square;
          const std::size_t lane = b + found[k] % coarse_square;
          if (lane < forward.lanes.size())
            worker.places.push_back(static_cast<std::uint32_t>(row * tile_size + lane));
        }
      }
  }

  void charge_overflow(CoarseTile& tile, std::vector<std::uint32_t>& listed) const {
    const kernels::CoarseRowBins bins = tiles_.rows().bins(tile.rows.begin);
    for (std::size_t lane = 0; lane < tile.lanes.size(); lane += coarse_group) {
      std::uint8_t* wanted = tile.wanted.data() + lane / coarse_group * tile_size;
      listed.clear();
      for (std::uint32_t row = 0; row < tile.rows.size(); ++row)
        if (wanted[row] != 0) listed.push_back(row);
      std::fill_n(wanted, tile_size, std::uint8_t{0});
      kernels_.charge_coarse_overflow(
          bins, listed.data(), listed.size(),
          tile.tables[lane / coarse_lanes].overflow(lane % coarse_lanes / coarse_group),
          tile.costs.data() + entry_of(0, lane));
    }
  }

  void offer_places(const CoarseTile& forward, const CoarseTile* backward, Takers takers,
                    CoarseWorker& worker) {
    worker.found_rows.clear();
    worker.found_lanes.clear();
    const std::vector<std::uint32_t>& order = tiles_.plan().order;
    const RowBlocks& rows = tiles_.engine().rows;
    for (const std::uint32_t place : worker.places) {
      const std::size_t row = place / tile_size;
      const std::size_t lane = place % tile_size;
      std::uint16_t cost = forward.costs[entry_of(row, lane)];
      if (backward != nullptr) cost = std::max(cost, backward->costs[entry_of(lane, row)]);
      if (cost > std::max(worker.row_limits[row], worker.lane_limits[lane])) continue;
      const auto i = static_cast<std::uint32_t>(forward.rows.begin + row);
      const auto j = static_cast<std::uint32_t>(forward.lanes.begin + lane);
      if (i == j || rows.is_empty(order[i]) || rows.is_empty(order[j])) continue;
      const float bound = tiles_.plan().scale.lower_bound(cost);
      if (takers.rows && cost <= worker.row_limits[row]) worker.found_rows.push_back({i, j, bound});
      if (takers.lanes && cost <= worker.lane_limits[lane])
        worker.found_lanes.push_back({j, i, bound});
    }
    lists_.offer(forward.rows, worker.found_rows);
    lists_.offer(forward.lanes, worker.found_lanes);
  }

  const CoarseTiles& tiles_;
  const kernels::KernelTable& kernels_;
  Direction direction_;
  std::vector<CoarseWorker> workers_;
  CandidateLists& lists_;
};

}  // namespace

CoarseStage::CoarseStage(const Engine& engine, CoarsePlan plan, const Task& task,
                         std::uint64_t beside, Run& run)
    : tiles_(engine, std::move(plan), run),
      task_(task),
      scratch_memory_(run.budget.reserve(CoarseJob::memory(run.pool.threads()), "tiles of costs")),
      schedule_(tiles_, {tiles_.plan().order.size(), task.border}, beside, run) {}

void CoarseStage::list(Range units, CandidateLists& lists, Run& run) {
  CoarseJob job(tiles_, task_.direction, lists, run);
  schedule_.run(units, tiles_, run,
                [&](const TilePair& tile, unsigned thread) { job.run_tile(tile, thread); });
}

void CoarseStage::list_below(std::span<const std::uint32_t> places, std::span<const float> limits,
                             std::vector<FoundRows>& found, Run& run) {
  found.clear();
  found.resize(places.size());
  std::vector<std::uint16_t> coarse_limits;
  for (const float limit : limits) coarse_limits.push_back(tiles_.plan().scale.within(limit));
  grown_costs(tiles_, {places, task_.direction, task_.border}, schedule_.stretches(), run,
              [&](const CoarseRange& costs) {
                take_below(costs, order()[places[costs.list]], coarse_limits[costs.list],
                           found[costs.list], run);
              });
}

// Rows without weight, and the row itself, are not found.
void CoarseStage::take_below(const CoarseRange& costs, std::uint32_t own, std::uint16_t limit,
                             FoundRows& found, const Run& run) const {
  const auto count =
      std::ranges::count_if(costs.values, [&](std::uint16_t value) { return value <= limit; });
  if (count == 0) return;
  // Vectors grow by doubling.
  found.reserved.merge(run.budget.reserve(
      static_cast<std::uint64_t>(count) * 2 * sizeof(std::uint32_t), "lists that have to grow"));
  for (std::size_t i = 0; i < costs.values.size(); ++i) {
    const std::uint32_t other = order()[costs.first + i];
    if (costs.values[i] <= limit && other != own && !tiles_.engine().rows.is_empty(other))
      found.rows.push_back(other);
  }
}

}  // namespace navvy::backends
