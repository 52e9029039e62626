#include "search/coarse_plan.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "search/few_queries.hpp"
#include "search/row_order.hpp"
#include "search/small_tiles.hpp"

namespace navvy::search {
namespace {

using backends::LaneTables;
using backends::Levels;

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

  void add(float mass, float from, float to) {
    for (std::size_t i = reaches; i-- > 0;) {
      if (to <= reach[i]) break;
      beyond[i] += mass * (to - std::max(from, reach[i]));
    }
  }
};

float farthest(const backends::SmallGround& ground) {
  float largest = 0;
  for (std::size_t id = 0; id < ground.size(); ++id)
    largest = std::max(largest, ground.distances(id).back());
  return largest;
}

NearCosts near_costs(const Engine& engine, Levels levels, const Histograms& sample,
                     const Matches& found) {
  LaneTables tables(engine.small->size(), panel_lanes, levels);
  backends::SmallWriter(*engine.small, engine.rows.kernels(), levels)
      .write(sample, 0, sample.size(), tables);
  const LaneTables& filled = tables;
  NearCosts costs;
  costs.by_level.resize(static_cast<std::size_t>(levels.count));
  float reach = farthest(*engine.small);
  for (float& entry : costs.reach) entry = std::exchange(reach, reach * 0.75F);
  for (std::size_t place = 0; place < found.rows.size(); ++place) {
    if (found.rows[place] == Matches::no_row) continue;
    const std::size_t lane = place / found.top;
    const Histogram row = engine.rows.sources()[found.rows[place]];
    for (std::size_t bin = 0; bin < row.size(); ++bin) {
      const std::size_t id = row.coordinates[bin];
      float moved = filled.nearest().values[id * panel_lanes + lane];
      costs.by_level[0] += row.weights[bin] * moved;
      costs.add(row.weights[bin], 0, moved);
      for (int level = 1; level < levels.count; ++level) {
        const kernels::OverflowTable overflow = filled.overflow(level);
        const std::size_t entry = id * overflow.stride + lane;
        const float over = row.weights[bin] - overflow.capacities[entry];
        if (over <= 0) break;
        costs.by_level[static_cast<std::size_t>(level)] += over * overflow.steps[entry];
        costs.add(over, moved, moved + overflow.steps[entry]);
        moved += overflow.steps[entry];
      }
    }
  }
  return costs;
}

std::vector<int> worthwhile_levels(const NearCosts& costs, double total) {
  std::vector<int> chosen;
  for (std::size_t level = 1; level < costs.by_level.size() && chosen.size() < most_levels; ++level)
    if (costs.by_level[level] > least_share * total) chosen.push_back(static_cast<int>(level));
  return chosen;
}

// How many levels of the tables are used, chosen ones and those merged into the last of them.
int used_levels(const NearCosts& costs, const std::vector<int>& chosen, double total) {
  if (chosen.empty()) return 1;
  auto level = costs.by_level.size() - 1;
  while (costs.by_level[level] <= least_merged_share * total) --level;
  return std::min(static_cast<int>(level) + 1, chosen.back() + most_merged);
}

// As short as possible, for fine units, yet without losing much.
float worthwhile_reach(const NearCosts& costs, double total) {
  std::size_t i = 0;
  while (i + 1 < NearCosts::reaches && costs.beyond[i + 1] <= total / 4096) ++i;
  return costs.reach[i];
}

}  // namespace

std::optional<CoarsePlan> plan_coarse(const Engine& engine, const SearchOptions& options,
                                      const core::Budget& budget, core::ThreadPool& pool,
                                      core::Monitor& monitor) {
  const std::size_t n = engine.rows.rows();
  if (n < tile_size || 4 * options.top > n) return {};
  const std::vector<std::uint32_t> sample = sample_rows(engine);
  const Histograms queries = backends::chosen_rows(engine.index.rows, sample);
  Matches found{sample.size(), options.top, {}, {}, {}};
  found.rows.assign(sample.size() * options.top, Matches::no_row);
  found.distances.assign(found.rows.size(), std::numeric_limits<double>::quiet_NaN());
  // What is near in one direction shows as well what near costs consist of, and is found sooner.
  SearchOptions one_way = options;
  one_way.direction = Direction::database_to_query;
  core::Budget own = budget;
  search_relaxation(engine, {&queries, sample}, one_way, own, pool, monitor, found);
  Levels levels = backends::levels_of(options.measure);
  levels.finish = false;
  const NearCosts costs = near_costs(engine, levels, queries, found);
  const double total = std::accumulate(costs.by_level.begin(), costs.by_level.end(), 0.0);
  if (!(total > 0)) return {};
  const std::vector<int> chosen = worthwhile_levels(costs, total);
  levels.count = used_levels(costs, chosen, total);
  float heaviest = 0;
  double squares = 0;
  double sum = 0;
  for (const float weight : engine.rows.sources().weights().span()) {
    heaviest = std::max(heaviest, weight);
    squares += static_cast<double>(weight) * static_cast<double>(weight);
    sum += static_cast<double>(weight);
  }
  return CoarsePlan{backends::CoarseScale(heaviest, worthwhile_reach(costs, total)), levels, chosen,
                    static_cast<float>(squares / sum),
                    order_by_similarity(engine, levels, sample, pool)};
}

}  // namespace navvy::search
