// Rows of 100,000 bins, within a small budget.

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "navvy/error.hpp"
#include "navvy/search.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

constexpr std::uint32_t bins = 100'000;

// Points on a line, one apart. Every second bin of row 1 lacks half of what row 0 has there, and
// its neighbour has it: half of the mass of half of the bins moves by 1.
Index two_long_rows() {
  std::vector<float> places(bins);
  std::iota(places.begin(), places.end(), -0.5F * bins);
  std::vector<std::uint32_t> all(bins);
  std::iota(all.begin(), all.end(), 0U);
  std::vector<double> even(bins, 1.0);
  std::vector<double> uneven(bins);
  for (std::uint32_t bin = 0; bin < bins; ++bin) uneven[bin] = bin % 2 == 0 ? 0.5 : 1.5;
  Index index;
  index.vocabulary = Vocabulary(1, Array(std::move(places)));
  HistogramsBuilder builder(bins);
  builder.add(all, even);
  builder.add(all, uneven);
  index.rows = builder.build();
  return index;
}

SearchOptions asked(const char* measure, std::uint64_t memory) {
  SearchOptions options;
  options.question.measure = parse_measure(measure);
  options.question.direction = Direction::database_to_query;
  options.top = 1;
  options.run.memory = memory;
  return options;
}

TEST(LongRows, OfAHundredThousandBinsAreSearchedInPieces) {
  if (test::sanitized) GTEST_SKIP() << "ten thousand million ground distances";
  const Searcher searcher(two_long_rows());
  const std::vector<std::uint32_t> rows{0};
  const Matches found = searcher.search_rows(rows, asked("act-1", std::uint64_t{32} << 20U));
  ASSERT_EQ(found.rows[0], 1);
  EXPECT_NEAR(found.distances[0], 0.25, 1e-5);
}

TEST(LongRows, UnderEmdAndSinkhornSayWhatTheyWouldTake) {
  const Searcher searcher(two_long_rows());
  const std::vector<std::uint32_t> rows{0};
  for (const char* measure : {"emd", "sinkhorn"}) {
    SearchOptions options = asked(measure, std::uint64_t{256} << 20U);
    // One way, since bounds both ways take minutes under sanitizers.
    if (is_exact(options.question.measure)) options.question.price = bins;
    const std::string said = test::error_of(
        ErrorCode::limit, [&] { static_cast<void>(searcher.search_rows(rows, options)); });
    EXPECT_NE(said.find(" needs "), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace navvy
