// The random pairs themselves: what they contain, and what a fact that does not hold looks like.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "pairwise/pairs.hpp"

namespace navvy::test {
namespace {

using testing::HasSubstr;

TEST(RandomPairs, AFalseFactIsReportedOnASmallPairThatCanBeRepeated) {
  const std::string report = failures_in([] {
    for_random_samples(
        [](const Sample& sample, Rng&) { ASSERT_LT(sample.rows[0].size(), 3U) << "too many"; });
  });
  EXPECT_THAT(report, HasSubstr("too many"));
  EXPECT_THAT(report, HasSubstr("1 dimensions"));
  EXPECT_THAT(report, HasSubstr("at 2,"));
  EXPECT_THAT(report, testing::Not(HasSubstr("at 3,"))) << "three coordinates suffice";
  EXPECT_THAT(report, HasSubstr("repeat with RC_PARAMS='reproduce="));
}

TEST(RandomPairs, AreAsAwkwardAsTheFactsNeedThem) {
  int ties = 0, coinciding = 0, single = 0, few = 0, zero = 0, uneven = 0, equal_bins = 0;
  std::set<std::size_t> dimensions;
  for_random_samples([&](const Sample& sample, Rng&) {
    const Histogram p = sample.rows[0];
    const Histogram q = sample.rows[1];
    std::vector<double> row = ground_distances(sample.vocabulary, p, q);
    row.resize(q.size());
    std::sort(row.begin(), row.end());
    ties += std::adjacent_find(row.begin(), row.end()) != row.end();
    coinciding += row[0] == 0 &&
                  !std::binary_search(q.coordinates.begin(), q.coordinates.end(), p.coordinates[0]);
    single += p.size() == 1;
    few += q.size() < 4;
    const auto [least, most] = std::minmax_element(p.weights.begin(), p.weights.end());
    zero += *least == 0;
    uneven += *least > 0 && *most / *least > 1000;
    equal_bins += std::ranges::equal(p.coordinates, q.coordinates);
    dimensions.insert(sample.shape.dimensions);
  });
  for (const int seen : {ties, coinciding, single, few, zero, uneven, equal_bins}) {
    EXPECT_GT(seen, pairs_per_fact() / 100);
  }
  EXPECT_EQ(*dimensions.begin(), 1U);
  EXPECT_EQ(*dimensions.rbegin(), 300U);
  EXPECT_GT(dimensions.size(), 12U);
}

}  // namespace
}  // namespace navvy::test
