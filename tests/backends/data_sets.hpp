// The rows and queries that backends are tried on: small, and full of the awkward cases.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "backends/backend.hpp"
#include "support/random_histograms.hpp"

namespace navvy::test {

/// How rows of a data set are drawn.
struct DataShape {
  std::string name;
  std::size_t rows;
  std::size_t queries;
  std::size_t vocabulary_size;
  std::size_t dimensions;
  std::size_t max_bins;
  bool integers;     ///< a grid: many ground distances are equal
  bool background;   ///< every row has all coordinates as bins, most of them without weight
  double threshold;  ///< of the ground distance
};

struct DataSet {
  DataShape shape;
  backends::RowSet set;
  Histograms queries;
};

/// A grid whose rows are eight coordinates long, or points around the origin some of which
/// coincide. Numbers leave gaps, so that sums are cut into several pieces.
inline Vocabulary spread_vocabulary(Rng& rng, const DataShape& shape) {
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> values;
  std::vector<std::uint32_t> numbers;
  for (std::size_t id = 0; id < shape.vocabulary_size; ++id) {
    numbers.push_back(static_cast<std::uint32_t>(id * 17 + id % 3));
    for (std::size_t d = 0; d < shape.dimensions; ++d)
      values.push_back(shape.integers ? static_cast<float>(d == 0 ? id % 8 : id / 8) : normal(rng));
    if (!shape.integers && id % 10 == 9)  // the same place as the one before
      std::copy_n(values.end() - static_cast<std::ptrdiff_t>(2 * shape.dimensions),
                  shape.dimensions, values.end() - static_cast<std::ptrdiff_t>(shape.dimensions));
  }
  return {shape.dimensions, Array(std::move(values)), Array(std::move(numbers))};
}

/// Adds a row of `bins` bins around some place of the vocabulary: some rows are near each other and
/// others are not, as in real data. No bins: a row without weight.
inline void add_random_row(Rng& rng, const DataShape& shape, std::size_t bins,
                           HistogramsBuilder& builder) {
  std::uniform_real_distribution<double> uniform(0.01, 1);
  std::vector<std::uint32_t> ids;
  std::vector<double> weights;
  const std::size_t first = random_size(rng, 0, shape.vocabulary_size - 1);
  for (std::size_t i = 0; i < bins; ++i) {
    const std::size_t id =
        (first + random_size(rng, 0, 4 * shape.max_bins)) % shape.vocabulary_size;
    ids.push_back(static_cast<std::uint32_t>(id));
    weights.push_back(shape.integers ? static_cast<double>(random_size(rng, 1, 4)) : uniform(rng));
  }
  for (std::uint32_t id = 0; shape.background && id < shape.vocabulary_size; ++id) {
    ids.push_back(id);
    weights.push_back(0);
  }
  builder.add(ids, weights);
}

/// Some rows have one bin, some none, and some come twice: ties.
inline Histograms random_rows(Rng& rng, const DataShape& shape, std::size_t count) {
  HistogramsBuilder builder(shape.vocabulary_size, ZeroBins::keep);
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t bins = row % 29 == 11  ? 0
                             : row % 13 == 5 ? 1
                                             : random_size(rng, 1, shape.max_bins);
    Rng twice = row % 7 == 3 ? Rng(shape.rows) : Rng(rng());
    add_random_row(twice, shape, bins, builder);
  }
  return builder.build();
}

inline DataSet make_data_set(const DataShape& shape) {
  Rng rng(shape.rows * 1000 + shape.vocabulary_size);
  Vocabulary vocabulary = spread_vocabulary(rng, shape);
  Histograms rows = random_rows(rng, shape, shape.rows);
  Histograms queries = random_rows(rng, shape, shape.queries);
  return {shape, {std::move(vocabulary), std::move(rows)}, std::move(queries)};
}

inline constexpr double no_threshold = std::numeric_limits<double>::infinity();

/// Few rows, so that the slowest backend can be tried on every measure. No size is a multiple of
/// what a device may take together.
inline const std::vector<DataShape>& small_shapes() {
  static const std::vector<DataShape> shapes{
      {"integers", 83, 14, 61, 2, 20, true, false, no_threshold},
      {"background", 37, 11, 43, 2, 20, true, true, no_threshold},
      {"reals", 77, 14, 45, 3, 20, false, false, no_threshold},
      {"capped", 53, 14, 45, 3, 9, false, false, 2.5},
      {"words", 69, 14, 4217, 5, 12, false, false, no_threshold},
  };
  return shapes;
}

/// Rows enough for stages that start with lower bounds; 1,037 is no multiple of anything either.
inline const std::vector<DataShape>& large_shapes() {
  static const std::vector<DataShape> shapes{
      {"many_integers", 1037, 70, 61, 2, 12, true, false, no_threshold},
      {"many_background", 1037, 70, 61, 2, 12, true, true, no_threshold},
      {"many_reals", 1037, 70, 45, 3, 12, false, false, no_threshold},
      {"many_words", 1037, 70, 4217, 5, 9, false, false, no_threshold},
  };
  return shapes;
}

/// The data set of that name; made once.
inline const DataSet& data_set(const std::string& name) {
  static std::vector<DataSet> made;
  for (const DataSet& data : made)
    if (data.shape.name == name) return data;
  for (const auto* shapes : {&small_shapes(), &large_shapes()})
    for (const DataShape& shape : *shapes)
      if (shape.name == name) made.push_back(make_data_set(shape));
  return made.back();
}

}  // namespace navvy::test
