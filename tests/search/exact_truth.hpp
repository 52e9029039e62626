#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/search.hpp"
#include "search/knn.hpp"
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

// An index of some rows of another, in any order and as often as named.
inline Index index_of(const Index& index, std::span<const std::uint32_t> rows) {
  Index result = index;
  result.rows = backends::chosen_rows(index.rows, rows);
  return result;
}

inline Index first_rows(const Index& index, std::size_t count) {
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  return index_of(index, rows);
}

// Some rows twice and thrice, in an order of their own.
inline Index with_duplicates(const Index& index, Rng& rng) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < index.rows.size(); ++row)
    order.insert(order.end(), random_size(rng, 1, 3), row);
  std::shuffle(order.begin(), order.end(), rng);
  return index_of(index, order);
}

// Rows of a random shape, some of them several times.
inline Index awkward_index(Rng& rng, std::size_t rows) {
  SampleShape shape = random_shape(rng);
  shape.rows = rows;
  return with_duplicates(random_index(rng, shape), rng);
}

// The true distances of queries to all rows, by row; infinity for what cannot match. Of a pair of
// queries one order is solved: the other has the same bits, as a fact about measures says.
inline std::vector<std::vector<double>> true_distances(const Index& index,
                                                       std::span<const std::uint32_t> queries,
                                                       const Measure& measure = emd) {
  std::vector<std::vector<double>> distances(queries.size());
  std::vector<std::size_t> place(index.rows.size(), queries.size());
  for (std::size_t i = queries.size(); i-- > 0;) place[queries[i]] = i;
  core::ThreadPool pool(2);
  pool.run(queries.size(), [&](std::size_t i, unsigned) {
    distances[i].assign(index.rows.size(), std::numeric_limits<double>::infinity());
    for (std::uint32_t row = 0; row < index.rows.size(); ++row)
      if (row != queries[i] && place[row] >= i && !is_empty(index.rows[row]))
        distances[i][row] =
            transport(measure, index.vocabulary, index.rows[row], index.rows[queries[i]]).distance;
  });
  for (std::size_t i = 0; i < queries.size(); ++i)
    for (std::size_t earlier = 0; earlier < i; ++earlier)
      if (queries[earlier] != queries[i])
        distances[i][queries[earlier]] = distances[earlier][queries[i]];
  return distances;
}

inline std::vector<double> true_distances(const Index& index, std::uint32_t query,
                                          const Measure& measure = emd) {
  return true_distances(index, std::span(&query, 1), measure).front();
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

// Each rank is farther than the true one by the tolerance at most.
inline void expect_close(const Matches& found, std::size_t query,
                         const std::vector<double>& distances, double tolerance) {
  const auto order = order_of(distances);
  for (std::size_t rank = 0; rank < std::min(found.top, order.size()); ++rank)
    ASSERT_LE(found.distances[query * found.top + rank],
              (1 + tolerance) * (1 + 1e-9) * distances[order[rank]])
        << "rank " << rank;
}

inline void expect_search_is_brute_force(const Index& index, std::span<const std::uint32_t> rows,
                                         std::size_t top, const Measure& measure = emd) {
  Searcher searcher(index);
  SearchOptions options = options_for(top);
  options.measure = measure;
  const Matches found = searcher.search_rows(rows, options);
  const auto distances = true_distances(index, rows, measure);
  for (std::size_t i = 0; i < rows.size(); ++i)
    ASSERT_NO_FATAL_FAILURE(expect_exact(found, i, distances[i]));
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
