#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/chosen_rows.hpp"
#include "core/parallel.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/search.hpp"
#include "support/random_histograms.hpp"

/// The truth about exact searches: the distance of every pair, and what answers may claim.
namespace navvy::test {

inline const Measure emd{MeasureKind::emd, 1};

inline SearchOptions options_for(std::size_t top, unsigned threads = 2) {
  SearchOptions options;
  options.question.measure = emd;
  options.top = top;
  options.run.threads = threads;
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
  result.rows = core::chosen_rows(index.rows, rows);
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
  ASSERT_EQ(found[query].size(), expected);
  for (std::size_t rank = 0; rank < expected; ++rank) {
    const Match match = found[query][rank];
    const double distance = distances[order[rank]];
    ASSERT_EQ(match.row, order[rank]) << "query " << query << " rank " << rank;
    ASSERT_NEAR(match.distance, distance, 1e-9 * distance);
    ASSERT_EQ(match.lower, match.distance);
    ASSERT_EQ(match.upper, match.distance);
    ASSERT_TRUE(match.exact);
  }
  const Proof& proof = found.proofs[query];
  ASSERT_EQ(proof.rows, order.size());
  ASSERT_EQ(proof.matches, expected);
  ASSERT_EQ(proof.certain, expected);
  ASSERT_EQ(proof.undecided, 0U);
}

// What an answer that was cut short says about itself.
inline void expect_honest(const Matches& found, std::size_t query,
                          const std::vector<double>& distances) {
  const auto order = order_of(distances);
  const std::size_t wanted = std::min(found.top, order.size());
  const auto nearest = std::span(order).first(wanted);
  ASSERT_EQ(found[query].size(), wanted);
  std::uint64_t right = 0;
  double last = 0;
  std::vector<double> outside = distances;
  for (const Match& match : found[query]) {
    const double distance = distances[static_cast<std::size_t>(match.row)];
    ASSERT_LE(match.lower, distance);
    ASSERT_GE(match.upper, distance);
    ASSERT_EQ(match.distance, match.upper);
    if (match.exact) {
      ASSERT_NEAR(match.upper, distance, 1e-9 * distance);
    }
    ASSERT_GE(match.distance, std::exchange(last, match.distance));
    right += std::ranges::find(nearest, match.row) != nearest.end() ? 1U : 0U;
    outside[static_cast<std::size_t>(match.row)] = std::numeric_limits<double>::infinity();
  }
  for (const double distance : outside)
    if (std::isfinite(distance)) {
      ASSERT_LE(found.proofs[query].beyond, distance * (1 + 1e-9));
    }
  ASSERT_LE(found.proofs[query].certain, right);
}

// Each rank is farther than the true one by the tolerance at most.
inline void expect_close(const Matches& found, std::size_t query,
                         const std::vector<double>& distances, double tolerance) {
  const auto order = order_of(distances);
  for (std::size_t rank = 0; rank < std::min(found.top, order.size()); ++rank)
    ASSERT_LE(found[query].distance(rank), (1 + tolerance) * (1 + 1e-9) * distances[order[rank]])
        << "rank " << rank;
}

inline void expect_search_is_brute_force(const Index& index, std::span<const std::uint32_t> rows,
                                         std::size_t top, const Measure& measure = emd) {
  Searcher searcher(index);
  SearchOptions options = options_for(top);
  options.question.measure = measure;
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
