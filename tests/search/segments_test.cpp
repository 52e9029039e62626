// Several indexes as one: the bytes of the answers over their merger, whatever the parts.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "navvy/align.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "navvy/rows.hpp"
#include "search/exact_truth.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::Rng;

// Consecutive rows, so that the merger numbers them as the whole did; each part has only the
// coordinates that it uses.
std::vector<Index> parts_of(const Index& index, std::size_t count) {
  std::vector<Index> parts;
  const std::size_t n = index.rows.size();
  for (std::size_t part = 0; part < count; ++part) {
    std::vector<std::uint32_t> rows;
    for (std::size_t row = part * n / count; row < (part + 1) * n / count; ++row)
      rows.push_back(static_cast<std::uint32_t>(row));
    const std::vector<Index> alone{restricted(index, rows)};
    parts.push_back(merged(alone));
  }
  return parts;
}

template <class Value>
bool same_bytes(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0;
}

std::vector<float> matrix(const Searcher& searcher, const SearchOptions& options) {
  const std::size_t n = searcher.index().rows.size();
  std::vector<float> values;
  searcher.distances({0, n, 0, n}, options.question, options.run,
                     [&](std::size_t, std::size_t, std::span<const float> some) {
                       values.insert(values.end(), some.begin(), some.end());
                     });
  return values;
}

void expect_same(const Matches& found, const Matches& expected, const std::string& what) {
  EXPECT_EQ(found.rows, expected.rows) << what;
  EXPECT_TRUE(same_bytes(found.distances, expected.distances)) << what;
}

TEST(Segments, TheirMergerCountsAgainstTheBudget) {
  Rng rng(6);
  const Index index = test::random_index(
      rng, {.dimensions = 8, .vocabulary_size = 400, .rows = 20000, .max_bins = 40});
  SearchOptions options = test::options_for(3);
  options.question.measure = parse_measure("bow");
  options.run.threads = 1;
  options.run.memory = std::uint64_t{2} << 20U;
  const std::vector<std::uint32_t> row{test::rows_with_weight(index, 1).front()};
  EXPECT_EQ(Searcher(index).search_rows(row, options)[0].size(), 3U);
  const Searcher parts(parts_of(index, 2));
  const std::string message =
      test::error_of(ErrorCode::limit, [&] { parts.search_rows(row, options); });
  EXPECT_NE(message.find("memory budget of 2 MB"), std::string::npos) << message;
  options.run.memory = 0;
  EXPECT_EQ(parts.search_rows(row, options)[0].size(), 3U);
}

TEST(Segments, AnswerLikeTheirMergerUnderEveryMeasure) {
  Rng rng(5);
  for (const std::size_t vocabulary_size : {60U, 5000U}) {
    const Index index = test::random_index(
        rng, {.dimensions = 3, .vocabulary_size = vocabulary_size, .rows = 61, .max_bins = 9});
    const Searcher whole(index);
    const std::vector<std::uint32_t> rows = test::rows_with_weight(index, 6);
    for (const std::size_t count : {1U, 2U, 4U, 7U}) {
      const Searcher searcher(parts_of(index, count));
      for (const MeasureFacts& known : all_facts()) {
        SearchOptions options = test::options_for(5);
        const bool hat = known.parameter == MeasureParameter::threshold;
        options.question.measure = {known.kind, 3, hat ? 2.0 : 0.0};
        const std::string what = std::string(known.name) + " in " + std::to_string(count);
        expect_same(searcher.knn(options), whole.knn(options), what + " knn");
        const Matches batch = whole.search_rows(rows, options);
        expect_same(searcher.search_rows(rows, options), batch, what + " batch");
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const Matches alone = searcher.search_rows(std::span(rows).subspan(i, 1), options);
          for (std::size_t rank = 0; rank < alone[0].size(); ++rank) {
            EXPECT_EQ(alone[0].row(rank), batch[i].row(rank)) << what;
            EXPECT_EQ(alone[0].distance(rank), batch[i].distance(rank)) << what;
          }
        }
        EXPECT_TRUE(same_bytes(matrix(searcher, options), matrix(whole, options))) << what;
      }
    }
  }
}

TEST(Segments, KeepTheirIdsAndRefuseOnesThatClash) {
  Rng rng(6);
  Index a = test::random_index(rng, {.rows = 3});
  Index b = a;
  const std::vector<std::string> names{"x", "y", "z"};
  a.ids = Strings(names);
  b.ids = Strings(std::vector<std::string>{"u", "v", "w"});
  const Searcher searcher(std::vector{a, b});
  EXPECT_EQ(searcher.index().id(4), "v");
  b.ids = Strings(std::vector<std::string>{"u", "y", "w"});
  EXPECT_THROW(Searcher(std::vector{a, b}), Error);
}

// What is asked among some rows is what is left of all answers, and proofs count these rows alone.
TEST(Among, IsTheSearchOverTheseRowsUnderEveryMeasure) {
  Rng rng(7);
  const Index index = test::random_index(rng, {.dimensions = 2, .vocabulary_size = 40, .rows = 50});
  const Searcher searcher(index);
  std::vector<std::uint8_t> among(index.rows.size());
  for (std::size_t row = 0; row < among.size(); ++row) among[row] = row % 3 == 1 ? 1 : 0;
  const std::vector<std::uint32_t> queries = test::rows_with_weight(index, 7);
  for (const MeasureFacts& known : all_facts()) {
    SearchOptions options = test::options_for(index.rows.size());
    const bool hat = known.parameter == MeasureParameter::threshold;
    options.question.measure = {known.kind, 1, hat ? 2.0 : 0.0};
    const Matches all = searcher.search_rows(queries, options);
    options.top = 4;
    options.among = Array(among);
    const Matches some = searcher.search_rows(queries, options);
    const Matches every = searcher.knn(options);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      std::vector<Match> wanted;
      for (const Match& match : all[i])
        if (among[static_cast<std::size_t>(match.row)] != 0 && wanted.size() < options.top)
          wanted.push_back(match);
      ASSERT_EQ(some[i].size(), wanted.size()) << known.name;
      for (std::size_t rank = 0; rank < wanted.size(); ++rank) {
        EXPECT_EQ(some[i].row(rank), wanted[rank].row) << known.name;
        EXPECT_EQ(some[i].distance(rank), wanted[rank].distance) << known.name;
        if (among[queries[i]] != 0) {
          EXPECT_EQ(every[queries[i]].row(rank), wanted[rank].row) << known.name;
        }
      }
      if (among[queries[i]] == 0) {
        EXPECT_TRUE(every[queries[i]].empty()) << known.name;
      }
    }
  }
}

}  // namespace
}  // namespace navvy
