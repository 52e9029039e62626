// Fills stripes of the matrix from tiles, each pair of tiles once.
#include "backends/cpu/pairs/matrix.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "backends/cpu/pairs/mixed.hpp"
#include "core/buffer.hpp"

namespace navvy::backends {
namespace {

Range tile_at(std::size_t tile, std::size_t rows) {
  return {tile * tile_size, std::min((tile + 1) * tile_size, rows)};
}

Range tiles_of(Range range) {
  return {range.begin / tile_size, (range.end + tile_size - 1) / tile_size};
}

Range common(Range a, Range b) {
  return {std::max(a.begin, b.begin), std::max(std::max(a.begin, b.begin), std::min(a.end, b.end))};
}

// A stripe of the matrix: some queries against all rows of the range.
struct Stripe {
  Range queries;
  Range rows;
  float* values;

  [[nodiscard]] float* at(std::size_t query, std::size_t row) const {
    return values + (query - queries.begin) * rows.size() + (row - rows.begin);
  }
  [[nodiscard]] bool holds(Range query_tile, Range row_tile) const {
    return common(query_tile, queries).size() > 0 && common(row_tile, rows).size() > 0;
  }
};

// A tile to compute: queries a, rows b, and with `both` the tile (b, a) as well.
struct StripeTile {
  Range a, b;
  bool both;
};

class MatrixJob {
 public:
  MatrixJob(const RowBlocks& rows, TileSource& source, Direction direction, Run& run)
      : rows_(rows),
        source_(source),
        direction_(direction),
        symmetric_(source.is_symmetric() || direction == Direction::symmetric),
        mixed_(!symmetric_ && direction.way == Direction::Way::mix),
        into_query_(core::moves_rows(direction)) {
    for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
      scratch_.emplace_back(run.buffer<float>(tile_floats, "tiles of costs"),
                            run.buffer<float>(tile_floats, "tiles of costs"));
  }

  // Fills the tile (queries a, rows b) of a stripe, and (b, a) where the stripe holds that too. The
  // tables of rows are in slot 1.
  void run(const Stripe& stripe, const StripeTile& tile, int slot_a, unsigned thread) {
    const auto [a, b, both] = tile;
    constexpr int slot_b = 1;
    float* b_into_a = scratch_[thread].first.data();
    float* a_into_b = scratch_[thread].second.data();
    const bool one_is_enough = source_.is_symmetric() || (!symmetric_ && !mixed_ && !both);
    if (one_is_enough && !into_query_ && !source_.is_symmetric()) {
      source_.fill(a, slot_b, b, thread, a_into_b);
      write(stripe, a, b, a_into_b, true);
      return;
    }
    source_.fill(b, slot_a, a, thread, b_into_a);
    if (!one_is_enough) source_.fill(a, slot_b, b, thread, a_into_b);
    if (symmetric_ && !source_.is_symmetric()) take_larger(a, b, b_into_a, a_into_b);
    if (mixed_) mix(a, b, b_into_a, a_into_b);
    if (symmetric_) {
      write(stripe, a, b, b_into_a, false);
      if (both) write(stripe, b, a, b_into_a, true);
      return;
    }
    write(stripe, a, b, into_query_ ? b_into_a : a_into_b, !into_query_);
    if (both) write(stripe, b, a, into_query_ ? a_into_b : b_into_a, !into_query_);
  }

 private:
  // Panels of `tile` have lanes = `a`.
  void take_larger(Range a, Range b, float* tile, const float* other) {
    for (std::size_t i = 0; i < a.size(); i += panel_lanes)
      for (std::size_t j = 0; j < b.size(); j += panel_lanes)
        rows_.kernels().larger_with_transposed(
            tile + (i / panel_lanes * tile_size + j) * panel_lanes, panel_lanes,
            std::min(panel_lanes, b.size() - j), std::min(panel_lanes, a.size() - i),
            other + (j / panel_lanes * tile_size + i) * panel_lanes, panel_lanes);
  }

  // From then on the tile whose lanes are `a` has the distances of queries `a`, and the other those
  // of queries `b`.
  void mix(Range a, Range b, float* tile, float* other) {
    for (std::size_t i = 0; i < a.size(); i += panel_lanes)
      for (std::size_t j = 0; j < b.size(); j += panel_lanes)
        mix_with_transposed(direction_, tile + (i / panel_lanes * tile_size + j) * panel_lanes,
                            std::min(panel_lanes, b.size() - j),
                            std::min(panel_lanes, a.size() - i),
                            other + (j / panel_lanes * tile_size + i) * panel_lanes);
  }

  // Copies a tile into the matrix at (queries, rows). The tile's lanes are the queries, or the rows
  // where `lanes_are_rows` is set.
  void write(const Stripe& stripe, Range queries, Range rows, const float* tile,
             bool lanes_are_rows) const {
    const Range q = common(queries, stripe.queries);
    const Range r = common(rows, stripe.rows);
    const Range lines = lanes_are_rows ? queries : rows;
    const Range lanes = lanes_are_rows ? rows : queries;
    const Range line_part = lanes_are_rows ? q : r;
    const Range lane_part = lanes_are_rows ? r : q;
    const std::size_t stride = stripe.rows.size();
    for (std::size_t lane = lane_part.begin; lane < lane_part.end;) {
      const std::size_t place = lane - lanes.begin;
      const std::size_t count = std::min(panel_lanes - place % panel_lanes, lane_part.end - lane);
      const float* from =
          tile + (place / panel_lanes * tile_size + line_part.begin - lines.begin) * panel_lanes +
          place % panel_lanes;
      if (lanes_are_rows)
        for (std::size_t line = 0; line < line_part.size(); ++line)
          std::copy_n(from + line * panel_lanes, count, stripe.at(q.begin + line, lane));
      else
        rows_.kernels().transpose(from, panel_lanes, line_part.size(), count,
                                  stripe.at(lane, r.begin), stride);
      lane += count;
    }
    undefine(stripe, q, r);
  }

  // Rows without weight have no distance to any other.
  void undefine(const Stripe& stripe, Range queries, Range rows) const {
    constexpr float undefined = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t query = queries.begin; query < queries.end; ++query)
      if (rows_.is_empty(query)) std::fill_n(stripe.at(query, rows.begin), rows.size(), undefined);
    for (std::size_t row = rows.begin; row < rows.end; ++row)
      if (rows_.is_empty(row))
        for (std::size_t query = queries.begin; query < queries.end; ++query)
          *stripe.at(query, row) = undefined;
  }

  const RowBlocks& rows_;
  TileSource& source_;
  Direction direction_;
  bool symmetric_;
  bool mixed_;
  bool into_query_;
  std::vector<std::pair<core::Buffer<float>, core::Buffer<float>>> scratch_;
};

// The tiles of a stripe: query tiles against row tiles, each pair of tiles once.
std::vector<StripeTile> tiles_of_stripe(const Stripe& stripe, Range query_tiles, Range row_tiles,
                                        std::size_t rows) {
  std::vector<StripeTile> found;
  for (std::size_t i = query_tiles.begin; i < query_tiles.end; ++i)
    for (std::size_t j = row_tiles.begin; j < row_tiles.end; ++j) {
      const Range a = tile_at(i, rows);
      const Range b = tile_at(j, rows);
      const bool other =
          i != j && j >= query_tiles.begin && j < query_tiles.end && stripe.holds(b, a);
      if (other && j < i && stripe.holds(a, b)) continue;  // done together with (j, i)
      found.push_back({a, b, other});
    }
  return found;
}

}  // namespace

void fill_matrix(const RowBlocks& rows, TileSource& source, Direction direction,
                 const MatrixPart& part, Run& run, const StripeSink& sink) {
  const auto [queries, columns] = part;
  if (columns.size() == 0 || queries.size() == 0) return;
  const std::size_t n = rows.rows();
  MatrixJob job(rows, source, direction, run);
  const Range row_tiles = tiles_of(columns);
  const Range all{row_tiles.begin * tile_size, std::min(row_tiles.end * tile_size, n)};
  const core::Reservation tables = run.budget.reserve(
      source.memory_fixed() + source.memory_per_query() * all.size(), "tables of all rows");
  source.prepare(1, all, {0, n}, run);

  // As many queries at once as fit: pairs within a stripe are computed once for both of their
  // places.
  const std::uint64_t per_tile =
      tile_size * (columns.size() * sizeof(float) + source.memory_per_query());
  const Range query_tiles = tiles_of(queries);
  const std::size_t fitting = run.budget.left() / per_tile;
  const std::size_t tiles = std::clamp<std::size_t>(fitting, 1, query_tiles.size());
  const core::Reservation own = run.budget.reserve(tile_size * source.memory_per_query() * tiles,
                                                   "tables of a stripe of queries");
  auto values = run.buffer<float>(tile_size * tiles * columns.size(), "a stripe of the matrix");
  for (std::size_t first = query_tiles.begin; first < query_tiles.end; first += tiles) {
    const std::size_t last = std::min(first + tiles, query_tiles.end);
    const Range covered{first * tile_size, std::min(last * tile_size, n)};
    const Stripe stripe{common(covered, queries), columns, values.data()};
    // The rows of the range are ready in slot 1; often they are the queries as well.
    const bool same = covered.begin >= all.begin && covered.end <= all.end;
    if (!same) source.prepare(0, covered, {0, n}, run);
    const std::vector<StripeTile> todo = tiles_of_stripe(stripe, {first, last}, row_tiles, n);
    run.monitor.begin("distances", todo.size());
    run.pool.run(
        todo.size(),
        [&](std::size_t t, unsigned thread) {
          job.run(stripe, todo[t], same ? 1 : 0, thread);
          run.monitor.add(1);
        },
        &run.monitor);
    sink(stripe.queries.begin - queries.begin, stripe.queries.size(),
         {values.data(), stripe.queries.size() * columns.size()});
  }
}

}  // namespace navvy::backends
