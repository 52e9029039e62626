#include "search/matrix.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/buffer.hpp"
#include "navvy/error.hpp"
#include "search/brute_force.hpp"
#include "search/knn.hpp"

namespace navvy::search {
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

class MatrixJob {
 public:
  MatrixJob(const Engine& engine, TileSource& source, Direction direction, unsigned threads)
      : engine_(engine),
        source_(source),
        symmetric_(source.is_symmetric() || direction == Direction::symmetric),
        into_query_(direction == Direction::database_to_query) {
    for (unsigned thread = 0; thread < threads; ++thread)
      scratch_.emplace_back(core::Buffer<float>(tile_floats), core::Buffer<float>(tile_floats));
  }

  // Fills the tile (queries a, rows b) of a stripe, and (b, a) where the stripe holds that too.
  void run(const Stripe& stripe, Range a, int slot_a, Range b, int slot_b, bool both,
           unsigned thread) {
    float* b_into_a = scratch_[thread].first.data();
    float* a_into_b = scratch_[thread].second.data();
    const bool one_is_enough = source_.is_symmetric() || (!symmetric_ && !both);
    if (one_is_enough && !into_query_ && !source_.is_symmetric()) {
      source_.fill(a, slot_b, b, thread, a_into_b);
      write(stripe, a, b, a_into_b, true);
      return;
    }
    source_.fill(b, slot_a, a, thread, b_into_a);
    if (!one_is_enough) source_.fill(a, slot_b, b, thread, a_into_b);
    if (symmetric_ && !source_.is_symmetric()) take_larger(a, b, b_into_a, a_into_b);
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
        engine_.rows.kernels().larger_with_transposed(
            tile + (i / panel_lanes * tile_size + j) * panel_lanes, panel_lanes,
            std::min(panel_lanes, b.size() - j), std::min(panel_lanes, a.size() - i),
            other + (j / panel_lanes * tile_size + i) * panel_lanes, panel_lanes);
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
        engine_.rows.kernels().transpose(from, panel_lanes, line_part.size(), count,
                                         stripe.at(lane, r.begin), stride);
      lane += count;
    }
    undefine(stripe, q, r);
  }

  // Rows without weight have no distance to any other.
  void undefine(const Stripe& stripe, Range queries, Range rows) const {
    constexpr float undefined = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t query = queries.begin; query < queries.end; ++query)
      if (engine_.rows.is_empty(query))
        std::fill_n(stripe.at(query, rows.begin), rows.size(), undefined);
    for (std::size_t row = rows.begin; row < rows.end; ++row)
      if (engine_.rows.is_empty(row))
        for (std::size_t query = queries.begin; query < queries.end; ++query)
          *stripe.at(query, row) = undefined;
  }

  const Engine& engine_;
  TileSource& source_;
  bool symmetric_;
  bool into_query_;
  std::vector<std::pair<core::Buffer<float>, core::Buffer<float>>> scratch_;
};

// A tile to compute: queries a, rows b, and with `both` the tile (b, a) as well.
struct Task {
  Range a, b;
  bool both;
};

// The tiles of a stripe: query tiles against row tiles, each pair of tiles once.
std::vector<Task> tasks_of(const Stripe& stripe, Range query_tiles, Range row_tiles,
                           std::size_t rows) {
  std::vector<Task> tasks;
  for (std::size_t i = query_tiles.begin; i < query_tiles.end; ++i)
    for (std::size_t j = row_tiles.begin; j < row_tiles.end; ++j) {
      const Range a = tile_at(i, rows);
      const Range b = tile_at(j, rows);
      const bool other =
          i != j && j >= query_tiles.begin && j < query_tiles.end && stripe.holds(b, a);
      if (other && j < i && stripe.holds(a, b)) continue;  // done together with (j, i)
      tasks.push_back({a, b, other});
    }
  return tasks;
}

void check_range(const MatrixRange& range, std::size_t rows) {
  const auto check = [&](std::size_t begin, std::size_t end, const char* what) {
    if (begin > end || end > rows)
      throw Error(ErrorCode::usage, std::string(what) + " " + std::to_string(begin) + ":" +
                                        std::to_string(end) + " are not within the " +
                                        std::to_string(rows) + " rows of the index");
  };
  check(range.query_begin, range.query_end, "queries");
  check(range.row_begin, range.row_end, "rows");
}

void fill_pairwise(const Engine& engine, const MatrixRange& range, const RunOptions& options,
                   const core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor,
                   const DistanceSink& sink) {
  const std::size_t columns = range.row_end - range.row_begin;
  const auto measure = row_distances(engine, options, budget, pool.threads(), monitor);
  constexpr std::size_t block = 16;
  std::vector<float> values(columns);
  monitor.begin("distances", (range.query_end - range.query_begin) * columns);
  for (std::size_t query = range.query_begin; query < range.query_end; ++query) {
    std::ranges::fill(values, std::numeric_limits<float>::quiet_NaN());
    const bool empty = engine.rows.is_empty(query);
    if (!empty) measure->set_query(engine.index.rows[query], pool);
    pool.run(
        empty ? 0 : (columns + block - 1) / block,
        [&](std::size_t b, unsigned thread) {
          const std::size_t last = std::min((b + 1) * block, columns);
          for (std::size_t i = b * block; i < last; ++i) {
            const std::size_t row = range.row_begin + i;
            if (!engine.rows.is_empty(row))
              values[i] =
                  static_cast<float>(measure->distance(static_cast<std::uint32_t>(row), thread));
          }
        },
        &monitor);
    monitor.add(columns);
    sink(query - range.query_begin, 1, values);
  }
}

}  // namespace

void fill_matrix(const Engine& engine, const MatrixRange& range, const RunOptions& options,
                 core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor,
                 const DistanceSink& sink) {
  const std::size_t n = engine.rows.rows();
  check_range(range, n);
  if (options.measure.kind == MeasureKind::sinkhorn || is_exact(options.measure)) {
    fill_pairwise(engine, range, options, budget, pool, monitor, sink);
    return;
  }
  const Range rows{range.row_begin, range.row_end};
  const Range queries{range.query_begin, range.query_end};
  if (rows.size() == 0 || queries.size() == 0) return;
  const auto source = tiles_for(engine, options.measure, options.batch, pool.threads());
  budget.take(std::uint64_t{pool.threads()} * 2 * tile_floats * sizeof(float), "tiles of costs");
  const Range row_tiles = tiles_of(rows);
  const Range all{row_tiles.begin * tile_size, std::min(row_tiles.end * tile_size, n)};
  budget.take(source->memory_fixed(), "tables of a batch of queries");
  budget.take(source->memory_per_query() * all.size(), "tables of all rows");
  source->prepare(1, all, pool, monitor);

  // As many queries at once as fit: pairs within a stripe are computed once for both of their
  // places.
  const std::uint64_t per_tile =
      tile_size * (rows.size() * sizeof(float) + source->memory_per_query());
  const Range query_tiles = tiles_of(queries);
  const std::size_t fitting = budget.left() / per_tile;
  const std::size_t tiles = std::clamp<std::size_t>(fitting, 1, query_tiles.size());
  budget.take(per_tile * tiles, "a stripe of the matrix");
  core::Buffer<float> values(tile_size * tiles * rows.size());
  MatrixJob job(engine, *source, options.direction, pool.threads());
  for (std::size_t first = query_tiles.begin; first < query_tiles.end; first += tiles) {
    const std::size_t last = std::min(first + tiles, query_tiles.end);
    const Range covered{first * tile_size, std::min(last * tile_size, n)};
    const Stripe stripe{common(covered, queries), rows, values.data()};
    // The rows of the range are ready in slot 1; often they are the queries as well.
    const bool same = covered.begin >= all.begin && covered.end <= all.end;
    if (!same) source->prepare(0, covered, pool, monitor);
    const std::vector<Task> tasks = tasks_of(stripe, {first, last}, row_tiles, n);
    monitor.begin("distances", tasks.size());
    pool.run(
        tasks.size(),
        [&](std::size_t t, unsigned thread) {
          job.run(stripe, tasks[t].a, same ? 1 : 0, tasks[t].b, 1, tasks[t].both, thread);
          monitor.add(1);
        },
        &monitor);
    sink(stripe.queries.begin - queries.begin, stripe.queries.size(),
         {values.data(), stripe.queries.size() * rows.size()});
  }
}

}  // namespace navvy::search
