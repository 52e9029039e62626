// Coordinates at the ends of what is accepted give finite and right distances; what lies beyond is
// refused.
#include <gtest/gtest.h>

#include <cmath>

#include "navvy/pairwise.hpp"
#include "navvy/search.hpp"
#include "support/expect_error.hpp"
#include "support/random_histograms.hpp"

namespace navvy {
namespace {

constexpr std::size_t rows = 30;

// Components are below 1 before they are scaled.
Index scaled_index(std::size_t dimensions, double scale) {
  test::Rng rng(dimensions);
  constexpr std::size_t size = 40;
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<float> values;
  for (std::size_t i = 0; i < size * dimensions; ++i)
    values.push_back(static_cast<float>(value(rng) * scale));
  HistogramsBuilder builder(size);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> coordinates;
    std::vector<double> weights;
    for (std::uint32_t id = 0; id < size; ++id) {
      if (!test::chance(rng, 0.2)) continue;
      coordinates.push_back(id);
      weights.push_back(value(rng) + 1.1);
    }
    if (coordinates.empty()) coordinates = {0}, weights = {1};
    builder.add(coordinates, weights);
  }
  Index index;
  index.vocabulary = Vocabulary(dimensions, Array(std::move(values)));
  index.rows = builder.build();
  return index;
}

std::vector<Measure> measures() {
  return {{MeasureKind::rwmd}, {MeasureKind::omr}, {MeasureKind::act, 3},  {MeasureKind::ict},
          {MeasureKind::wcd},  {MeasureKind::emd}, {MeasureKind::sinkhorn}};
}

void expect_right(const Index& index, double largest) {
  const Searcher searcher(index, "cpu");
  for (const Measure& measure : measures()) {
    SearchOptions options;
    options.question.measure = measure;
    options.run.threads = 1;
    options.top = rows - 1;
    const Matches matches = searcher.knn(options);
    TransportOptions direct;
    direct.sinkhorn = options.question.sinkhorn;
    for (std::size_t query = 0; query < rows; ++query) {
      ASSERT_EQ(matches[query].size(), rows - 1);
      for (std::size_t rank = 0; rank < rows - 1; ++rank) {
        const auto row = static_cast<std::size_t>(matches[query].row(rank));
        const double expected =
            transport(measure, index.vocabulary, index.rows[query], index.rows[row], direct)
                .distance;
        ASSERT_NEAR(static_cast<double>(matches[query][rank].distance), expected, 1e-5 * largest)
            << to_string(measure) << ", rows " << query << " and " << row;
      }
    }
  }
}

TEST(CoordinateRange, WhatIsAcceptedIsRight) {
  for (const std::size_t dimensions : {1U, 2U, 50U}) {
    const double root = std::sqrt(static_cast<double>(dimensions));
    for (const double scale : {0x1p-49 * root, 1e-12, 1e-6, 1.0, 1e6, 0x1p62 / root}) {
      SCOPED_TRACE(std::to_string(dimensions) + " dimensions, 10^" +
                   std::to_string(std::log10(scale)));
      expect_right(scaled_index(dimensions, scale), scale * root);
    }
  }
}

// A power of two shifts exponents and no digit.
TEST(CoordinateRange, PowersOfTwoChangeNoDigit) {
  const auto distances = [](double scale) {
    std::vector<double> found;
    const Searcher searcher(scaled_index(3, scale), "cpu");
    for (const Measure& measure : measures()) {
      if (measure.kind == MeasureKind::sinkhorn || measure.kind == MeasureKind::emd) continue;
      Question question;
      question.measure = measure;
      searcher.distances({0, rows, 0, rows}, question, {},
                         [&](std::size_t, std::size_t, std::span<const float> values) {
                           for (const float value : values)
                             found.push_back(static_cast<double>(value) / scale);
                         });
    }
    return found;
  };
  const std::vector<double> plain = distances(1);
  for (const double scale : {0x1p-20, 0x1p20, 0x1p60}) EXPECT_EQ(distances(scale), plain);
}

TEST(CoordinateRange, WhatIsBeyondIsRefused) {
  for (const std::size_t dimensions : {1U, 2U, 50U})
    for (const double scale : {1e-30, 1e-22, 1e-17, 1e19, 1e25, 3e38}) {
      const Index index = scaled_index(dimensions, scale);
      EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { Searcher(index, "cpu"); }),
                  ::testing::HasSubstr("so that floats hold the squares of distances"));
    }
}

}  // namespace
}  // namespace navvy
