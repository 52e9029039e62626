// Looks at what the near costs of a sample consist of, and leaves out what holds little of them.
#include "backends/cpu/coarse/plan.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "backends/cpu/coarse/order.hpp"
#include "backends/cpu/pairs/table_tiles.hpp"
#include "core/chosen_rows.hpp"
#include "core/top.hpp"

namespace navvy::backends {
namespace {

constexpr std::size_t sample_size = panel_lanes;

// Every level of overflow costs a walk and room in the tables. One that holds less than this share
// of the near distances is left out, and so are all beyond the second: they save less than they
// cost. What costs no walk is to merge further levels into the last one; not so many that the sum
// of their steps is rounded by more than the coarse scale's slack, or that their tables grow large.
constexpr double least_share = 1.0 / 32;
constexpr double least_merged_share = 1.0 / 1024;
constexpr std::size_t most_levels = 2;
constexpr int most_merged = 32;

std::vector<std::uint32_t> sample_rows(const Engine& engine) {
  std::vector<std::uint32_t> sample;
  const std::size_t n = engine.rows.rows();
  const std::size_t step = std::max<std::size_t>(1, n / sample_size);
  for (std::size_t row = 0; row < n && sample.size() < sample_size; row += step)
    if (!engine.rows.is_empty(row)) sample.push_back(static_cast<std::uint32_t>(row));
  return sample;
}

// What the costs of the sample's matches consist of.
struct NearCosts {
  // The distance at which mass counts as moved as far as can be: largest first.
  static constexpr std::size_t reaches = 24;
  std::array<float, reaches> reach{};
  std::array<double, reaches> beyond{};  // what the costs lose when moves are cut there
  std::vector<double> by_level;

  // What moving a row into the query of a lane costs.
  void add(const Histogram& row, const LaneTables& tables, std::size_t lane) {
    for (std::size_t bin = 0; bin < row.size(); ++bin) {
      const std::size_t id = row.coordinates[bin];
      float moved = tables.nearest().values[id * panel_lanes + lane];
      by_level[0] += row.weights[bin] * moved;
      add(row.weights[bin], 0, moved);
      for (int level = 1; level < tables.levels().count; ++level) {
        const kernels::OverflowTable overflow = tables.overflow(level);
        const std::size_t entry = id * overflow.stride + lane;
        const float over = row.weights[bin] - overflow.capacities[entry];
        if (over <= 0) break;
        by_level[static_cast<std::size_t>(level)] += over * overflow.steps[entry];
        add(over, moved, moved + overflow.steps[entry]);
        moved += overflow.steps[entry];
      }
    }
  }

  void add(float mass, float from, float to) {
    for (std::size_t i = reaches; i-- > 0;) {
      if (to <= reach[i]) break;
      beyond[i] += mass * (to - std::max(from, reach[i]));
    }
  }
};

float farthest(const SortedGround& ground) {
  float largest = 0;
  for (std::size_t id = 0; id < ground.size(); ++id)
    largest = std::max(largest, ground.distances(id).back());
  return largest;
}

// For each row of the sample, which lanes stand for, the rows that cost least to move into it. What
// is near in one direction shows as well what near costs consist of, and is found sooner.
using Near = std::vector<std::vector<core::Candidate<float>>>;

Near nearest_of(const Engine& engine, std::span<const std::uint32_t> sample, std::size_t top,
                const core::Buffer<float>& costs, Run& run) {
  Near near(sample.size());
  run.pool.run(sample.size(), [&](std::size_t lane, unsigned) {
    core::TopList<float> list(top);
    for (std::uint32_t row = 0; row < engine.rows.rows(); ++row)
      if (row != sample[lane] && !engine.rows.is_empty(row))
        list.offer(costs[std::size_t{row} * panel_lanes + lane], row);
    near[lane] = list.kept();
  });
  return near;
}

NearCosts near_costs(const Engine& engine, Levels levels, std::span<const std::uint32_t> sample,
                     const Near& near) {
  LaneTables tables(engine.sorted->size(), panel_lanes, levels);
  SortedWriter(*engine.sorted, engine.rows.kernels(), levels)
      .write(core::chosen_rows(engine.index.rows, sample), 0, sample.size(), tables);
  const LaneTables& filled = tables;
  NearCosts costs;
  costs.by_level.resize(static_cast<std::size_t>(levels.count));
  float reach = farthest(*engine.sorted);
  for (float& entry : costs.reach) entry = std::exchange(reach, reach * 0.75F);
  for (std::size_t lane = 0; lane < near.size(); ++lane)
    for (const core::Candidate<float>& candidate : near[lane])
      costs.add(engine.rows.sources()[candidate.row], filled, lane);
  return costs;
}

std::vector<int> worthwhile_levels(const NearCosts& costs, double total) {
  std::vector<int> overflow_levels;
  for (std::size_t level = 1; level < costs.by_level.size() && overflow_levels.size() < most_levels;
       ++level)
    if (costs.by_level[level] > least_share * total)
      overflow_levels.push_back(static_cast<int>(level));
  return overflow_levels;
}

// How many levels of the tables are used, chosen ones and those merged into the last of them.
int used_levels(const NearCosts& costs, const std::vector<int>& overflow_levels, double total) {
  if (overflow_levels.empty()) return 1;
  auto level = costs.by_level.size() - 1;
  while (costs.by_level[level] <= least_merged_share * total) --level;
  return std::min(static_cast<int>(level) + 1, overflow_levels.back() + most_merged);
}

// As short as possible, for fine units, yet without losing much.
float worthwhile_reach(const NearCosts& costs, double total) {
  std::size_t i = 0;
  while (i + 1 < NearCosts::reaches && costs.beyond[i + 1] <= total / 4096) ++i;
  return costs.reach[i];
}

}  // namespace

std::optional<CoarsePlan> plan_coarse(const Engine& engine, const Task& task, std::size_t top,
                                      Run& run) {
  const std::size_t n = engine.rows.rows();
  if (n < tile_size || 4 * top > n) return {};
  const std::vector<std::uint32_t> sample = sample_rows(engine);
  Levels levels = levels_of(task.measure);
  levels.finish = false;
  const core::Buffer<float> into_sample = costs_into(engine, levels, sample, run);
  const Near near = nearest_of(engine, sample, top, into_sample, run);
  const NearCosts costs = near_costs(engine, levels, sample, near);
  const double total = std::accumulate(costs.by_level.begin(), costs.by_level.end(), 0.0);
  if (!(total > 0)) return {};
  const std::vector<int> overflow_levels = worthwhile_levels(costs, total);
  levels.count = used_levels(costs, overflow_levels, total);
  float heaviest = 0;
  double squares = 0;
  double sum = 0;
  for (const float weight : engine.rows.sources().weights().span()) {
    heaviest = std::max(heaviest, weight);
    squares += static_cast<double>(weight) * static_cast<double>(weight);
    sum += static_cast<double>(weight);
  }
  return CoarsePlan{CoarseScale(heaviest, worthwhile_reach(costs, total)), levels, overflow_levels,
                    static_cast<float>(squares / sum),
                    order_by_similarity(into_sample, {n, task.border}, sample.size())};
}

}  // namespace navvy::backends
