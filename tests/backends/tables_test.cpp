// The tables of the processor's backend, against plain loops: the nearest bins of queries, and the
// 16-bit form of them, whose costs never exceed the costs themselves.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "backends/conformance.hpp"
#include "backends/cpu/coarse/units.hpp"
#include "backends/cpu/ground/slabs.hpp"
#include "backends/cpu/ground/sorted.hpp"
#include "backends/cpu/tables/lane_tables.hpp"
#include "backends/cpu/tables/sorted_writer.hpp"

namespace navvy::test {
namespace {

using backends::LaneTables;

constexpr std::size_t lanes = 16;

/// Both ways to fill tables, over one data set.
struct Writers {
  explicit Writers(const DataSet& chosen)
      : data(chosen),
        ground(backends::Ground::euclidean(data.set.vocabulary, data.shape.threshold)),
        large(ground, kernels::best_kernels()),
        small(large, call.run.pool, call.monitor) {}

  [[nodiscard]] LaneTables sorted(const Measure& measure) const {
    LaneTables tables(data.set.vocabulary.size(), lanes, backends::levels_of(measure));
    backends::SortedWriter(small, kernels::best_kernels(), backends::levels_of(measure))
        .write(data.queries, 0, std::min(lanes, data.queries.size()), tables);
    return tables;
  }

  [[nodiscard]] LaneTables tiled(const Measure& measure) {
    std::vector<LaneTables> tables;
    tables.emplace_back(data.set.vocabulary.size(), lanes, backends::levels_of(measure));
    const backends::QueryBatch batch(data.queries, 0, std::min(lanes, data.queries.size()));
    backends::fill_tables(large, batch, tables, call.run);
    return std::move(tables.front());
  }

  Call call;
  const DataSet& data;
  backends::Ground ground;
  backends::SlabGround large;
  backends::SortedGround small;
};

// Beyond a query's last bin steps are 0; lanes without a query are 0 as well.
void expect_plain(const Writers& writers, const Measure& measure, const LaneTables& tables) {
  const int count = tables.levels().count;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const bool exists = lane < writers.data.queries.size();
    const Histogram query = exists ? writers.data.queries[lane] : Histogram{};
    PlainDestination plain(writers.ground, query, measure);
    for (std::uint32_t id = 0; id < writers.data.set.vocabulary.size(); ++id) {
      const auto levels =
          query.size() > 0 ? plain.levels(id) : std::vector<PlainDestination::Level>{{0, 0}};
      ASSERT_EQ(tables.nearest().values[id * lanes + lane], levels[0].step)
          << "coordinate " << id << " lane " << lane;
      for (int level = 1; level < count; ++level) {
        const auto l = static_cast<std::size_t>(level);
        const kernels::OverflowTable found = tables.overflow(level);
        const std::size_t place = id * found.stride + lane;
        ASSERT_EQ(found.steps[place], l < levels.size() ? levels[l].step : 0) << "level " << level;
        if (l >= levels.size()) continue;
        ASSERT_EQ(found.capacities[place], levels[l].capacity) << "level " << level;
      }
    }
  }
}

class Tables : public testing::TestWithParam<std::string> {};

TEST_P(Tables, AreThoseOfPlainLoops) {
  Writers writers(data_set(GetParam()));
  for (const char* name : {"rwmd", "omr", "act-3", "act-15"}) {
    const Measure measure = parse_measure(name);
    ASSERT_NO_FATAL_FAILURE(expect_plain(writers, measure, writers.sorted(measure))) << name;
    ASSERT_NO_FATAL_FAILURE(expect_plain(writers, measure, writers.tiled(measure))) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Data, Tables, testing::Values("integers", "background", "reals", "capped"),
                         [](const auto& which) { return which.param; });

// What a bin of a row costs by a table of floats, in double.
double cost(const LaneTables& tables, std::uint32_t id, std::size_t lane, float weight) {
  double sum = static_cast<double>(weight) *
               static_cast<double>(tables.nearest().values[id * tables.lanes() + lane]);
  for (int level = 1; level < tables.levels().count; ++level) {
    const kernels::OverflowTable overflow = tables.overflow(level);
    const std::size_t place = id * overflow.stride + lane;
    sum += static_cast<double>(std::max(0.0F, weight - overflow.capacities[place])) *
           static_cast<double>(overflow.steps[place]);
  }
  return sum;
}

// The same in the units of a coarse table: a product of two loses its lower half.
std::uint32_t coarse_cost(const backends::CoarseTables& tables, std::size_t levels,
                          std::uint32_t id, std::size_t lane, std::uint32_t mass) {
  std::uint32_t sum = mass * tables.nearest()[id * kernels::coarse_lanes + lane] >> 16U;
  const kernels::CoarseOverflow overflow = tables.overflow(lane / kernels::coarse_group);
  for (std::size_t level = 0; level < levels; ++level) {
    const std::uint16_t* entry = overflow.values +
                                 (id * levels + level) * 2 * kernels::coarse_group +
                                 lane % kernels::coarse_group;
    const std::uint32_t capacity = entry[0];
    const std::uint32_t step = entry[kernels::coarse_group];
    sum += (mass - std::min(mass, capacity)) * step >> 16U;
  }
  return sum;
}

RC_GTEST_PROP(Coarse, CostsNeverExceedTheCostsThemselves, (std::uint64_t seed)) {
  Rng rng(seed);
  const Measure measure{MeasureKind::act, static_cast<int>(random_size(rng, 1, 15))};
  static const Writers writers(data_set("reals"));
  const LaneTables tables = writers.sorted(measure);
  const std::vector<int> all = [&] {
    std::vector<int> levels(static_cast<std::size_t>(measure.iterations));
    std::iota(levels.begin(), levels.end(), 1);
    return levels;
  }();
  std::vector<int> chosen;
  std::sample(all.begin(), all.end(), std::back_inserter(chosen), random_size(rng, 0, 2), rng);
  std::uniform_real_distribution<float> uniform(0, 1);
  const float heaviest = uniform(rng) + 1e-3F;
  const backends::CoarseScale scale(heaviest, 0.5F + 20 * uniform(rng));
  backends::CoarseTables coarse(writers.data.set.vocabulary.size(), chosen.size());
  coarse.fill(0, tables, chosen, heaviest * uniform(rng), scale);
  for (int i = 0; i < 300; ++i) {
    const auto id =
        static_cast<std::uint32_t>(random_size(rng, 0, writers.data.set.vocabulary.size() - 1));
    const std::size_t lane = random_size(rng, 0, lanes - 1);
    const float weight = std::min(heaviest, 1.0F) * uniform(rng);
    const auto found = static_cast<std::uint16_t>(
        coarse_cost(coarse, chosen.size(), id, lane, scale.mass(weight)));
    RC_ASSERT(static_cast<double>(scale.lower_bound(found)) <= cost(tables, id, lane, weight));
  }
}

}  // namespace
}  // namespace navvy::test
