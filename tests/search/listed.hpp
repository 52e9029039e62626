#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "navvy/search.hpp"
#include "search/exact_truth.hpp"

/// Answers as lists, and what a choice of rows or a radius must make of the lists of all rows.
namespace navvy::test {

using List = std::vector<std::pair<std::int64_t, double>>;

inline std::vector<List> lists_of(const Matches& matches) {
  std::vector<List> lists(matches.queries);
  for (std::size_t query = 0; query < matches.queries; ++query)
    for (const Match& match : matches[query]) lists[query].emplace_back(match.row, match.distance);
  return lists;
}

/// What is left of whole lists of all rows: rows that are chosen, within a radius, at most `top`.
inline std::vector<List> left_of(const std::vector<List>& whole, const SearchOptions& options) {
  std::vector<List> left(whole.size());
  for (std::size_t query = 0; query < whole.size(); ++query)
    for (const auto& [row, distance] : whole[query])
      if ((options.among.empty() || options.among[static_cast<std::size_t>(row)] != 0) &&
          distance <= options.within && left[query].size() < options.top)
        left[query].emplace_back(row, distance);
  return left;
}

/// Rows with ties, bins without weight, and some rows without any.
inline Index listed_index(std::size_t vocabulary_size, std::size_t rows) {
  Rng rng(vocabulary_size + rows);
  SampleShape shape{.dimensions = 2, .vocabulary_size = vocabulary_size, .rows = rows};
  shape.max_bins = 9;
  shape.grid = true;
  shape.zero_bins = true;
  Index index = random_index(rng, shape);
  HistogramsBuilder builder(vocabulary_size, ZeroBins::keep);
  for (std::size_t row = 0; row < rows; ++row) {
    const Histogram histogram = index.rows[row];
    const std::vector<double> weights(histogram.weights.begin(), histogram.weights.end());
    if (row % 13 == 5)
      builder.add({}, {});
    else
      builder.add(histogram.coordinates, weights);
  }
  index.rows = builder.build();
  return index;
}

inline const std::vector<Measure>& listed_measures() {
  static const std::vector<Measure> measures = [] {
    std::vector<Measure> all = parse_measures("bow,wcd,rwmd,omr,act-1,act-3,ict,sinkhorn,emd");
    all.push_back({MeasureKind::emd_hat, 1, 2.5});
    return all;
  }();
  return measures;
}

}  // namespace navvy::test
