#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "navvy/pairwise.hpp"
#include "navvy/search.hpp"
#include "support/random_histograms.hpp"

/// The truth about exact searches: the distance of every pair, and what answers may claim.
namespace navvy::test {

inline const Measure emd{MeasureKind::emd, 1};

inline SearchOptions options_for(std::size_t top, unsigned threads = 2) {
  SearchOptions options;
  options.measure = emd;
  options.top = top;
  options.threads = threads;
  return options;
}

inline Index random_index(Rng& rng, const SampleShape& shape) {
  const Sample sample = random_sample(rng, shape);
  Index index;
  index.vocabulary = sample.vocabulary;
  index.rows = sample.rows;
  return index;
}

// Some rows twice and thrice, in an order of their own.
inline Index with_duplicates(const Index& index, Rng& rng) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < index.rows.size(); ++row)
    order.insert(order.end(), random_size(rng, 1, 3), row);
  std::shuffle(order.begin(), order.end(), rng);
  HistogramsBuilder builder(index.vocabulary.size(), ZeroBins::keep);
  for (const std::uint32_t row : order) {
    const Histogram histogram = index.rows[row];
    builder.add(histogram.coordinates,
                std::vector<double>(histogram.weights.begin(), histogram.weights.end()));
  }
  Index result = index;
  result.rows = builder.build();
  return result;
}

// The true distances of one query to all rows, by row; infinity for what cannot match.
inline std::vector<double> true_distances(const Index& index, std::uint32_t query,
                                          const Measure& measure = emd) {
  std::vector<double> distances(index.rows.size(), std::numeric_limits<double>::infinity());
  for (std::uint32_t row = 0; row < index.rows.size(); ++row)
    if (row != query && !is_empty(index.rows[row]))
      distances[row] =
          transport(measure, index.vocabulary, index.rows[row], index.rows[query]).distance;
  return distances;
}

// Rows in order of distance, ties by row.
inline std::vector<std::uint32_t> order_of(const std::vector<double>& distances) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < distances.size(); ++row)
    if (std::isfinite(distances[row])) order.push_back(row);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return distances[row]; });
  return order;
}

inline void expect_exact(const Matches& found, std::size_t query,
                         const std::vector<double>& distances) {
  const auto order = order_of(distances);
  const std::size_t expected = std::min(found.top, order.size());
  for (std::size_t rank = 0; rank < expected; ++rank) {
    const std::size_t place = query * found.top + rank;
    const double distance = distances[order[rank]];
    ASSERT_EQ(found.rows[place], order[rank]) << "query " << query << " rank " << rank;
    ASSERT_NEAR(found.distances[place], distance, 1e-9 * distance);
    ASSERT_EQ(found.lower[place], found.distances[place]);
    ASSERT_EQ(found.upper[place], found.distances[place]);
    ASSERT_TRUE(found.exact[place]);
  }
  const Proof& proof = found.proofs[query];
  ASSERT_EQ(proof.rows, order.size());
  ASSERT_EQ(proof.matches, expected);
  ASSERT_EQ(proof.certain, expected);
  ASSERT_EQ(proof.undecided, 0U);
  for (std::size_t rank = expected; rank < found.top; ++rank)
    ASSERT_EQ(found.rows[query * found.top + rank], Matches::no_row);
}

// What an answer that was cut short says about itself.
inline void expect_honest(const Matches& found, std::size_t query,
                          const std::vector<double>& distances) {
  const auto order = order_of(distances);
  const std::size_t wanted = std::min(found.top, order.size());
  std::uint64_t right = 0;
  for (std::size_t rank = 0; rank < wanted; ++rank) {
    const std::size_t place = query * found.top + rank;
    const std::uint32_t row = found.rows[place];
    ASSERT_NE(row, Matches::no_row) << "rank " << rank;
    ASSERT_LE(found.lower[place], distances[row]);
    ASSERT_GE(found.upper[place], distances[row]);
    ASSERT_EQ(found.distances[place], found.upper[place]);
    if (found.exact[place]) {
      ASSERT_NEAR(found.upper[place], distances[row], 1e-9 * distances[row]);
    }
    if (rank > 0) {
      ASSERT_GE(found.distances[place], found.distances[place - 1]);
    }
    right += static_cast<std::uint64_t>(
        std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted), row) !=
        order.begin() + static_cast<std::ptrdiff_t>(wanted));
  }
  ASSERT_LE(found.proofs[query].certain, right);
}

inline void expect_search_is_brute_force(const Index& index, std::span<const std::uint32_t> rows,
                                         std::size_t top, const Measure& measure = emd) {
  Searcher searcher(index);
  SearchOptions options = options_for(top);
  options.measure = measure;
  const Matches found = searcher.search_rows(rows, options);
  for (std::size_t i = 0; i < rows.size(); ++i)
    ASSERT_NO_FATAL_FAILURE(expect_exact(found, i, true_distances(index, rows[i], measure)));
}

inline SampleShape text_like(std::size_t rows) {
  SampleShape shape;
  shape.dimensions = 9;
  shape.rows = rows;
  shape.vocabulary_size = 4200;  // more than the backend for small supports takes
  shape.max_bins = 40;
  return shape;
}

inline std::vector<std::uint32_t> rows_with_weight(const Index& index, std::size_t step) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < index.rows.size(); row += static_cast<std::uint32_t>(step))
    if (!is_empty(index.rows[row])) rows.push_back(row);
  return rows;
}

}  // namespace navvy::test
