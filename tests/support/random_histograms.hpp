#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "navvy/histograms.hpp"
#include "navvy/vocabulary.hpp"

/// Random histograms that contain the awkward cases: equal distances, coordinates that coincide,
/// single bins, bins without weight, weights over many orders of magnitude.
namespace navvy::test {

using Rng = std::mt19937_64;

inline std::size_t random_size(Rng& rng, std::size_t low, std::size_t high) {
  return std::uniform_int_distribution<std::size_t>(low, high)(rng);
}

inline bool chance(Rng& rng, double probability) {
  return std::bernoulli_distribution(probability)(rng);
}

template <class T>
T pick(Rng& rng, std::initializer_list<T> values) {
  return values.begin()[random_size(rng, 0, values.size() - 1)];
}

struct SampleShape {
  std::size_t dimensions = 2;
  std::size_t vocabulary_size = 16;
  std::size_t rows = 2;
  std::size_t max_bins = 8;
  bool grid = false;            ///< small integer coordinates: many distances are equal
  bool coinciding = false;      ///< some coordinates have the same place under different ids
  bool zero_bins = false;       ///< some bins have no weight
  bool uneven = false;          ///< weights over six orders of magnitude
  bool shared_support = false;  ///< all rows have the same bins
};

/// Most samples are small, so that many can be tried; dimensions go from 1 to 300.
inline SampleShape random_shape(Rng& rng) {
  SampleShape shape;
  shape.dimensions = pick<std::size_t>(rng, {1, 1, 2, 2, 2, 3, 5, 17});
  if (chance(rng, 0.02)) shape.dimensions = chance(rng, 0.5) ? 300 : random_size(rng, 18, 299);
  shape.max_bins = chance(rng, 0.7) ? 6 : chance(rng, 0.8) ? 18 : 40;
  shape.vocabulary_size = random_size(rng, 1, 2 * shape.max_bins);
  shape.grid = chance(rng, 0.4);
  shape.coinciding = chance(rng, 0.2);
  shape.zero_bins = chance(rng, 0.3);
  shape.uneven = chance(rng, 0.3);
  shape.shared_support = chance(rng, 0.2);
  return shape;
}

struct Sample {
  SampleShape shape;
  Vocabulary vocabulary;
  Histograms rows;
  std::uint64_t seed = 0;  ///< for what a test wants to draw besides
};

/// With `coinciding` false, the coordinates of a grid may still meet by chance.
inline Vocabulary random_vocabulary(Rng& rng, const SampleShape& shape) {
  std::normal_distribution<float> normal;
  std::uniform_int_distribution<int> place(-3, 3);
  std::vector<float> values(shape.vocabulary_size * shape.dimensions);
  for (float& value : values) value = shape.grid ? static_cast<float>(place(rng)) : normal(rng);
  for (std::size_t id = 1; shape.coinciding && id < shape.vocabulary_size; ++id) {
    if (!chance(rng, 0.4)) continue;
    const auto width = static_cast<std::ptrdiff_t>(shape.dimensions);
    const auto other = static_cast<std::ptrdiff_t>(random_size(rng, 0, id - 1)) * width;
    std::copy_n(values.begin() + other, width,
                values.begin() + static_cast<std::ptrdiff_t>(id) * width);
  }
  return {shape.dimensions, Array(std::move(values))};
}

inline std::vector<double> random_weights(Rng& rng, const SampleShape& shape, std::size_t count) {
  std::uniform_real_distribution<double> uniform(0.01, 1);
  std::vector<double> weights(count);
  for (double& weight : weights) {
    weight = shape.uneven ? std::pow(10.0, -6 * uniform(rng))
             : shape.grid ? static_cast<double>(random_size(rng, 1, 3))
                          : uniform(rng);
    if (shape.zero_bins && chance(rng, 0.4)) weight = 0;
  }
  if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 0; })) weights[0] = 1;
  return weights;
}

inline Sample random_sample(Rng& rng, const SampleShape& shape) {
  Sample sample{shape, random_vocabulary(rng, shape), {}, rng()};
  HistogramsBuilder builder(shape.vocabulary_size, ZeroBins::keep);
  std::vector<std::uint32_t> ids(shape.vocabulary_size);
  std::iota(ids.begin(), ids.end(), 0U);
  const std::size_t limit = std::min(shape.max_bins, shape.vocabulary_size);
  std::size_t bins = 0;
  for (std::size_t row = 0; row < shape.rows; ++row) {
    if (row == 0 || !shape.shared_support) {
      bins = random_size(rng, 1, limit);
      std::shuffle(ids.begin(), ids.end(), rng);
    }
    builder.add(std::span(ids).first(bins), random_weights(rng, shape, bins));
  }
  sample.rows = builder.build();
  return sample;
}

}  // namespace navvy::test
