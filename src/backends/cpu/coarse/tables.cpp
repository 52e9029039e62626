// Makes coarse tables from the tables of the relaxation, 128 queries at a time.
#include "backends/cpu/coarse/tables.hpp"

#include <algorithm>
#include <utility>

#include "core/chosen_rows.hpp"

namespace navvy::backends {

using kernels::coarse_lanes;

static_assert(coarse_lanes % panel_lanes == 0 && tile_size % coarse_lanes == 0);

CoarseTableMaker::CoarseTableMaker(const Engine& engine, const CoarsePlan& plan)
    : engine_(engine),
      plan_(plan),
      writer_(*engine.sorted, engine.rows.kernels(), plan.levels),
      tables_(engine.sorted->size(), panel_lanes, plan.levels) {}

std::uint64_t CoarseTableMaker::memory(const Engine& engine, const CoarsePlan& plan) {
  return LaneTables::memory(engine.sorted->size(), panel_lanes, plan.levels);
}

void CoarseTableMaker::fill(std::span<const std::uint32_t> rows, CoarseTables& target) {
  for (std::size_t first = 0; first < rows.size(); first += panel_lanes) {
    const auto some = rows.subspan(first).first(std::min(panel_lanes, rows.size() - first));
    writer_.write(core::chosen_rows(engine_.index.rows, some), 0, some.size(), tables_);
    target.fill(first, tables_, plan_.overflow_levels, plan_.usual_weight, plan_.scale);
  }
}

CoarseTiles::CoarseTiles(const Engine& engine, CoarsePlan plan, Run& run)
    : engine_(engine),
      plan_(std::move(plan)),
      reserved_(run.budget.reserve(CoarseRows::memory(engine.rows) +
                                       run.pool.threads() * CoarseTableMaker::memory(engine, plan_),
                                   "rows in coarse units")),
      rows_(engine.ground.vocabulary(), engine.rows, plan_.order, plan_.scale, run) {
  for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
    makers_.emplace_back(engine_, plan_);
}

std::uint64_t CoarseTiles::memory_per_query() const noexcept {
  return CoarseTables::memory(engine_.sorted->size(), plan_.overflow_levels.size()) / coarse_lanes;
}

void CoarseTiles::prepare(int slot, Range queries, Range /*rows*/, Run& run) {
  Slot& target = slots_[static_cast<std::size_t>(slot)];
  if (target.queries == queries) return;
  target.queries = queries;
  target.tables.clear();
  const std::size_t blocks = (queries.size() + coarse_lanes - 1) / coarse_lanes;
  for (std::size_t block = 0; block < blocks; ++block)
    target.tables.emplace_back(engine_.sorted->size(), plan_.overflow_levels.size());
  const auto rows = std::span(plan_.order).subspan(queries.begin, queries.size());
  run.monitor.begin("tables", blocks);
  run.pool.run(
      blocks,
      [&](std::size_t block, unsigned thread) {
        const std::size_t first = block * coarse_lanes;
        makers_[thread].fill(rows.subspan(first).first(std::min(coarse_lanes, rows.size() - first)),
                             target.tables[block]);
        run.monitor.add(1);
      },
      &run.monitor);
}

}  // namespace navvy::backends
