#include "navvy/conditioning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/eigenvectors.hpp"
#include "core/moments.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using ::testing::HasSubstr;

// A symmetric matrix with these eigenvalues, turned at random.
std::vector<double> matrix_with(const std::vector<double>& eigenvalues, unsigned seed) {
  const std::size_t size = eigenvalues.size();
  std::mt19937 rng(seed);
  std::normal_distribution<double> normal;
  std::vector<double> matrix(size * size);
  for (std::size_t i = 0; i < size; ++i) matrix[i * size + i] = eigenvalues[i];
  // Reflections on both sides: A - 2 v (v A) - 2 (A v) v + 4 v (v A v) v for v of length 1.
  for (int turn = 0; turn < 4; ++turn) {
    std::vector<double> v(size);
    double squares = 0;
    for (double& value : v) {
      value = normal(rng);
      squares += value * value;
    }
    for (double& value : v) value /= std::sqrt(squares);
    std::vector<double> product(size);
    double inner = 0;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) product[i] += matrix[i * size + j] * v[j];
    for (std::size_t i = 0; i < size; ++i) inner += v[i] * product[i];
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        matrix[i * size + j] +=
            -2 * v[i] * product[j] - 2 * product[i] * v[j] + 4 * inner * v[i] * v[j];
  }
  return matrix;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void expect_eigenvectors(const std::vector<double>& eigenvalues, std::size_t count) {
  const std::size_t size = eigenvalues.size();
  const std::vector<double> matrix = matrix_with(eigenvalues, 7);
  const std::vector<double> found = core::leading_eigenvectors(matrix, size, count);
  ASSERT_EQ(found.size(), count * size);
  EXPECT_EQ(found, core::leading_eigenvectors(matrix, size, count));
  const auto vector = [&](std::size_t i) { return std::span(found).subspan(i * size, size); };
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      EXPECT_NEAR(dot(vector(i), vector(j)), i == j ? 1 : 0, 1e-12);
    for (std::size_t line = 0; line < size; ++line)
      EXPECT_NEAR(dot(std::span(matrix).subspan(line * size, size), vector(i)),
                  eigenvalues[i] * vector(i)[line], 1e-10 * eigenvalues[0])
          << i;
    const auto largest = std::ranges::max_element(
        vector(i), [](double a, double b) { return std::abs(a) < std::abs(b); });
    EXPECT_GT(*largest, 0);
  }
}

TEST(Eigenvectors, AreThoseOfTheLargestEigenvaluesInOrder) {
  expect_eigenvectors({9, 4, 1, 0.5, 0.25}, 2);
  expect_eigenvectors({9, 4, 1, 0.5, 0.25}, 5);
  expect_eigenvectors({5, 5, 5, 1, 1, 1}, 3);  // any of a plane will do
  expect_eigenvectors({3, 1, 0, 0, 0, 0, 0}, 4);
  expect_eigenvectors({0, 0, 0}, 2);
  expect_eigenvectors({2}, 1);
  std::vector<double> slow(60);
  for (std::size_t i = 0; i < slow.size(); ++i) slow[i] = 2 - 0.01 * static_cast<double>(i);
  expect_eigenvectors(slow, 3);
}

// Vectors with a mean and two directions of large variance.
Vocabulary vectors(std::size_t count, std::size_t dimensions) {
  std::mt19937 rng(3);
  std::normal_distribution<float> normal;
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    const float first = 8 * normal(rng);
    const float second = 4 * normal(rng);
    for (std::size_t j = 0; j < dimensions; ++j)
      values.push_back(5 + normal(rng) + (j % 2 == 0 ? first : second));
  }
  return {dimensions, Array(std::move(values))};
}

Conditioning fitted(const Vocabulary& words, std::uint32_t components) {
  core::Moments moments(words.dimensions());
  for (std::size_t id = 0; id < words.size(); ++id) moments.add(words.coordinate(id));
  return moments.conditioning(components);
}

TEST(Conditioning, TakesTheMeanAndTheDirectionsOfMostVariance) {
  // Numbers of vectors that fill batches, and that do not.
  for (const std::size_t count : {64U, 77U, 500U}) {
    const Vocabulary words = vectors(count, 10);
    const Conditioning conditioning = fitted(words, 2);
    EXPECT_EQ(conditioning.components(), 2U);
    EXPECT_EQ(conditioning.dimensions(), 10U);
    const Vocabulary rest = conditioning.apply(words);
    const auto values = conditioning.values().span();
    for (std::size_t part = 0; part < 3; ++part) {
      double sum = 0;
      double variance = 0;
      for (std::size_t id = 0; id < rest.size(); ++id) {
        double along = 0;
        for (std::size_t i = 0; i < 10; ++i)
          along += static_cast<double>(rest.coordinate(id)[i]) * values[part * 10 + i];
        sum += along;
        if (part > 0) variance += along * along;
      }
      EXPECT_NEAR(sum / static_cast<double>(count), 0, 1e-5) << part;
      EXPECT_NEAR(variance / static_cast<double>(count), 0, 1e-10) << part;
    }
    // What is left has the variance of one direction of eight.
    double squares = 0;
    for (const float value : rest.coordinates()) squares += double{value} * double{value};
    EXPECT_NEAR(squares / static_cast<double>(count), 8, 1.5);
    EXPECT_EQ(rest.numbers().data(), words.numbers().data());
  }
}

TEST(Conditioning, IsTheSameToTheBitForTheSameVectors) {
  const Vocabulary words = vectors(333, 12);
  const Conditioning first = fitted(words, 3);
  EXPECT_EQ(first, fitted(words, 3));
  EXPECT_NE(first, fitted(words, 2));
  EXPECT_NE(first, fitted(vectors(334, 12), 3));
  EXPECT_NE(first, Conditioning());
  EXPECT_EQ(fitted(words, 0), Conditioning());
  EXPECT_EQ(Conditioning().apply(words).coordinates().data(), words.coordinates().data());
}

TEST(Conditioning, RefusesWhatCannotBe) {
  const auto usage = [](const Vocabulary& words, std::uint32_t components) {
    return test::error_of(ErrorCode::usage, [&] { fitted(words, components); });
  };
  EXPECT_THAT(usage(vectors(9, 4), 4), HasSubstr("vectors of 4 dimensions by 4 components"));
  EXPECT_THAT(usage(vectors(0, 4), 2),
              HasSubstr("0 word vectors by 2 components; expected at least 4"));
  EXPECT_THAT(usage(vectors(3, 4), 2), HasSubstr("3 word vectors by 2 components"));
  EXPECT_EQ(fitted(vectors(4, 4), 2).components(), 2U);
  const auto bad = [](std::size_t dimensions, std::vector<double> values) {
    return test::error_of(ErrorCode::bad_input,
                          [&] { Conditioning(dimensions, Array(std::move(values))); });
  };
  EXPECT_THAT(bad(2, {1, 2}), HasSubstr("2 values, expected a mean and at least one component"));
  EXPECT_THAT(bad(2, {1, 2, 3}), HasSubstr("3 values"));
  EXPECT_THAT(bad(0, {1}), HasSubstr("1 values"));
  EXPECT_THAT(bad(1, {1, std::numeric_limits<double>::infinity()}), HasSubstr("value 1 is not"));
  EXPECT_THAT(test::error_of(ErrorCode::bad_input,
                             [] { (void)fitted(vectors(9, 4), 1).apply(vectors(9, 5)); }),
              HasSubstr("vectors of 5 dimensions, expected 4"));
}

TEST(Lengths, AreKeptWhenVectorsAreScaled) {
  const Vocabulary words(2, Array(std::vector<float>{3, 4, 0, 0, 0, 2}));
  EXPECT_TRUE(normalized(words).lengths().empty());
  const Vocabulary scaled = normalized(with_lengths(words));
  EXPECT_THAT(scaled.lengths().span(), ::testing::ElementsAre(5, 0, 2));
  EXPECT_THAT(scaled.coordinate(0), ::testing::ElementsAre(0.6F, 0.8F));
  const auto bad = [&](std::vector<float> lengths) {
    return test::error_of(ErrorCode::bad_input, [&] {
      Vocabulary(2, words.coordinates(), words.numbers(), {}, Array(std::move(lengths)));
    });
  };
  EXPECT_THAT(bad({1, 2}), HasSubstr("2 lengths for 3 coordinates"));
  EXPECT_THAT(bad({1, 2, -1}), HasSubstr("length of coordinate 2 is not"));
  EXPECT_THAT(bad({1, std::numeric_limits<float>::quiet_NaN(), 1}), HasSubstr("coordinate 1"));
}

}  // namespace
}  // namespace navvy
