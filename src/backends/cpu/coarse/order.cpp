// Orders rows by halving them at the medians of their costs into landmarks.
#include "backends/cpu/coarse/order.hpp"

#include <algorithm>
#include <numeric>

#include "backends/cpu/pairs/table_tiles.hpp"
#include "backends/cpu/pairs/tiles.hpp"
#include "backends/cpu/relaxation/block_costs.hpp"
#include "core/buffer.hpp"
#include "core/chosen_rows.hpp"

namespace navvy::backends {
namespace {

// Halves a set of rows again and again at the median of the cost that differs most among them.
class Halving {
 public:
  Halving(const core::Buffer<float>& costs, std::size_t landmarks)
      : costs_(costs), landmarks_(landmarks) {}

  void run(std::span<std::uint32_t> rows) const {
    constexpr std::size_t small_enough = kernels::coarse_group;
    if (rows.size() <= small_enough) return;
    const std::size_t landmark = most_different(rows);
    std::size_t middle = rows.size() / 2;
    const std::size_t whole =
        middle >= kernels::coarse_lanes ? kernels::coarse_lanes : small_enough;
    if (middle > whole) middle -= middle % whole;
    std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(middle), rows.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                       const float cost_a = cost(a, landmark);
                       const float cost_b = cost(b, landmark);
                       return cost_a < cost_b || (cost_a == cost_b && a < b);
                     });
    run(rows.first(middle));
    run(rows.subspan(middle));
  }

 private:
  [[nodiscard]] float cost(std::uint32_t row, std::size_t landmark) const {
    return costs_[std::size_t{row} * panel_lanes + landmark];
  }

  [[nodiscard]] std::size_t most_different(std::span<const std::uint32_t> rows) const {
    float sums[panel_lanes] = {};
    float squares[panel_lanes] = {};
    for (const std::uint32_t row : rows)
      for (std::size_t i = 0; i < panel_lanes; ++i) {
        const float x = cost(row, i);
        sums[i] += x;
        squares[i] += x * x;
      }
    const auto count = static_cast<float>(rows.size());
    std::size_t best = 0;
    float largest = -1;
    for (std::size_t i = 0; i < landmarks_; ++i) {
      const float variance = squares[i] - sums[i] * sums[i] / count;
      if (variance > largest) {
        largest = variance;
        best = i;
      }
    }
    return best;
  }

  const core::Buffer<float>& costs_;
  std::size_t landmarks_;
};

}  // namespace

core::Buffer<float> costs_into(const Engine& engine, Levels levels,
                               std::span<const std::uint32_t> landmarks, core::Run& run) {
  LaneTables tables(engine.sorted->size(), panel_lanes, levels);
  SortedWriter(*engine.sorted, engine.rows.kernels(), levels)
      .write(core::chosen_rows(engine.index.rows, landmarks), 0, landmarks.size(), tables);
  constexpr std::size_t block_floats = RowBlocks::block_rows * panel_lanes;
  auto costs =
      run.buffer<float>(engine.rows.blocks() * block_floats, "the costs of a sample of rows");
  std::vector<core::Buffer<float>> scratch;
  for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
    scratch.emplace_back(block_floats);
  run.pool.run(
      engine.rows.blocks(),
      [&](std::size_t block, unsigned thread) {
        block_costs(engine.rows, block, tables, costs.data() + block * block_floats,
                    scratch[thread].data());
      },
      &run.monitor);
  return costs;
}

std::vector<std::uint32_t> order_by_similarity(const core::Buffer<float>& costs,
                                               const PairsWanted& wanted, std::size_t landmarks) {
  std::vector<std::uint32_t> order(wanted.rows);
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t border = wanted.border.value_or(0);
  const Halving halving(costs, landmarks);
  halving.run(std::span(order).first(border));
  halving.run(std::span(order).subspan(border));
  return order;
}

}  // namespace navvy::backends
