// Signatures of rows: certified for every kind of row, and worth their bytes.
#include "backends/cpu/signatures/signatures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "backends/conformance.hpp"
#include "backends/cpu/signatures/groups.hpp"

namespace navvy::test {
namespace {

using backends::QueryBlock;
using backends::RowSet;
using backends::Task;

Vocabulary scattered(Rng& rng, std::size_t size, std::size_t dimensions) {
  std::normal_distribution<float> normal(0, 1);
  std::vector<float> values(size * dimensions);
  for (float& value : values) value = normal(rng);
  return {dimensions, Array(std::move(values))};
}

// Rows from one bin to many; some hold nearly all of their weight in one, some bins have none.
Histograms uneven_rows(Rng& rng, std::size_t rows, std::size_t coordinates) {
  HistogramsBuilder builder(coordinates);
  std::uniform_real_distribution<double> uniform(0.01, 1);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> ids;
    std::vector<double> weights;
    const std::size_t bins = row % 7 == 0 ? 1 : 1 + rng() % 40;
    for (std::size_t bin = 0; bin < bins; ++bin) {
      ids.push_back(static_cast<std::uint32_t>(rng() % coordinates));
      weights.push_back(row % 5 == 0 && bin == 0 ? 1e6 : uniform(rng));
    }
    builder.add(ids, weights);
  }
  return builder.build();
}

float smallest_distance(const Vocabulary& vocabulary) {
  double least = 1e30;
  for (std::size_t a = 0; a < vocabulary.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) least = std::min(least, ground_distance(vocabulary, a, b));
  return static_cast<float>(least * (1 - 1e-6));
}

TEST(RowSignatures, AreBelowEveryCostOfLimitedRoom) {
  Rng rng(7);
  for (const std::size_t coordinates : {1U, 2U, 40U, 300U}) {
    const RowSet set{scattered(rng, coordinates, 3), uneven_rows(rng, 120, coordinates)};
    Call call(3);
    const backends::RowSignatures signatures(
        set.vocabulary, set.rows, coordinates == 1 ? 1 : smallest_distance(set.vocabulary),
        kernels::best_kernels(), call.run);
    std::vector<float> bounds(set.rows.size());
    const auto rows = backends::find_backend("cpu-unsigned")
                          .prepare(set, std::numeric_limits<double>::infinity(), call.run);
    std::vector<std::uint32_t> all(set.rows.size());
    for (std::size_t row = 0; row < all.size(); ++row) all[row] = static_cast<std::uint32_t>(row);
    for (const char* measure : {"omr", "act-1", "act-3", "ict"})
      for (const Direction direction : every_direction) {
        const auto block = rows->queries(
            {.measure = parse_measure(measure), .direction = direction}, set.rows.size(), call.run);
        std::vector<float> distances(all.size());
        for (std::size_t query = 0; query < all.size(); ++query) {
          if (query % block->block() == 0)
            block->prepare(set.rows, {query, std::min(query + block->block(), all.size())},
                           call.run);
          static_cast<void>(block->bounds(query));
          block->distances(all, distances, call.run);
          signatures.bounds(set.rows[query], bounds, call.run);
          for (std::size_t row = 0; row < all.size(); ++row)
            ASSERT_LE(bounds[row], distances[row])
                << measure << ' ' << to_string(direction) << ' ' << query << ' ' << row;
        }
      }
  }
}

// Where distance is what mass cannot stay where it is, the bound should be most of it.
TEST(RowSignatures, SeeMostOfWhatIsApart) {
  Rng rng(8);
  std::vector<float> values(60);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const RowSet set{{1, Array(std::move(values))}, uneven_rows(rng, 100, 60)};
  Call call(1);
  const backends::RowSignatures signatures(set.vocabulary, set.rows, 1, kernels::best_kernels(),
                                           call.run);
  std::vector<float> bounds(set.rows.size());
  double seen = 0;
  double there = 0;
  for (std::size_t query = 0; query < set.rows.size(); ++query) {
    signatures.bounds(set.rows[query], bounds, call.run);
    for (std::size_t row = 0; row < set.rows.size(); ++row) {
      std::vector<double> apart(60);
      for (std::size_t i = 0; i < set.rows[row].size(); ++i)
        apart[set.rows[row].coordinates[i]] += set.rows[row].weights[i];
      for (std::size_t i = 0; i < set.rows[query].size(); ++i)
        apart[set.rows[query].coordinates[i]] -= set.rows[query].weights[i];
      double half = 0;
      for (const double value : apart) half += std::abs(value) / 2;
      ASSERT_LE(bounds[row], half + 1e-6);
      seen += bounds[row];
      there += half;
    }
  }
  EXPECT_GT(seen, 0.9 * there);
}

TEST(SignatureGroups, ShareOutWeightAndSpace) {
  Rng rng(9);
  const Vocabulary vocabulary = scattered(rng, 500, 2);
  const Histograms rows = uneven_rows(rng, 50, 500);
  const auto groups = backends::signature_groups(vocabulary, rows, 64);
  ASSERT_EQ(groups.size(), 500U);
  EXPECT_EQ(std::set(groups.begin(), groups.end()).size(), 64U);
  EXPECT_EQ(*std::ranges::max_element(groups), 63);
  const auto few = backends::signature_groups(scattered(rng, 10, 2), uneven_rows(rng, 5, 10), 64);
  EXPECT_EQ(std::set(few.begin(), few.end()).size(), 10U);
}

}  // namespace
}  // namespace navvy::test
