// Emd one way against every pair in double: the same rows, the same distances, whoever computes and
// however it is asked; and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "navvy/rows.hpp"
#include "search/exact_truth.hpp"
#include "search/listed.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"

namespace navvy::test {
namespace {

constexpr Direction ways[] = {Direction::query_to_database, Direction::database_to_query};

// Rows of very unequal masses, some of them several times, between coordinates of length 1.
Index unequal_index(Rng& rng, std::size_t rows, std::size_t vocabulary_size, std::size_t bins) {
  SampleShape shape{.dimensions = 6, .vocabulary_size = vocabulary_size};
  shape.coinciding = vocabulary_size < 100;
  Index index;
  index.vocabulary = normalized(random_vocabulary(rng, shape));
  HistogramsBuilder builder(vocabulary_size);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> words(row % 11 == 7 ? 0 : random_size(rng, 1, bins));
    for (std::uint32_t& word : words)
      word = static_cast<std::uint32_t>(random_size(rng, 0, vocabulary_size - 1));
    const double weight = pick(rng, {1.0, 1.0, 0.1, 2.3});
    builder.add(words, std::vector<double>(words.size(), weight));
    if (row % 5 == 2) builder.add(words, std::vector<double>(words.size(), weight));
  }
  index.rows = builder.build();
  return index;
}

SearchOptions asking(Direction direction, std::size_t top, unsigned threads = 2) {
  SearchOptions options = options_for(top, threads);
  options.question.direction = direction;
  return options;
}

double distance_of(const Index& index, std::size_t row, std::size_t query,
                   const Question& question) {
  TransportOptions options;
  options.direction = question.direction;
  options.price = question.price;
  return transport(question.measure, index.vocabulary, index.rows[row], index.rows[query], options)
      .distance;
}

std::vector<double> truth(const Index& index, std::uint32_t query, const Question& question) {
  std::vector<double> distances(index.rows.size(), std::numeric_limits<double>::infinity());
  for (std::uint32_t row = 0; row < distances.size(); ++row)
    if (row != query && !is_empty(index.rows[row]))
      distances[row] = distance_of(index, row, query, question);
  return distances;
}

// The reference solver is that of the searches: distances are equal, not close.
void expect_truth(const Index& index, const Matches& found, std::size_t place,
                  const std::vector<double>& distances) {
  ASSERT_NO_FATAL_FAILURE(expect_exact(found, place, distances));
  for (const Match& match : found[place])
    ASSERT_EQ(match.distance, distances[static_cast<std::size_t>(match.row)])
        << index.rows[static_cast<std::size_t>(match.row)].mass;
}

TEST(Partial, SearchIsBruteForce) {
  const std::uint64_t seeds = sanitized ? 4 : 15;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Rng rng(seed);
    const bool large = seed % 5 == 0;
    const Index index = unequal_index(rng, 40, large ? 4200 : 14, large ? 25 : 9);
    const Searcher searcher(index);
    const auto queries = rows_with_weight(index, 1);
    for (const Direction direction : ways) {
      SearchOptions options = asking(direction, random_size(rng, 1, 9));
      if (seed % 3 == 0) options.question.measure = {MeasureKind::emd_hat, 1, 0.8};
      const Matches found = searcher.search_rows(queries, options);
      for (std::size_t i = 0; i < queries.size(); ++i)
        ASSERT_NO_FATAL_FAILURE(
            expect_truth(index, found, i, truth(index, queries[i], options.question)))
            << "seed " << seed << " " << to_string(direction);
    }
  }
}

TEST(Partial, EveryBackendAndThreadCountGivesTheSameBits) {
  Rng rng(3);
  const Index index = unequal_index(rng, 60, 30, 12);
  const auto queries = rows_with_weight(index, 2);
  for (const Direction direction : ways) {
    const auto expected =
        lists_of(Searcher(index, "reference").search_rows(queries, asking(direction, 6, 1)));
    for (const std::string backend : {"cpu", "cpu-uncached"})
      for (const unsigned threads : {1U, 2U, 5U}) {
        const Searcher searcher(index, backend);
        const Matches found = searcher.search_rows(queries, asking(direction, 6, threads));
        EXPECT_EQ(lists_of(found), expected) << backend << " " << threads;
        // One alone shares its rows out over threads.
        for (std::size_t i = 0; i < 3; ++i)
          EXPECT_EQ(lists_of(searcher.search_rows(std::span(&queries[i], 1),
                                                  asking(direction, 6, threads)))[0],
                    expected[i]);
      }
  }
}

TEST(Partial, EveryWayToAskGivesTheSameDistances) {
  Rng rng(4);
  const Index index = unequal_index(rng, 50, 20, 10);
  const Searcher searcher(index);
  const auto queries = rows_with_weight(index, 1);
  for (const Direction direction : ways) {
    SearchOptions options = asking(direction, uncut);
    options.question.price = direction == ways[0] ? 0 : 0.7;
    const auto whole = lists_of(searcher.search_rows(queries, options));

    options.top = 4;
    options.within = 0.4;
    options.among = marked(rows_with_weight(index, 3), index.rows.size());
    EXPECT_EQ(lists_of(searcher.search_rows(queries, options)), left_of(whole, options));

    const Histograms asked = selected(index.rows, queries);
    std::vector<std::vector<double>> lines;
    searcher.distances(asked, 0, index.rows.size(), options.question, {},
                       [&](std::size_t, std::span<const double> line) {
                         lines.emplace_back(line.begin(), line.end());
                       });
    for (std::size_t i = 0; i < queries.size(); ++i)
      for (const auto& [row, distance] : whole[i])
        EXPECT_EQ(lines[i][static_cast<std::size_t>(row)], distance);

    const SearchOptions all = asking(direction, 5);
    const Matches pairs = searcher.knn(all);
    const auto rows = lists_of(searcher.search_rows(queries, all));
    for (std::size_t i = 0; i < queries.size(); ++i)
      EXPECT_EQ(lists_of(pairs)[queries[i]], rows[i]);
  }
}

TEST(Partial, HasTheSameBitsUnderEveryBudget) {
  Rng rng(5);
  const Index index = unequal_index(rng, 60, 4500, 40);
  const auto queries = rows_with_weight(index, 20);
  for (const Direction direction : ways) {
    const auto expected = lists_of(Searcher(index).search_rows(queries, asking(direction, 5)));
    bool answered = false;
    int refused = 0;
    for (std::uint64_t memory = 1U << 14U; memory < 1U << 26U; memory += memory / 2) {
      SearchOptions options = asking(direction, 5);
      options.run.memory = memory;
      try {
        ASSERT_EQ(lists_of(Searcher(index).search_rows(queries, options)), expected) << memory;
        answered = true;
      } catch (const Error& error) {
        ASSERT_EQ(error.code(), ErrorCode::limit) << error.what();
        ASSERT_FALSE(answered) << "refused " << memory << " bytes but not less";
        ++refused;
      }
    }
    EXPECT_TRUE(answered);
    EXPECT_GT(refused, 0);
  }
}

TEST(Partial, AnswersCutShortAreHonest) {
  Rng rng(6);
  const Index index = unequal_index(rng, 60, 14, 9);
  const Searcher searcher(index);
  const auto queries = rows_with_weight(index, 3);
  for (const Direction direction : ways)
    for (const std::uint64_t solves : {1U, 5U, 20U}) {
      SearchOptions options = asking(direction, 5);
      options.exact.max_solves = solves;
      const Matches found = searcher.search_rows(queries, options);
      for (std::size_t i = 0; i < queries.size(); ++i) {
        ASSERT_NO_FATAL_FAILURE(
            expect_honest(found, i, truth(index, queries[i], options.question)));
        EXPECT_LE(found.proofs[i].solves, solves);
      }
    }
}

TEST(Partial, PartsAndSegmentsHaveTheBitsOfTheWhole) {
  Rng rng(7);
  const Index index = unequal_index(rng, 40, 16, 8);
  std::vector<std::string> ids;
  for (std::size_t row = 0; row < index.rows.size(); ++row)
    ids.push_back("r" + std::to_string(row));
  Index named = index;
  set_ids(named, ids);
  const auto half = static_cast<std::ptrdiff_t>(ids.size() / 2);
  const std::vector<Index> parts{removed(named, std::vector(ids.begin() + half, ids.end())),
                                 removed(named, std::vector(ids.begin(), ids.begin() + half))};
  const auto queries = rows_with_weight(index, 2);
  const SearchOptions options = asking(ways[0], 6);
  EXPECT_EQ(lists_of(Searcher(parts).search_rows(queries, options)),
            lists_of(Searcher(index).search_rows(queries, options)));
}

// What a text asks that a row contains is found first, however long the row is.
TEST(Partial, ARowThatContainsTheQueryIsAtNoDistance) {
  Rng rng(8);
  Index index = unequal_index(rng, 30, 40, 6);
  HistogramsBuilder builder(40);
  builder.add(std::vector<std::uint32_t>{3, 17, 31}, std::vector<double>{1, 2, 1});
  const Histograms query = builder.build();
  std::vector<std::uint32_t> many(40);
  std::iota(many.begin(), many.end(), 0U);
  builder.add(many, std::vector<double>(40, 2));
  Index with_long_row = index;
  with_long_row.rows = builder.build();
  index = merged(with_long_row, index);
  const Matches found = Searcher(index).search(query, asking(ways[0], 3));
  EXPECT_EQ(found[0].row(0), 0);
  EXPECT_EQ(found[0].distance(0), 0);
  EXPECT_GT(Searcher(index).search(query, asking(Direction::symmetric, 30))[0].distance(0), 0);
  EXPECT_LT(found.proofs[0].solves, 20U);
}

TEST(Partial, RefusesWhatHasNoMassesOrNoPrice) {
  Rng rng(9);
  const Index index = unequal_index(rng, 10, 10, 4);
  Index old = index;
  old.rows = {10, index.rows.offsets(), index.rows.coordinates(), index.rows.weights()};
  const std::vector<std::uint32_t> rows{0};
  const SearchOptions options = asking(ways[0], 3);
  EXPECT_EQ(error_of(ErrorCode::usage, [&] { Searcher(old).search_rows(rows, options); }),
            "emd one way moves masses, which this index does not keep; build it anew, or ask for "
            "the direction symmetric");
  EXPECT_NO_THROW(Searcher(old).search_rows(rows, asking(Direction::symmetric, 3)));
  EXPECT_EQ(error_of(ErrorCode::bad_input,
                     [&] { Searcher(index).search(selected(old.rows, rows), options); }),
            "emd one way moves masses, which the queries do not have");

  Index far = index;
  std::vector<float> values(index.vocabulary.coordinates().begin(),
                            index.vocabulary.coordinates().end());
  for (float& value : values) value *= 3;
  far.vocabulary = Vocabulary(index.vocabulary.dimensions(), Array(std::move(values)));
  error_of(ErrorCode::usage, [&] { Searcher(far).search_rows(rows, options); });
  SearchOptions with_price = options;
  with_price.question.price = 6;
  const Matches found = Searcher(far).search_rows(rows, with_price);
  expect_truth(far, found, 0, truth(far, 0, with_price.question));
}

}  // namespace
}  // namespace navvy::test
