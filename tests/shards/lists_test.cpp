// Lists as bytes: what was written comes back; what is damaged or forged is refused, be its
// checksum right or not.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "navvy/error.hpp"
#include "shards/cases.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::error_of;
using ::testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Two queries of one owner, the second with a place to spare.
Lists small_lists(bool bounds, bool is_uncut = false) {
  Lists lists;
  lists.work = 17;
  lists.question = "act-1, all rows";
  lists.shards = 1;
  lists.parts = {{0, 0}};
  lists.owners = {0, 0};
  lists.queries = {0, 1};
  lists.uncut = is_uncut;
  lists.matches = Matches(2, 3);
  if (bounds) lists.matches.add_bounds();
  lists.matches.put(0, 0, {0, 0.5, 0.5, 0.5, true});
  lists.matches.put(0, 1, {1, 0.5, 0.25, 0.5, false});
  lists.matches.put(0, 2, {0, 2, 2, 2, true});
  lists.matches.put(1, 0, {1, 0, 0, 0, true});
  lists.matches.put(1, 1, {0, 1, 1, 1, true});
  return lists;
}

std::string refused(const std::vector<std::byte>& bytes) {
  return error_of(ErrorCode::bad_input, [&] { static_cast<void>(open_lists(std::span(bytes))); });
}

std::string refused(bool bounds, const std::function<void(Lists&)>& forge) {
  Lists lists = small_lists(bounds);
  forge(lists);
  return refused(to_bytes(lists));
}

TEST(ListFiles, ComeBackAsTheyWere) {
  const test::TemporaryFolder folder;
  for (const bool bounds : {false, true})
    for (const bool is_uncut : {false, true}) {
      const Lists lists = small_lists(bounds, is_uncut);
      save_lists(lists, folder / "x.lists");
      for (const Lists& read : {open_lists(folder / "x.lists"),
                                open_lists(std::span<const std::byte>(to_bytes(lists)))}) {
        EXPECT_EQ(read.question, lists.question);
        EXPECT_EQ(read.uncut, is_uncut);
        EXPECT_EQ(to_bytes(read), to_bytes(lists));
      }
    }
}

TEST(ListFiles, EveryDamagedByteIsNoticed) {
  const std::vector<std::byte> sound = to_bytes(small_lists(true));
  for (std::size_t place = 0; place < sound.size(); ++place)
    for (const int bit : {0, 3, 7}) {
      std::vector<std::byte> damaged = sound;
      damaged[place] ^= static_cast<std::byte>(1 << bit);
      EXPECT_THAT(refused(damaged), HasSubstr("lists in memory: not what was saved"));
    }
  for (std::size_t bytes = 0; bytes < sound.size(); ++bytes)
    refused(
        std::vector<std::byte>(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(bytes)));
}

TEST(ListFiles, NobodyIsToldToRemoveThem) {
  const test::TemporaryFolder folder;
  save_index(test::plain_case(), folder / "w.navvy");
  const std::string message =
      error_of(ErrorCode::bad_input, [&] { static_cast<void>(open_lists(folder / "w.navvy")); });
  EXPECT_THAT(message, HasSubstr("these are no lists of this version"));
  EXPECT_THAT(message, Not(HasSubstr("remove")));
}

TEST(ForgedLists, HoldNoImpossibleMatch) {
  for (const bool bounds : {false, true}) {
    for (const double distance : {-1.0, -infinity, infinity, std::nan("")})
      EXPECT_THAT(refused(bounds, [&](Lists& lists) { lists.matches.distances[0] = distance; }),
                  HasSubstr("it holds what is no match"));
    for (const std::int64_t row :
         {std::int64_t{-2}, std::numeric_limits<std::int64_t>::min(), std::int64_t{1} << 62U,
          std::numeric_limits<std::int64_t>::max()})
      EXPECT_THAT(refused(bounds, [&](Lists& lists) { lists.matches.rows[0] = row; }),
                  HasSubstr("it holds what is no match"));
    EXPECT_THAT(refused(bounds, [](Lists& lists) { lists.matches.distances[5] = 1; }),
                HasSubstr("it holds the distance of no row"));
  }
}

TEST(ForgedLists, AscendByDistanceThenByRow) {
  EXPECT_THAT(refused(false, [](Lists& lists) { lists.matches.distances[2] = 0.25; }),
              HasSubstr("its matches do not ascend"));
  EXPECT_THAT(
      refused(false, [](Lists& lists) { std::swap(lists.matches.rows[0], lists.matches.rows[1]); }),
      HasSubstr("its matches do not ascend"));
  EXPECT_THAT(refused(false,
                      [](Lists& lists) {
                        lists.matches.rows[0] = no_row;
                        lists.matches.distances[0] = std::nan("");
                      }),
              HasSubstr("its matches do not ascend"));
}

TEST(ForgedLists, HaveBoundsThatAreNumbers) {
  for (const double bound : {-1.0, std::nan("")}) {
    EXPECT_THAT(refused(true, [&](Lists& lists) { lists.matches.lower[1] = bound; }),
                HasSubstr("it holds no bounds"));
    EXPECT_THAT(refused(true, [&](Lists& lists) { lists.matches.upper[1] = bound; }),
                HasSubstr("it holds no bounds"));
  }
  EXPECT_THAT(refused(true, [](Lists& lists) { lists.matches.exact[1] = 2; }),
              HasSubstr("it holds no bounds"));
}

TEST(ForgedLists, FindNoRowThatIsNotThere) {
  Lists lists = small_lists(false);
  lists.matches.rows[2] = 99999;
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { static_cast<void>(by_row(lists, 2)); }),
              HasSubstr("lists that find row 99999 of 2 rows"));
}

// What lists of one owner hold takes no room for those of another.
TEST(ForgedLists, TakeNoMoreRoomThanTheirLongest) {
  std::vector<Lists> parts;
  for (std::uint32_t owner = 0; owner < 3; ++owner) {
    Lists lists = small_lists(false, true);
    lists.shards = 3;
    lists.parts = {{owner, 0}};
    const std::size_t queries = owner == 0 ? 1 : 1000;
    const std::size_t top = owner == 0 ? 1 : 3000;
    lists.owners.assign(queries, owner);
    lists.queries.resize(queries);
    for (std::size_t i = 0; i < queries; ++i) lists.queries[i] = static_cast<std::int64_t>(i);
    lists.matches = Matches(queries, top);
    lists.matches.put(0, 0, {1, 0.5});
    parts.push_back(lists);
  }
  const Lists all = merged(parts);
  EXPECT_EQ(all.matches.top, 1U);
  EXPECT_EQ(all.matches.rows.size(), 2001U);
}

// Any bytes of a list file, changed anywhere, with a checksum that fits, are refused or sound.
TEST(ForgedLists, WhatIsAcceptedCanBeMerged) {
  test::Rng rng(5);
  const std::size_t trials = test::sanitized ? 2000 : 20000;
  std::size_t accepted = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    Lists lists = small_lists(trial % 2 == 0, trial % 3 == 0);
    const std::size_t place = test::random_size(rng, 0, lists.matches.rows.size() - 1);
    const std::vector<std::int64_t> rows = {no_row, 0, 1, 2, 1LL << 40, 1LL << 62, -5};
    const std::vector<double> distances = {0, 0.5, 1, 3, -1, infinity, std::nan("")};
    lists.matches.rows[place] = rows[test::random_size(rng, 0, rows.size() - 1)];
    lists.matches.distances[place] = distances[test::random_size(rng, 0, distances.size() - 1)];
    if (test::chance(rng, 0.2)) lists.owners[1] = 1;
    if (test::chance(rng, 0.2)) lists.queries[1] = 9;
    if (test::chance(rng, 0.2)) lists.shards = 2;
    try {
      const Lists read = open_lists(std::span<const std::byte>(to_bytes(lists)));
      const Lists whole = merged(std::span(&read, 1));
      ++accepted;
      static_cast<void>(whole.of(0).limits());
      static_cast<void>(by_row(whole, whole.queries.size()));
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  EXPECT_GT(accepted, trials / 20);
}

}  // namespace
}  // namespace navvy
