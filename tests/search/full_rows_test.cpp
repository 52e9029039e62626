// Rows with every coordinate as a bin, as images with their background have: the nearest bins are
// then looked up instead of searched for.

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "navvy/navvy.hpp"
#include "support/random_histograms.hpp"

namespace navvy {
namespace {

constexpr std::size_t side = 7;
constexpr std::size_t size = side * side;

Vocabulary grid() {
  std::vector<float> places;
  for (std::size_t i = 0; i < size; ++i) {
    places.push_back(static_cast<float>(i % side));
    places.push_back(static_cast<float>(i / side));
  }
  return {2, Array(std::move(places))};
}

std::vector<float> random_weights(test::Rng& rng) {
  std::vector<float> weights(size);
  for (float& weight : weights)
    weight = test::chance(rng, 0.5) ? 0.0F : static_cast<float>(test::random_size(rng, 1, 9)) / 97;
  return weights;
}

TEST(FullRows, DistancesAreTheReference) {
  test::Rng rng(2);
  HistogramsBuilder builder(size, ZeroBins::keep);
  std::vector<std::uint32_t> all(size);
  std::iota(all.begin(), all.end(), 0U);
  for (int row = 0; row < 12; ++row) {
    const std::vector<float> weights = random_weights(rng);
    builder.add(all, std::vector<double>(weights.begin(), weights.end()));
  }
  Index index;
  index.vocabulary = grid();
  index.rows = builder.build();
  Searcher searcher(index);
  for (const char* name : {"rwmd", "omr", "act-1", "act-7", "act-15", "ict"}) {
    SearchOptions options;
    options.question.measure = parse_measure(name);
    const std::size_t n = index.rows.size();
    searcher.distances(
        {0, n, 0, n}, options.question, options.run,
        [&](std::size_t first, std::size_t count, std::span<const float> values) {
          for (std::size_t i = 0; i < count * n; ++i) {
            const double expected = transport(options.question.measure, index.vocabulary,
                                              index.rows[i % n], index.rows[first + i / n], {})
                                        .distance;
            ASSERT_NEAR(static_cast<double>(values[i]), expected, 1e-6 * expected + 1e-6) << name;
          }
        });
  }
}

}  // namespace
}  // namespace navvy
