// Samples that are the same everywhere, and what means over queries are worth.
#include "navvy/evaluation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/expect_error.hpp"

namespace navvy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The numbers were worked out by another program from the published generator.
TEST(Sample, IsTheSameEverywhere) {
  EXPECT_THAT(sample(100, 10, 1), ElementsAre(18, 20, 27, 40, 43, 53, 56, 61, 65, 66));
  EXPECT_THAT(sample(100, 10, 2), ElementsAre(5, 10, 18, 24, 31, 33, 59, 60, 65, 77));
  EXPECT_THAT(sample(60'000, 5, 1), ElementsAre(2465, 27884, 33655, 53766, 55549));
  EXPECT_THAT(sample(1797, 6, 7), ElementsAre(24, 798, 1243, 1309, 1558, 1713));
}

TEST(Sample, HasEachNumberOnceAndAllOfThemWhereTheyAreFew) {
  EXPECT_THAT(sample(4, 4, 9), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(sample(4, 100, 9), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(sample(4, 0, 9), IsEmpty());
  EXPECT_THAT(sample(0, 3, 9), IsEmpty());
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto numbers = sample(50, 20, seed);
    ASSERT_EQ(numbers.size(), 20U);
    ASSERT_TRUE(std::ranges::is_sorted(numbers, std::less_equal{})) << seed;
    ASSERT_LT(numbers.back(), 50U);
    const auto more = sample(50, 30, seed);
    ASSERT_TRUE(std::ranges::includes(more, numbers)) << seed;
  }
}

// Numbers, and pairs of numbers, come equally often: the sum of squares over their expectation is
// within five standard deviations of what chance gives.
TEST(Sample, FavoursNoNumberAndNoPair) {
  constexpr std::uint32_t size = 12;
  constexpr std::size_t count = 4;
  constexpr int samples = 30'000;
  std::vector<double> single(size);
  std::vector<double> pairs(size * size);
  for (int seed = 0; seed < samples; ++seed) {
    const auto numbers = sample(size, count, static_cast<std::uint64_t>(seed));
    for (const auto a : numbers) {
      ++single[a];
      for (const auto b : numbers) pairs[a * size + b] += a < b ? 1 : 0;
    }
  }
  const double expected = samples * double{count} / size;
  double chi = 0;
  for (const double seen : single) chi += (seen - expected) * (seen - expected) / expected;
  EXPECT_LT(chi, (size - 1) + 5 * std::sqrt(2.0 * (size - 1)));
  constexpr int all_pairs = size * (size - 1) / 2;
  const double of_pair = samples * (count * (count - 1) / 2.0) / all_pairs;
  chi = 0;
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = a + 1; b < size; ++b)
      chi += std::pow(pairs[a * size + b] - of_pair, 2) / of_pair;
  EXPECT_LT(chi, all_pairs + 5 * std::sqrt(2.0 * all_pairs));
}

TEST(Estimate, IsTheMeanWithStandardErrorsOfStudentsT) {
  // Mean 0.5; squares 4 * 0.0625, over 3 and 4: standard error 0.144338.
  const Estimate some = estimate(std::vector<double>{0.25, 0.75, 0.25, 0.75});
  EXPECT_DOUBLE_EQ(some.mean, 0.5);
  EXPECT_NEAR(some.low, 0.5 - 3.182446 * 0.1443376, 1e-6);
  EXPECT_NEAR(some.high, 0.5 + 3.182446 * 0.1443376, 1e-6);
}

// The quantiles are those of tables of Student's t.
TEST(Estimate, TakesMoreStandardErrorsOfFewValues) {
  const std::pair<std::size_t, double> known[] = {
      {2, 12.706205}, {3, 4.302653},   {6, 2.570582},    {10, 2.262157},
      {11, 2.228139}, {12, 2.200985},  {21, 2.085963},   {31, 2.042272},
      {61, 2.000298}, {101, 1.983972}, {1001, 1.962339}, {1'000'001, 1.959966}};
  for (const auto& [count, expected] : known) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = i % 2 == 0 ? 1 : -1;
    const Estimate found = estimate(values, -100, 100);
    const auto n = static_cast<double>(count);
    const double error = std::sqrt((n - n * found.mean * found.mean) / (n - 1) / n);
    EXPECT_NEAR((found.high - found.mean) / error, expected, 1e-5) << count;
  }
}

TEST(Estimate, HasAWidthWhereAllValuesAreTheSame) {
  const Estimate two = estimate(std::vector<double>{0.5, 0.5});
  EXPECT_EQ(two.low, 0);
  EXPECT_EQ(two.high, 1);
  const Estimate many = estimate(std::vector<double>(300, 0.25));
  EXPECT_NEAR(many.low, 0.24, 1e-12);
  EXPECT_NEAR(many.high, 0.26, 1e-12);
  // Only as numbers they differ.
  const Estimate nearly = estimate(std::vector<double>{0.1 + 0.2, 0.3, 0.3});
  EXPECT_EQ(nearly.low, 0);
}

TEST(Estimate, StaysWithinWhatCanBe) {
  // 7/8 with a standard error of 1/8.
  const Estimate cut = estimate(std::vector<double>{0, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_NEAR(cut.low, 0.875 - 2.364624 / 8, 1e-6);
  EXPECT_EQ(cut.high, 1);
  const Estimate one = estimate(std::vector<double>{1});
  EXPECT_EQ(one.mean, 1);
  EXPECT_EQ(one.low, 0);
  const Estimate all = estimate(std::vector<double>(100, 1.0));
  EXPECT_EQ(all.high, 1);
  EXPECT_NEAR(all.low, 0.97, 1e-12);
  EXPECT_NEAR(estimate(std::vector<double>(100, 0.0)).high, 0.03, 1e-12);
}

Evaluation evaluated(std::string measure, std::vector<std::uint32_t> equal) {
  Evaluation evaluation{.measure = parse_measure(measure), .tops = {1, 4}};
  for (std::uint32_t i = 0; i < equal.size(); ++i) {
    evaluation.asked.push_back(i);
    evaluation.equal.insert(evaluation.equal.end(), {equal[i] > 0 ? 1U : 0U, equal[i]});
  }
  evaluation.queries = equal.size();
  for (const std::size_t place : {0U, 1U})
    evaluation.precision.push_back(estimate(evaluation.of_each(place)));
  return evaluation;
}

TEST(Difference, GoesByPairs) {
  // Queries differ much, the measures by a quarter for three of six: 0.125 with a standard error of
  // 0.125 * sqrt(6 / 5 / 6) = 0.0559; over means alone it would be within noise.
  const Evaluation better = evaluated("act-1", {4, 1, 4, 1, 4, 1});
  const Evaluation worse = evaluated("rwmd", {3, 1, 3, 1, 3, 1});
  const Estimate by = difference(better, worse, 4);
  EXPECT_DOUBLE_EQ(by.mean, 0.125);
  EXPECT_NEAR(by.low, 0.125 - 2.570582 * 0.0559017, 1e-6);
  EXPECT_NEAR(by.high, 0.125 + 2.570582 * 0.0559017, 1e-6);
  EXPECT_NEAR(difference(worse, better, 4).mean, -0.125, 1e-15);
  EXPECT_LT(better.precision[1].low, worse.precision[1].high);
}

TEST(Difference, NeedsTheSameQueriesAndALengthThatIsThere) {
  const Evaluation six = evaluated("act-1", {4, 1, 4, 1, 4, 1});
  const Evaluation five = evaluated("rwmd", {4, 1, 4, 1, 4});
  test::error_of(ErrorCode::usage, [&] { (void)difference(six, five, 4); });
  test::error_of(ErrorCode::usage, [&] { (void)difference(six, six, 2); });
}

TEST(NotClearlyWorse, NamesTheBestAndWhatIsWithinNoise) {
  const std::vector<Evaluation> found = {
      evaluated("bow", {1, 0, 1, 0, 1, 0, 1, 0}), evaluated("rwmd", {3, 3, 3, 3, 3, 2, 3, 3}),
      evaluated("act-1", {3, 3, 3, 3, 3, 3, 3, 3}), evaluated("omr", {3, 3, 2, 2, 2, 2, 3, 3})};
  EXPECT_THAT(not_clearly_worse(found, 4), ElementsAre(2, 1));
  // All but bow are right at 1.
  EXPECT_THAT(not_clearly_worse(found, 1), ElementsAre(1, 2, 3));
  EXPECT_THAT(not_clearly_worse(std::span(found).first(1), 1), ElementsAre(0));
}

TEST(NotClearlyWorse, CrownsNobodyByTwoQueries) {
  const std::vector<Evaluation> found = {evaluated("bow", {2, 2}), evaluated("rwmd", {4, 4})};
  EXPECT_THAT(not_clearly_worse(found, 4), ElementsAre(1, 0));
  const std::vector<Evaluation> apart = {evaluated("bow", {2, 1}), evaluated("rwmd", {4, 4})};
  EXPECT_THAT(not_clearly_worse(apart, 4), ElementsAre(1, 0));
}

}  // namespace
}  // namespace navvy
