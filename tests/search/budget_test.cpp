// The same bits under every budget: work is cut smaller, or refused, but never answered otherwise.

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "navvy/error.hpp"
#include "navvy/rows.hpp"
#include "search/exact_truth.hpp"
#include "support/effort.hpp"

namespace navvy {
namespace {

// What is answered within a budget, or nothing where it is refused.
template <class Ask>
std::optional<Matches> within(std::uint64_t memory, SearchOptions options, const Ask& ask) {
  options.run.memory = memory;
  try {
    return ask(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit) << error.what();
    return std::nullopt;
  }
}

// From a few kilobytes up step by step, so that every way to work smaller is taken.
template <class Ask>
void expect_same_bits(const SearchOptions& options, const std::string& what, const Ask& ask) {
  const Matches expected = ask(options);
  bool was_answered = false;
  int refused = 0;
  for (std::uint64_t memory = 1 << 14U; memory < std::uint64_t{1} << 27U;
       memory += test::sanitized ? memory : memory / 2) {
    const std::optional<Matches> found = within(memory, options, ask);
    if (!found) {
      ++refused;
      EXPECT_FALSE(was_answered) << what << " is refused " << memory << " bytes but not less";
      continue;
    }
    was_answered = true;
    ASSERT_EQ(found->rows, expected.rows) << what << " in " << memory;
    ASSERT_EQ(found->distances, expected.distances) << what << " in " << memory;
  }
  EXPECT_TRUE(was_answered) << what;
  EXPECT_GT(refused, 0) << what << ": the least budget is not small";
}

void expect_same_bits(const Index& index, const std::vector<std::string>& measures) {
  const std::vector<std::uint32_t> rows = test::rows_with_weight(index, index.rows.size() / 3);
  for (const std::string& name : measures) {
    if (test::sanitized && name != measures.back()) continue;
    SearchOptions options = test::options_for(5);
    options.question.measure = parse_measure(name);
    options.run.threads = 2;
    expect_same_bits(options, name + " search", [&](const SearchOptions& asked) {
      return Searcher(index).search_rows(rows, asked);
    });
    expect_same_bits(options, name + " knn",
                     [&](const SearchOptions& asked) { return Searcher(index).knn(asked); });
    // A third of the rows, alone where there is room for a copy.
    options.among = marked(test::rows_with_weight(index, 3), index.rows.size());
    expect_same_bits(options, name + " search among some", [&](const SearchOptions& asked) {
      return Searcher(index).search_rows(rows, asked);
    });
  }
}

TEST(Budget, SmallSupportsHaveTheSameBitsUnderEvery) {
  test::Rng rng(8);
  const Index index = test::random_index(
      rng, {.dimensions = 2, .vocabulary_size = 90, .rows = 1100, .max_bins = 12, .grid = true});
  expect_same_bits(index, {"bow", "wcd", "rwmd", "omr", "ict", "act-3"});
}

TEST(Budget, LargeVocabulariesHaveTheSameBitsUnderEvery) {
  test::Rng rng(9);
  const Index index = test::random_index(
      rng, {.dimensions = 5, .vocabulary_size = 4500, .rows = 70, .max_bins = 50});
  expect_same_bits(index, {"bow", "wcd", "rwmd", "omr", "ict", "sinkhorn", "emd", "act-3"});
}

}  // namespace
}  // namespace navvy
