// Squares of a tile are compared with the limits of its lists, and what can enter is offered.
#include "backends/cpu/pairs/tile_stage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "backends/cpu/pairs/mixed.hpp"
#include "core/buffer.hpp"

namespace navvy::backends {
namespace {

constexpr float never = -1;  // no distance is below

struct TileWorker {
  core::Buffer<float> forward{tile_floats};   // rows I into queries J
  core::Buffer<float> backward{tile_floats};  // rows J into queries I
  core::Buffer<std::uint32_t> places{panel_lanes * panel_lanes};
  std::vector<Found> found;
};

// One 64 x 64 square of a tile: distances of rows i0.. (its rows) and j0.. (its lanes).
struct Square {
  float* values;
  Range i, j;
};

// Which lists take the distances of a square.
struct Takers {
  bool rows;
  bool lanes;
};

class TileJob {
 public:
  TileJob(TileSource& source, const RowBlocks& rows, Direction direction, CandidateLists& lists,
          Run& run)
      : source_(source),
        rows_(rows),
        direction_(direction),
        lists_(lists),
        workers_(run.pool.threads()) {}

  static std::uint64_t memory(unsigned threads) {
    return std::uint64_t{threads} * 2 * tile_floats * sizeof(float);
  }

  void run_tile(const TilePair& tile, unsigned thread) {
    const auto [i, j, slot_i, slot_j, diagonal] = tile;
    TileWorker& worker = workers_[thread];
    float* forward = worker.forward.data();
    float* backward = worker.backward.data();
    source_.fill(i, slot_j, j, thread, forward);
    if (!source_.is_symmetric()) {
      if (diagonal)
        std::copy_n(forward, tile_floats, backward);
      else
        source_.fill(j, slot_i, i, thread, backward);
    }
    for (std::size_t a = 0; a < i.size(); a += panel_lanes)
      for (std::size_t b = 0; b < j.size(); b += panel_lanes) {
        float* f = forward + (b / panel_lanes * tile_size + a) * panel_lanes;
        float* r = backward + (a / panel_lanes * tile_size + b) * panel_lanes;
        const Square square{f,
                            {i.begin + a, std::min(i.begin + a + panel_lanes, i.end)},
                            {j.begin + b, std::min(j.begin + b + panel_lanes, j.end)}};
        offer_both(square, r, diagonal, worker);
      }
  }

 private:
  // `r` holds the transposed square: the costs the other way round.
  void offer_both(const Square& square, float* r, bool diagonal, TileWorker& worker) {
    if (direction_ == Direction::symmetric) {
      if (!source_.is_symmetric())
        rows_.kernels().larger_with_transposed(square.values, panel_lanes, square.i.size(),
                                               square.j.size(), r, panel_lanes);
      // On the diagonal tile every pair comes twice; one of them is enough for each list.
      offer(square, {!diagonal, true}, worker);
      return;
    }
    if (direction_.way == Direction::Way::mix)
      mix_with_transposed(direction_, square.values, square.i.size(), square.j.size(), r);
    // The cost of moving row i into query j belongs to the list of j, or of i when queries are
    // moved.
    const bool into_lanes = core::moves_rows(direction_);
    offer(square, {!into_lanes, into_lanes}, worker);
    if (!diagonal) offer({r, square.j, square.i}, {!into_lanes, into_lanes}, worker);
  }

  void offer(const Square& square, Takers takers, TileWorker& worker) {
    using Limits = std::array<float, panel_lanes>;
    Limits row_limits;
    Limits lane_limits;
    set_limits(square.i, takers.rows, row_limits);
    set_limits(square.j, takers.lanes, lane_limits);
    const std::size_t count =
        rows_.kernels().below(square.values, square.i.size(), panel_lanes,
                              {row_limits.data(), lane_limits.data()}, worker.places.data());
    if (count == 0) return;
    const std::span<const std::uint32_t> places(worker.places.data(), count);
    if (takers.rows) offer_side(square, places, row_limits, true, worker.found);
    if (takers.lanes) offer_side(square, places, lane_limits, false, worker.found);
  }

  void offer_side(const Square& square, std::span<const std::uint32_t> places,
                  const std::array<float, panel_lanes>& limits, bool to_rows,
                  std::vector<Found>& found) {
    found.clear();
    for (const std::uint32_t place : places) {
      const std::size_t a = place / panel_lanes;
      const std::size_t b = place % panel_lanes;
      const float distance = square.values[place];
      if (b >= square.j.size() || !(distance < limits[to_rows ? a : b])) continue;
      const auto i = static_cast<std::uint32_t>(square.i.begin + a);
      const auto j = static_cast<std::uint32_t>(square.j.begin + b);
      if (i == j || rows_.is_empty(i) || rows_.is_empty(j)) continue;
      found.push_back(to_rows ? Found{i, j, distance} : Found{j, i, distance});
    }
    lists_.offer(to_rows ? square.i : square.j, found);
  }

  // The filter keeps values strictly below; a tie with the limit may still enter by its row.
  void set_limits(Range range, bool takes, std::array<float, panel_lanes>& limits) const {
    limits.fill(never);
    if (!takes) return;
    lists_.limits(range, limits);
    for (std::size_t k = 0; k < range.size(); ++k)
      limits[k] = std::nextafter(limits[k], std::numeric_limits<float>::infinity());
  }

  TileSource& source_;
  const RowBlocks& rows_;
  Direction direction_;
  CandidateLists& lists_;
  std::vector<TileWorker> workers_;
};

}  // namespace

TileStage::TileStage(const RowBlocks& rows, std::unique_ptr<TileSource> source, const Task& task,
                     std::uint64_t beside, Run& run)
    : rows_(rows),
      source_(std::move(source)),
      direction_(source_->is_symmetric() ? Direction::symmetric : task.direction),
      scratch_memory_(run.budget.reserve(TileJob::memory(run.pool.threads()), "tiles of costs")),
      schedule_(*source_, {rows.rows(), task.border}, beside, run) {}

bool TileStage::pays() const noexcept {
  // With p parts every table is made p / 2 times. On 20 Newsgroups single queries take about eight
  // times as long as all pairs with all tables at hand.
  constexpr std::size_t most_parts = 16;
  return !source_->is_dear() || schedule_.rows_at_once() * most_parts >= rows_.rows();
}

void TileStage::list(Range units, CandidateLists& lists, Run& run) {
  TileJob job(*source_, rows_, direction_, lists, run);
  schedule_.run(units, *source_, run,
                [&](const TilePair& tile, unsigned thread) { job.run_tile(tile, thread); });
}

}  // namespace navvy::backends
