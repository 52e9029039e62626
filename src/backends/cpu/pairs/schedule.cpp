// Cuts all pairs into tiles, near the diagonal first.
#include "backends/cpu/pairs/schedule.hpp"

#include <algorithm>

#include "backends/cpu/row_blocks.hpp"

namespace navvy::backends {
namespace {

std::size_t whole_tiles(std::size_t rows) { return (rows + tile_size - 1) / tile_size; }

Range tile_range(std::size_t tile, Range within) {
  const std::size_t begin = within.begin + tile * tile_size;
  return {begin, std::min(begin + tile_size, within.end)};
}

// As many rows per slot as the budget allows, in whole tiles, or in blocks of rows where not even
// two tiles fit.
std::size_t slot_rows(const QueryTables& tables, std::size_t all_tiles, std::uint64_t beside,
                      Run& run, core::Reservation& reserved) {
  reserved = run.budget.reserve(tables.memory_fixed(), "tables of a batch of queries");
  const std::uint64_t per_tile = tables.memory_per_query() * tile_size;
  const std::size_t all = std::max<std::size_t>(1, all_tiles);
  const std::uint64_t left = run.budget.left();
  const std::uint64_t share = left - std::min(left, std::max(beside, left / 2));
  if (per_tile * all <= share) {
    reserved.merge(run.budget.reserve(per_tile * all, "tables of all queries"));
    return all * tile_size;
  }
  const std::uint64_t fitting = share / (2 * tables.memory_per_query());
  const std::size_t whole = fitting < tile_size ? RowBlocks::block_rows : tile_size;
  const std::size_t step = std::max<std::size_t>(1, fitting / whole) * whole;
  reserved.merge(
      run.budget.reserve(2 * tables.memory_per_query() * step, "tables of two blocks of queries"));
  return step;
}

}  // namespace

TileSchedule::TileSchedule(const QueryTables& tables, const PairsWanted& wanted,
                           std::uint64_t beside, Run& run)
    : rows_i_{0, wanted.border.value_or(wanted.rows)},
      rows_j_{wanted.border.value_or(0) / RowBlocks::block_rows * RowBlocks::block_rows,
              wanted.rows},
      step_(slot_rows(
          tables, whole_tiles(rows_i_.size()) + (wanted.border ? whole_tiles(rows_j_.size()) : 0),
          beside, run, reserved_)) {
  for (std::size_t begin_a = 0; begin_a < rows_i_.end; begin_a += step_)
    for (std::size_t begin_b = wanted.border ? rows_j_.begin : begin_a; begin_b < rows_j_.end;
         begin_b += step_) {
      const Range a{begin_a, std::min(begin_a + step_, rows_i_.end)};
      add_part(a, {begin_b, std::min(begin_b + step_, rows_j_.end)},
               !wanted.border && begin_a == begin_b);
    }
}

std::vector<TileSchedule::Stretch> TileSchedule::stretches() const {
  std::vector<Stretch> all;
  const auto add = [&](int slot, Range rows, std::size_t begin) {
    for (std::size_t first = rows.begin; first < rows.end; first += step_)
      all.push_back({slot, {first, std::min(first + step_, rows.end)}, std::max(first, begin)});
  };
  add(0, rows_i_, 0);
  if (rows_i_.end < rows_j_.end) add(1, rows_j_, rows_i_.end);
  return all;
}

void TileSchedule::add_part(Range a, Range b, bool diagonal) {
  const int slot_b = diagonal ? 0 : 1;
  const std::size_t first = pairs_.size();
  for (std::size_t i = 0; i < whole_tiles(a.size()); ++i)
    for (std::size_t j = diagonal ? i : 0; j < whole_tiles(b.size()); ++j)
      pairs_.push_back({tile_range(i, a), tile_range(j, b), 0, slot_b, diagonal && i == j});
  // Rows that stand together may be similar: what is near is then found soon, and the lists turn
  // away the rest.
  std::stable_sort(pairs_.begin() + static_cast<std::ptrdiff_t>(first), pairs_.end(),
                   [](const TilePair& x, const TilePair& y) {
                     return x.j.begin - x.i.begin < y.j.begin - y.i.begin;
                   });
  parts_.push_back({a, b, {first, pairs_.size()}, diagonal});
}

void TileSchedule::run(Range units, QueryTables& tables, Run& run, const Body& body) const {
  for (const Part& part : parts_) {
    const std::size_t begin = std::max(units.begin, part.units.begin);
    const std::size_t end = std::min(units.end, part.units.end);
    if (begin >= end) continue;
    tables.prepare(0, part.a, rows_j_, run);
    if (!part.diagonal) tables.prepare(1, part.b, rows_i_, run);
    run.monitor.begin("all pairs", pairs_.size());
    run.monitor.add(begin);
    run.pool.run(
        end - begin,
        [&](std::size_t unit, unsigned thread) {
          body(pairs_[begin + unit], thread);
          run.monitor.add(1);
        },
        &run.monitor);
  }
}

}  // namespace navvy::backends
