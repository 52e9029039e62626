#include <algorithm>
#include <utility>

#include "search/coarse_pairs.hpp"
#include "search/small_tiles.hpp"

namespace navvy::search {

using backends::CoarseTables;
using backends::LaneTables;
using kernels::coarse_lanes;

static_assert(coarse_lanes % panel_lanes == 0 && tile_size % coarse_lanes == 0);

CoarseTableMaker::CoarseTableMaker(const Engine& engine, const CoarsePlan& plan)
    : engine_(engine),
      plan_(plan),
      writer_(*engine.small, engine.rows.kernels(), plan.levels),
      tables_(engine.small->size(), panel_lanes, plan.levels) {}

std::uint64_t CoarseTableMaker::memory(const Engine& engine, const CoarsePlan& plan) {
  return LaneTables::memory(engine.small->size(), panel_lanes, plan.levels);
}

void CoarseTableMaker::fill(std::span<const std::uint32_t> rows, CoarseTables& target) {
  for (std::size_t first = 0; first < rows.size(); first += panel_lanes) {
    const auto some = rows.subspan(first).first(std::min(panel_lanes, rows.size() - first));
    writer_.write(backends::chosen_rows(engine_.index.rows, some), 0, some.size(), tables_);
    target.fill(first, tables_, plan_.chosen, plan_.usual_weight, plan_.scale);
  }
}

CoarseTiles::CoarseTiles(const Engine& engine, CoarsePlan plan, unsigned threads)
    : engine_(engine),
      plan_(std::move(plan)),
      rows_(engine.index.vocabulary, engine.rows.sources(), plan_.order, plan_.scale) {
  for (unsigned thread = 0; thread < threads; ++thread) makers_.emplace_back(engine_, plan_);
}

std::uint64_t CoarseTiles::memory_per_query() const noexcept {
  return CoarseTables::memory(engine_.small->size(), plan_.chosen.size()) / coarse_lanes;
}

std::uint64_t CoarseTiles::memory_fixed() const noexcept {
  return backends::CoarseRows::memory(engine_.rows.sources().weights().size()) +
         makers_.size() * CoarseTableMaker::memory(engine_, plan_);
}

void CoarseTiles::prepare(int slot, Range queries, core::ThreadPool& pool, core::Monitor& monitor) {
  Slot& target = slots_[static_cast<std::size_t>(slot)];
  if (target.queries.begin == queries.begin && target.queries.end == queries.end) return;
  target.queries = queries;
  target.tables.clear();
  const std::size_t blocks = (queries.size() + coarse_lanes - 1) / coarse_lanes;
  for (std::size_t block = 0; block < blocks; ++block)
    target.tables.emplace_back(engine_.small->size(), plan_.chosen.size());
  const auto rows = std::span(plan_.order).subspan(queries.begin, queries.size());
  monitor.begin("tables", blocks);
  pool.run(
      blocks,
      [&](std::size_t block, unsigned thread) {
        const std::size_t first = block * coarse_lanes;
        makers_[thread].fill(rows.subspan(first).first(std::min(coarse_lanes, rows.size() - first)),
                             target.tables[block]);
        monitor.add(1);
      },
      &monitor);
}

}  // namespace navvy::search
