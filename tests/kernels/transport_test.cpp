#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference.hpp"

namespace navvy::kernels {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::size_t rows = 5;

// Costs of few values, so that many are equal, or of any; infinite beyond the targets.
struct Arcs {
  Arcs(reference::Random& random, std::size_t count, bool integers)
      : targets(count),
        stride((count + arc_lanes - 1) / arc_lanes * arc_lanes),
        costs(rows * stride, infinity),
        raises(reference::random_values(random, stride, integers)) {
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t j = 0; j < targets; ++j)
        costs[row * stride + j] = reference::random_value(random, integers);
    raises[random() % targets] = infinity;
  }

  [[nodiscard]] ArcCosts priced() const { return {costs.data(), stride, raises.data()}; }
  [[nodiscard]] float sum(std::size_t row, std::size_t j) const {
    return costs[row * stride + j] + raises[j];
  }

  std::size_t targets, stride;
  std::vector<float> costs, raises;
};

TEST(Transport, TheSmallestOfARowIsFoundFirst) {
  reference::Random random(1);
  for (const KernelTable* kernels : supported_kernels())
    for (const std::size_t targets : {1U, 15U, 16U, 17U, 48U, 100U})
      for (const bool integers : {false, true}) {
        const Arcs arcs(random, targets, integers);
        float smallest[rows - 1];
        kernels->smallest_in_rows(arcs.priced(), 1, rows - 1, smallest);
        for (std::size_t row = 1; row < rows; ++row) {
          std::size_t best = 0;
          for (std::size_t j = 1; j < arcs.stride; ++j)
            if (arcs.sum(row, j) < arcs.sum(row, best)) best = j;
          ASSERT_EQ(smallest[row - 1], arcs.sum(row, best)) << kernels->name << ' ' << targets;
          ASSERT_EQ(kernels->place_in_row(arcs.priced(), row, smallest[row - 1]), best);
          ASSERT_EQ(kernels->place_in_row(arcs.priced(), row, -1), arcs.stride);
        }
      }
}

TEST(Transport, PlacesBelowALimitAreListedInOrder) {
  reference::Random random(2);
  for (const KernelTable* kernels : supported_kernels())
    for (const std::size_t targets : {1U, 16U, 31U, 100U})
      for (const bool integers : {false, true})
        for (const float limit : {0.0F, 0.5F, 1.0F, 6.0F, 100.0F}) {
          const Arcs arcs(random, targets, integers);
          std::vector<std::uint32_t> places(arcs.stride);
          places.resize(kernels->places_below(arcs.priced(), 2, limit, places.data()));
          std::vector<std::uint32_t> expected;
          for (std::uint32_t j = 0; j < arcs.stride; ++j)
            if (arcs.sum(2, j) < limit) expected.push_back(j);
          ASSERT_EQ(places, expected) << kernels->name << ' ' << targets << ' ' << limit;
        }
}

TEST(Transport, DoublesAreComparedAndScaledOneByOne) {
  reference::Random random(3);
  std::uniform_real_distribution<double> uniform(0, 1e-3);
  const double factors[] = {0x1p7, 0x1p-2};
  for (const KernelTable* kernels : supported_kernels())
    for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 100U}) {
      std::vector<double> values(count);
      for (double& value : values) value = uniform(random);
      double largest = 0;
      for (const double value : values) largest = std::max(largest, value);
      ASSERT_EQ(kernels->largest_double(values.data(), count), largest) << kernels->name;
      std::vector<float> scaled(count + 1, -1.0F);
      kernels->scaled_floats(values.data(), count, factors, scaled.data());
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(scaled[i], static_cast<float>(values[i] * 32)) << kernels->name << ' ' << i;
      ASSERT_EQ(scaled[count], -1.0F);
    }
}

TEST(Transport, DistancesInDoubleAreThoseOfAPlainLoop) {
  reference::Random random(4);
  std::normal_distribution<double> normal;
  for (const KernelTable* kernels : supported_kernels())
    for (const std::size_t size : {1U, 3U, 8U, 16U, 37U, 100U})
      for (const std::size_t dimensions : {0U, 1U, 2U, 7U, 100U}) {
        std::vector<float> point(dimensions);
        for (float& component : point) component = static_cast<float>(normal(random));
        std::vector<double> columns(dimensions * size);
        for (double& component : columns)
          component = static_cast<double>(static_cast<float>(normal(random)));
        std::vector<double> distances(size, -1);
        kernels->exact_distances(point.data(), dimensions, columns.data(), size, distances.data());
        for (std::size_t j = 0; j < size; ++j) {
          double sum = 0;
          for (std::size_t d = 0; d < dimensions; ++d) {
            const double difference = static_cast<double>(point[d]) - columns[d * size + j];
            sum += difference * difference;
          }
          ASSERT_EQ(distances[j], std::sqrt(sum)) << kernels->name << ' ' << size << ' ' << j;
        }
      }
}

TEST(Transport, FunctionsAreTheSmallestOfDistancesLessValues) {
  reference::Random random(5);
  for (const KernelTable* kernels : supported_kernels())
    for (const std::size_t count : {0U, 1U, 3U, 4U, 5U, 100U}) {
      const auto distances = reference::random_values(random, count, false);
      const auto values = reference::random_values(random, count * function_lanes, false);
      float least[function_lanes];
      kernels->least_differences(distances.data(), count, values.data(), least);
      for (std::size_t lane = 0; lane < function_lanes; ++lane) {
        float expected = infinity;
        for (std::size_t i = 0; i < count; ++i)
          expected = std::min(expected, distances[i] - values[i * function_lanes + lane]);
        ASSERT_EQ(least[lane], expected) << kernels->name << ' ' << count;
      }
    }
}

}  // namespace
}  // namespace navvy::kernels
