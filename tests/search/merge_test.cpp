// Searches over parts of the rows, merged, against the search over all rows.

#include <gtest/gtest.h>

#include "core/chosen_rows.hpp"
#include "search/exact_truth.hpp"

namespace navvy {
namespace {

using test::Rng;

/// Rows dealt out to several indexes over the same vocabulary.
struct Parts {
  std::vector<std::vector<std::uint32_t>> rows;

  Parts(const Index& index, std::size_t count, Rng& rng) : rows(count) {
    for (std::uint32_t row = 0; row < index.rows.size(); ++row)
      rows[test::random_size(rng, 0, count - 1)].push_back(row);
  }

  [[nodiscard]] Matches search(const Index& index, const Histograms& queries,
                               const SearchOptions& options) const {
    std::vector<Matches> answers;
    for (const std::vector<std::uint32_t>& part : rows) {
      Searcher searcher(test::index_of(index, part));
      answers.push_back(searcher.search(queries, options));
      for (std::int64_t& row : answers.back().rows)
        if (row != no_row) row = part[static_cast<std::size_t>(row)];
    }
    return merge(answers);
  }
};

TEST(Merge, IsTheSearchOverAllRowsForEveryMeasure) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Rng rng(seed);
    const Index index = test::with_duplicates(
        test::random_index(rng, {.rows = 60, .max_bins = 10, .grid = seed % 2 == 0}), rng);
    const Histograms queries = core::chosen_rows(index.rows, test::rows_with_weight(index, 40));
    const Parts parts(index, 1 + seed, rng);
    Searcher all(index);
    for (const MeasureFacts& known : all_facts()) {
      SearchOptions options = test::options_for(7);
      const bool hat = known.parameter == MeasureParameter::threshold;
      options.question.measure = {known.kind, 1, hat ? 2.0 : 0.0};
      const Matches merged = parts.search(index, queries, options);
      const Matches expected = all.search(queries, options);
      ASSERT_EQ(merged.rows, expected.rows) << known.name << " seed " << seed;
      for (std::size_t query = 0; query < queries.size(); ++query) {
        for (std::size_t rank = 0; rank < expected[query].size(); ++rank)
          ASSERT_EQ(merged[query].distance(rank), expected[query].distance(rank)) << known.name;
        if (!known.exact) continue;
        ASSERT_EQ(merged.proofs[query].certain, expected.proofs[query].certain);
        ASSERT_EQ(merged.proofs[query].rows, expected.proofs[query].rows);
      }
    }
  }
}

TEST(Merge, IsHonestWhereSearchesWereStopped) {
  std::uint64_t uncertain = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Rng rng(seed);
    const Index index = test::random_index(rng, {.rows = 60, .max_bins = 10});
    const std::vector<std::uint32_t> rows = test::rows_with_weight(index, 20);
    const Histograms queries = core::chosen_rows(index.rows, rows);
    SearchOptions options = test::options_for(5, 1);
    options.exact.max_solves = test::random_size(rng, 1, 12);
    const Matches merged = Parts(index, 3, rng).search(index, queries, options);
    for (std::size_t query = 0; query < rows.size(); ++query) {
      std::vector<double> distances = test::true_distances(index, rows[query]);
      distances[rows[query]] = 0;  // a given histogram finds the row that it is
      ASSERT_NO_FATAL_FAILURE(test::expect_honest(merged, query, distances)) << "seed " << seed;
      uncertain += merged.proofs[query].certain < merged.proofs[query].matches ? 1 : 0;
    }
  }
  EXPECT_GT(uncertain, 0U);
}

}  // namespace
}  // namespace navvy
