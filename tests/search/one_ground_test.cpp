// One ground distance: the same rows give the same bytes whatever else their vocabulary holds, and
// whether or not the ground distances of small supports are kept sorted.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "navvy/search.hpp"
#include "support/directions.hpp"
#include "support/random_histograms.hpp"

namespace navvy {
namespace {

constexpr std::size_t top = 5;
const std::vector<std::string> measures = {"bow",   "wcd",   "rwmd", "omr",      "act-1",
                                           "act-3", "act-7", "ict",  "sinkhorn", "emd"};

SearchOptions options_for(const std::string& measure, unsigned threads) {
  SearchOptions options;
  options.question.measure = parse_measure(measure);
  options.run.threads = threads;
  options.top = top;
  return options;
}

// Distances and what they are distances to, as bytes: NaN equals NaN.
struct Answer {
  std::vector<std::int64_t> rows;
  std::vector<double> distances;
};

Answer answer_of(const Matches& matches) {
  return {{matches.rows.begin(), matches.rows.end()}, matches.distances};
}

template <class Value>
bool same_bytes(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0;
}

void expect_same(const Answer& found, const Answer& expected, const std::string& what) {
  ASSERT_EQ(found.rows, expected.rows) << what;
  ASSERT_TRUE(same_bytes(found.distances, expected.distances)) << what;
}

// Coordinates of a source of 5,000, of which all sizes of vocabulary hold the same 178.
class Source {
 public:
  static constexpr std::size_t size = 5000;
  static constexpr std::size_t used = 178;
  static constexpr std::size_t dimensions = 6;

  Source() : shape_{.dimensions = dimensions, .vocabulary_size = size}, rng_(11) {
    all_ = test::random_vocabulary(rng_, shape_);
    order_.resize(size);
    std::iota(order_.begin(), order_.end(), 0U);
    std::shuffle(order_.begin(), order_.end(), rng_);
    for (int row = 0; row < 40; ++row) {
      std::vector<std::uint32_t> numbers(order_.begin(), order_.begin() + used);
      std::shuffle(numbers.begin(), numbers.end(), rng_);
      numbers.resize(test::random_size(rng_, 1, 20));
      weights_.push_back(test::random_weights(rng_, shape_, numbers.size()));
      numbers_.push_back(std::move(numbers));
    }
  }

  // The rows over the 178 coordinates and as many others as fill the vocabulary.
  [[nodiscard]] Index index(std::size_t vocabulary_size) const {
    std::vector<std::uint32_t> numbers(
        order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(vocabulary_size));
    std::ranges::sort(numbers);
    std::vector<float> values;
    for (const std::uint32_t number : numbers)
      for (const float value : all_.coordinate(number)) values.push_back(value);
    HistogramsBuilder builder(vocabulary_size);
    for (std::size_t row = 0; row < numbers_.size(); ++row) {
      std::vector<std::uint32_t> ids;
      for (const std::uint32_t number : numbers_[row])
        ids.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(numbers, number) -
                                                 numbers.begin()));
      builder.add(ids, weights_[row]);
    }
    Index index;
    index.vocabulary = Vocabulary(dimensions, Array(std::move(values)), Array(std::move(numbers)));
    index.rows = builder.build();
    return index;
  }

 private:
  test::SampleShape shape_;
  test::Rng rng_;
  Vocabulary all_;
  std::vector<std::uint32_t> order_;
  std::vector<std::vector<std::uint32_t>> numbers_;
  std::vector<std::vector<double>> weights_;
};

std::vector<float> matrix(const Searcher& searcher, const SearchOptions& options) {
  const std::size_t n = searcher.index().rows.size();
  std::vector<float> result(n * n);
  searcher.distances({0, n, 0, n}, options.question, options.run,
                     [&](std::size_t first, std::size_t, std::span<const float> values) {
                       std::ranges::copy(values,
                                         result.begin() + static_cast<std::ptrdiff_t>(first * n));
                     });
  return result;
}

TEST(OneGround, AnswersDoNotDependOnTheSizeOfTheVocabulary) {
  const Source source;
  Searcher expected(source.index(Source::used));
  const std::vector<std::uint32_t> queries{0, 7, 8, 23, 39};
  for (const std::size_t size : {Source::used, std::size_t{3559}, Source::size}) {
    Searcher searcher(source.index(size));
    for (const std::string& measure : measures)
      for (const unsigned threads : {1U, 4U}) {
        const std::string what = measure + " over " + std::to_string(size);
        const SearchOptions options = options_for(measure, threads);
        ASSERT_NO_FATAL_FAILURE(
            expect_same(answer_of(searcher.knn(options)), answer_of(expected.knn(options)), what));
        ASSERT_TRUE(same_bytes(matrix(searcher, options), matrix(expected, options))) << what;
        const Answer batch = answer_of(expected.search_rows(queries, options));
        ASSERT_NO_FATAL_FAILURE(
            expect_same(answer_of(searcher.search_rows(queries, options)), batch, what));
        for (std::size_t i = 0; i < queries.size(); ++i) {
          const Answer alone =
              answer_of(searcher.search_rows(std::span(queries).subspan(i, 1), options));
          const auto place = static_cast<std::ptrdiff_t>(i * top);
          const Answer part{
              {batch.rows.begin() + place, batch.rows.begin() + place + top},
              {batch.distances.begin() + place, batch.distances.begin() + place + top}};
          ASSERT_NO_FATAL_FAILURE(expect_same(alone, part, what + " alone"));
        }
      }
  }
}

void expect_same_verbs(const Searcher& sorted, const Searcher& tiles, SearchOptions options,
                       const std::string& what) {
  std::vector<std::uint32_t> rows(sorted.index().rows.size());
  std::iota(rows.begin(), rows.end(), 0U);
  expect_same(answer_of(tiles.knn(options)), answer_of(sorted.knn(options)), what + " knn");
  EXPECT_TRUE(same_bytes(matrix(tiles, options), matrix(sorted, options))) << what;
  const Answer expected = answer_of(sorted.search_rows(rows, options));
  for (const std::size_t batch : {0U, 1U, 7U}) {
    options.run.batch = batch;
    expect_same(answer_of(sorted.search_rows(rows, options)), expected, what + " batches");
    expect_same(answer_of(tiles.search_rows(rows, options)), expected, what + " search");
  }
}

TEST(OneGround, TilesAloneAnswerLikeTheSortedGround) {
  test::Rng rng(3);
  for (const bool grid : {false, true}) {
    const test::Sample sample = test::random_sample(rng, {.dimensions = grid ? 2U : 9U,
                                                          .vocabulary_size = 150,
                                                          .rows = 45,
                                                          .max_bins = 30,
                                                          .grid = grid,
                                                          .coinciding = true,
                                                          .zero_bins = true});
    Index index;
    index.vocabulary = sample.vocabulary;
    index.rows = sample.rows;
    const Searcher sorted(index, "cpu");
    const Searcher tiles(index, "cpu-uncached");
    for (const std::string& measure : measures)
      for (const Direction direction : test::every_direction) {
        SearchOptions options = options_for(measure, 2);
        options.question.direction = direction;
        // The others know no direction.
        if (direction != Direction::symmetric && !is_relaxation(options.question.measure)) continue;
        expect_same_verbs(sorted, tiles, options, measure);
        if (HasFatalFailure()) return;
      }
    SearchOptions options = options_for("emd-hat", 2);
    options.question.measure.threshold = 1.5;
    expect_same_verbs(sorted, tiles, options, "emd-hat");
  }
}

}  // namespace
}  // namespace navvy
