#include "search/all_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "core/buffer.hpp"

namespace navvy::search {
namespace {

constexpr float never = -std::numeric_limits<float>::infinity();

struct Scratch {
  core::Buffer<float> forward{tile_floats};   // rows I into queries J
  core::Buffer<float> backward{tile_floats};  // rows J into queries I
  core::Buffer<std::uint32_t> places{panel_lanes * panel_lanes};
};

// One 64 x 64 square of a tile: distances of rows i0.. (its rows) and j0.. (its lanes).
struct Square {
  const float* values;
  std::size_t i0, i_count;
  std::size_t j0, j_count;
};

class Job {
 public:
  Job(TileSource& source, const backends::RowBlocks& rows, Direction direction, unsigned threads,
      Lists& lists)
      : source_(source),
        rows_(rows),
        direction_(source.is_symmetric() ? Direction::symmetric : direction),
        kernels_(rows.kernels()),
        scratch_(threads),
        locks_((rows.rows() + tile_size - 1) / tile_size),
        lists_(lists) {}

  void run_tile(const TilePair& tile, unsigned thread) {
    const auto [i, j, slot_i, slot_j] = tile;
    Scratch& scratch = scratch_[thread];
    float* forward = scratch.forward.data();
    float* backward = scratch.backward.data();
    source_.fill(i, slot_j, j, thread, forward);
    if (!source_.is_symmetric()) {
      if (i.begin == j.begin)
        std::copy_n(forward, tile_floats, backward);
      else
        source_.fill(j, slot_i, i, thread, backward);
    }

    const std::scoped_lock lock(locks_[i.begin / tile_size]);
    std::unique_lock<std::mutex> second;
    if (i.begin != j.begin) second = std::unique_lock(locks_[j.begin / tile_size]);
    for (std::size_t a = 0; a < i.size(); a += panel_lanes)
      for (std::size_t b = 0; b < j.size(); b += panel_lanes) {
        float* f = forward + (b / panel_lanes * tile_size + a) * panel_lanes;
        float* r = backward + (a / panel_lanes * tile_size + b) * panel_lanes;
        Square square{f, i.begin + a, std::min(panel_lanes, i.size() - a), j.begin + b,
                      std::min(panel_lanes, j.size() - b)};
        offer_square(square, r, i.begin == j.begin, scratch.places.data());
      }
  }

 private:
  // `r` holds the transposed square: the costs the other way round.
  void offer_square(Square square, float* r, bool diagonal, std::uint32_t* places) {
    if (direction_ == Direction::symmetric) {
      if (!source_.is_symmetric())
        kernels_.larger_with_transposed(const_cast<float*>(square.values), panel_lanes,
                                        square.i_count, square.j_count, r, panel_lanes);
      // On the diagonal tile every pair comes twice; one of them is enough for each list.
      offer(square, !diagonal, true, places);
      return;
    }
    // The cost of moving row i into query j belongs to the list of j, or of i when queries are
    // moved.
    const bool into_lanes = direction_ == Direction::database_to_query;
    offer(square, !into_lanes, into_lanes, places);
    if (diagonal) return;
    const Square turned{r, square.j0, square.j_count, square.i0, square.i_count};
    offer(turned, !into_lanes, into_lanes, places);
  }

  void offer(const Square& square, bool to_rows, bool to_lanes, std::uint32_t* places) {
    float row_thresholds[panel_lanes];
    float lane_thresholds[panel_lanes];
    for (std::size_t k = 0; k < panel_lanes; ++k) {
      row_thresholds[k] = to_rows && k < square.i_count ? open_threshold(square.i0 + k) : never;
      lane_thresholds[k] = to_lanes && k < square.j_count ? open_threshold(square.j0 + k) : never;
    }
    const std::size_t found = kernels_.below(square.values, square.i_count, panel_lanes,
                                             {row_thresholds, lane_thresholds}, places);
    for (std::size_t k = 0; k < found; ++k) {
      const std::size_t a = places[k] / panel_lanes;
      const std::size_t b = places[k] % panel_lanes;
      if (b >= square.j_count) continue;
      const auto i = static_cast<std::uint32_t>(square.i0 + a);
      const auto j = static_cast<std::uint32_t>(square.j0 + b);
      if (i == j || rows_.is_empty(i) || rows_.is_empty(j)) continue;
      const float distance = square.values[places[k]];
      if (to_rows) lists_[i].offer(distance, j);
      if (to_lanes) lists_[j].offer(distance, i);
    }
  }

  // The filter keeps values strictly below; a tie with the threshold may still enter by its row.
  [[nodiscard]] float open_threshold(std::size_t row) const {
    return std::nextafter(lists_[row].threshold(), std::numeric_limits<float>::infinity());
  }

  TileSource& source_;
  const backends::RowBlocks& rows_;
  Direction direction_;
  const kernels::KernelTable& kernels_;
  std::vector<Scratch> scratch_;
  std::vector<std::mutex> locks_;
  Lists& lists_;
};

// As many rows per slot as the budget allows, in whole tiles.
std::size_t slot_rows(const QueryTables& source, std::size_t rows, core::Budget& budget) {
  budget.take(source.memory_fixed(), "tables of a batch of queries");
  const std::uint64_t per_query = source.memory_per_query();
  const std::size_t all = (rows + tile_size - 1) / tile_size * tile_size;
  if (budget.fits(per_query * all)) {
    budget.take(per_query * all, "tables of all queries");
    return all;
  }
  const std::uint64_t fitting = budget.left() / (2 * per_query * tile_size);
  const std::size_t tiles = std::max<std::uint64_t>(1, fitting);
  budget.take(2 * per_query * tile_size * tiles, "tables of two tiles of queries");
  return tiles * tile_size;
}

Range tile_range(std::size_t tile, Range within) {
  const std::size_t begin = within.begin + tile * tile_size;
  return {begin, std::min(begin + tile_size, within.end)};
}

}  // namespace

void for_tile_pairs(QueryTables& tables, std::size_t n, core::Budget& budget,
                    core::ThreadPool& pool, core::Monitor& monitor,
                    const std::function<void(const TilePair& tile, unsigned thread)>& body) {
  const std::size_t step = slot_rows(tables, n, budget);
  for (std::size_t begin_a = 0; begin_a < n; begin_a += step) {
    const Range a{begin_a, std::min(begin_a + step, n)};
    tables.prepare(0, a, pool, monitor);
    for (std::size_t begin_b = begin_a; begin_b < n; begin_b += step) {
      const Range b{begin_b, std::min(begin_b + step, n)};
      const int slot_b = begin_b == begin_a ? 0 : 1;
      if (slot_b == 1) tables.prepare(1, b, pool, monitor);
      std::vector<TilePair> pairs;
      const std::size_t count_a = (a.size() + tile_size - 1) / tile_size;
      const std::size_t count_b = (b.size() + tile_size - 1) / tile_size;
      for (std::size_t i = 0; i < count_a; ++i)
        for (std::size_t j = slot_b == 0 ? i : 0; j < count_b; ++j)
          pairs.push_back({tile_range(i, a), tile_range(j, b), 0, slot_b});
      // Rows that stand together may be similar: what is near is then found soon, and the lists
      // turn away the rest.
      std::stable_sort(pairs.begin(), pairs.end(), [](const TilePair& x, const TilePair& y) {
        return x.j.begin - x.i.begin < y.j.begin - y.i.begin;
      });
      monitor.begin("all pairs", pairs.size());
      pool.run(
          pairs.size(),
          [&](std::size_t pair, unsigned thread) {
            body(pairs[pair], thread);
            monitor.add(1);
          },
          &monitor);
    }
  }
}

void offer_all_pairs(TileSource& source, const backends::RowBlocks& rows, Direction direction,
                     core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor,
                     Lists& lists) {
  budget.take(std::uint64_t{pool.threads()} * 2 * tile_floats * sizeof(float), "tiles of costs");
  Job job(source, rows, direction, pool.threads(), lists);
  for_tile_pairs(source, rows.rows(), budget, pool, monitor,
                 [&](const TilePair& tile, unsigned thread) { job.run_tile(tile, thread); });
}

}  // namespace navvy::search
