// Queries that bring coordinates of their own: the bits of an index that has them all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "navvy/align.hpp"
#include "navvy/edit.hpp"
#include "navvy/rows.hpp"
#include "search/exact_truth.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::Rng;

/// Rows that use few of the coordinates, and queries that use all.
struct Case {
  Index whole;   // all coordinates
  Index corpus;  // those that rows use
  Histograms queries;

  explicit Case(std::size_t vocabulary_size, std::size_t dimensions = 3) {
    Rng rng(static_cast<unsigned>(vocabulary_size));
    const Index all = test::random_index(
        rng,
        {.dimensions = dimensions, .vocabulary_size = vocabulary_size, .rows = 60, .max_bins = 9});
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> others;
    for (std::uint32_t row = 0; row < 40; ++row) rows.push_back(row);
    for (const std::uint32_t row : test::rows_with_weight(all, 1))
      if (row >= 40 && others.size() < 8) others.push_back(row);
    whole = restricted(all, rows);
    const std::vector<Index> alone{whole};
    corpus = merged(alone);
    queries = selected(all.rows, others);
    EXPECT_EQ(queries.size(), 8U);
    EXPECT_LT(corpus.vocabulary.size(), whole.vocabulary.size());
  }

  [[nodiscard]] Histograms query(std::uint32_t number) const {
    return selected(queries, std::span(&number, 1));
  }
};

void expect_same(const Matches& found, const Matches& expected, const std::string& what) {
  EXPECT_EQ(found.rows, expected.rows) << what;
  EXPECT_EQ(found.distances, expected.distances) << what;
}

TEST(WordsOfQueries, HaveTheBitsOfAnIndexThatHasThem) {
  for (const std::size_t vocabulary_size : {90U, 5000U}) {
    const Case test(vocabulary_size);
    for (const std::string backend : {"cpu", "cpu-uncached", "reference"}) {
      const Searcher whole(test.whole, backend);
      const Searcher one_by_one(test.corpus, backend);
      for (const char* name :
           {"bow", "wcd", "rwmd", "omr", "act-1", "act-3", "ict", "sinkhorn", "emd"}) {
        const Measure measure = parse_measure(name);
        const std::string what =
            backend + " " + to_string(measure) + " of " + std::to_string(vocabulary_size);
        SearchOptions options = test::options_for(5);
        options.question.measure = measure;
        const Matches expected = whole.search(test.queries, options);
        const Searcher at_once(test.corpus, backend);
        expect_same(at_once.search(test.queries, test.whole.vocabulary, options), expected, what);
        for (std::uint32_t i = 0; i < test.queries.size(); ++i)
          expect_same(one_by_one.search(test.query(i), test.whole.vocabulary, options),
                      whole.search(test.query(i), options), what + " alone");
      }
    }
  }
}

TEST(WordsOfQueries, RowsStayWhatTheyAre) {
  const Case test(5000);
  const Searcher before(test.corpus);
  const Searcher after(test.corpus);
  const SearchOptions options = test::options_for(5);
  after.search(test.queries, test.whole.vocabulary, options);
  expect_same(after.knn(options), before.knn(options), "knn");
  const auto rows = test::rows_with_weight(test.corpus, 4);
  expect_same(after.search_rows(rows, options), before.search_rows(rows, options), "rows");
  SearchOptions some = options;
  some.among = marked(std::vector<std::uint32_t>{1, 2, 3, 5, 8}, test.corpus.rows.size());
  expect_same(after.search(test.queries, test.whole.vocabulary, some),
              Searcher(test.whole).search(test.queries, some), "among");
  EXPECT_EQ(after.index().vocabulary.size(), test.corpus.vocabulary.size());
}

TEST(WordsOfQueries, MakeRowsReadyOnceForEach) {
  const Case test(90);
  const Searcher searcher(test.corpus, "cpu");
  std::size_t made = 0;  // ground distances of a small support, which are sorted for its rows
  SearchOptions options = test::options_for(3);
  options.run.progress = [&](const Progress& progress) {
    if (progress.phase == "ground distances") ++made;
    return true;
  };
  options.question.measure = parse_measure("rwmd");
  searcher.search(test.queries, test.whole.vocabulary, options);
  EXPECT_GT(made, 0U);
  made = 0;
  const auto queries = static_cast<std::uint32_t>(test.queries.size());
  for (std::uint32_t line = 0; line < 1000; ++line)
    searcher.search(test.query(line % queries), test.whole.vocabulary, options);
  const auto rows = test::rows_with_weight(test.corpus, 5);
  searcher.search_rows(rows, options);
  searcher.search(selected(test.corpus.rows, rows), options);
  EXPECT_EQ(made, 0U);
}

// Coordinates with the numbers of others, elsewhere.
Vocabulary moved(const Vocabulary& all, const Vocabulary& kept, float by) {
  std::vector<float> values(all.coordinates().begin(), all.coordinates().end());
  const auto known = kept.numbers().span();
  for (std::size_t id = 0; id < all.size(); ++id)
    if (!std::ranges::binary_search(known, all.number(id)))
      for (std::size_t d = 0; d < all.dimensions(); ++d) values[id * all.dimensions() + d] += by;
  return {all.dimensions(), Array(std::move(values)), all.numbers()};
}

TEST(WordsOfQueries, StandInTheWayOfNoOther) {
  const Case test(90);
  const Searcher searcher(test.corpus);
  SearchOptions options = test::options_for(5);
  options.question.measure = parse_measure("act-1");
  for (const float by : {0.0F, 1.0F, 2.0F, 1.0F}) {
    const Vocabulary own = moved(test.whole.vocabulary, test.corpus.vocabulary, by);
    const std::string what = "moved by " + std::to_string(by);
    expect_same(searcher.search(test.queries, own, options),
                Searcher(test.corpus).search(test.queries, own, options), what);
    const auto distances = [&](const Searcher& from) {
      std::vector<double> all;
      from.distances(test.queries, own, {0, test.corpus.rows.size()}, options.question, {},
                     [&](std::size_t, std::span<const double> line) {
                       all.insert(all.end(), line.begin(), line.end());
                     });
      return all;
    };
    EXPECT_EQ(distances(searcher), distances(Searcher(test.corpus))) << what;
  }
  // Those of the index stay what they are.
  const Vocabulary wrong = moved(test.whole.vocabulary, Vocabulary(3, {}, {}), 1);
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(test::error_of(ErrorCode::bad_input,
                               [&] { searcher.search(test.queries, wrong, options); }),
                testing::HasSubstr("other values than in the index"));
}

TEST(WordsOfQueries, MakeRoomForLaterOnes) {
  Rng rng(3);
  constexpr std::size_t dimensions = 8;
  const Index index = test::random_index(
      rng, {.dimensions = dimensions, .vocabulary_size = 400, .rows = 40, .max_bins = 9});
  const Searcher searcher(index);
  SearchOptions options = test::options_for(3, 1);
  options.question.measure = parse_measure("rwmd");
  options.run.memory = std::uint64_t{2} << 20U;
  constexpr std::uint32_t words = 2000;
  for (std::uint32_t call = 0; call < 40; ++call) {
    std::vector<std::uint32_t> numbers;
    std::vector<float> values;
    for (std::uint32_t word = 0; word < words; ++word) {
      numbers.push_back(1000 + call * words + word);
      for (std::size_t d = 0; d < dimensions; ++d)
        values.push_back(static_cast<float>(word + 1) / (1 + static_cast<float>(d + call)));
    }
    const Vocabulary own(dimensions, Array(std::move(values)), Array(std::move(numbers)));
    HistogramsBuilder builder(words);
    builder.add(std::vector<std::uint32_t>{1, 2, 3}, std::vector<double>{1, 1, 1});
    EXPECT_EQ(searcher.search(builder.build(), own, options)[0].size(), 3U) << call;
  }
}

TEST(WordsOfQueries, DistancesHaveTheSameBits) {
  const Case test(5000);
  const auto distances = [&](const Index& index) {
    std::vector<double> values;
    Searcher(index).distances(test.queries, test.whole.vocabulary, {0, index.rows.size()}, {}, {},
                              [&](std::size_t, std::span<const double> line) {
                                values.insert(values.end(), line.begin(), line.end());
                              });
    return values;
  };
  const std::vector<double> found = distances(test.corpus);
  const std::vector<double> expected = distances(test.whole);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i])));
}

TEST(WordsOfQueries, MustBeThoseOfTheIndex) {
  const Case test(90);
  std::vector<float> values(test.whole.vocabulary.coordinates().begin(),
                            test.whole.vocabulary.coordinates().end());
  for (float& value : values) value += 1;
  const Vocabulary moved(test.whole.vocabulary.dimensions(), Array(std::move(values)),
                         test.whole.vocabulary.numbers());
  const Searcher searcher(test.corpus);
  const std::string message = test::error_of(
      ErrorCode::bad_input, [&] { searcher.search(test.queries, moved, test::options_for(5)); });
  EXPECT_NE(message.find("has other values than in the index"), std::string::npos) << message;
}

}  // namespace
}  // namespace navvy
