#include "core/top.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace navvy::core {
namespace {

using Entry = Candidate<float>;

// Few distinct distances, so that most comparisons are ties.
std::vector<Entry> random_entries(std::mt19937& rng, std::size_t count) {
  std::vector<Entry> entries;
  for (std::uint32_t row = 0; row < count; ++row)
    entries.push_back({static_cast<float>(rng() % 20), row});
  std::shuffle(entries.begin(), entries.end(), rng);
  return entries;
}

TEST(TopList, KeepsTheSmallestByDistanceThenRow) {
  std::mt19937 rng(1);
  for (const std::size_t count : {0U, 1U, 5U, 100U, 3000U})
    for (const std::size_t top : {0U, 1U, 3U, 10U, 200U}) {
      std::vector<Entry> entries = random_entries(rng, count);
      TopList<float> list(top);
      constexpr float infinity = std::numeric_limits<float>::infinity();
      TopList<float> narrow(top, infinity, TopList<float>::least_room(top));
      for (const Entry& entry : entries) {
        list.offer(entry.distance, entry.row);
        narrow.offer(entry.distance, entry.row);
      }
      std::sort(entries.begin(), entries.end());
      entries.resize(std::min(top, count));
      EXPECT_EQ(list.sorted(), entries) << count << " offered, top " << top;
      EXPECT_EQ(narrow.sorted(), entries) << count << " offered, top " << top;
    }
}

TEST(TopList, TakesOffersAfterItWasRead) {
  TopList<float> list(2);
  list.offer(3, 0);
  list.offer(2, 1);
  EXPECT_EQ(list.sorted(), (std::vector<Entry>{{2, 1}, {3, 0}}));
  list.offer(1, 2);
  EXPECT_EQ(list.sorted(), (std::vector<Entry>{{1, 2}, {2, 1}}));
  EXPECT_EQ(list.threshold(), 2.0F);
}

TEST(TopList, ReadingAgainKeepsTheOrderOfTheKept) {
  TopList<float> list(3);
  for (const float distance : {5.0F, 1.0F, 3.0F, 2.0F}) list.offer(distance, 0);
  auto& kept = list.kept();
  std::sort(kept.begin(), kept.end());
  const std::vector<Entry> before = kept;
  EXPECT_EQ(list.kept(), before);
}

TEST(TopList, ATieWithTheLastEntersByItsRow) {
  TopList<float> list(1);
  list.offer(1, 7);
  list.sorted();
  list.offer(1, 9);
  list.offer(1, 4);
  EXPECT_EQ(list.sorted(), (std::vector<Entry>{{1, 4}}));
}

}  // namespace
}  // namespace navvy::core
