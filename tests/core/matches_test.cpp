// Answers: reading them by query, and merging answers over parts of the rows.

#include "navvy/matches.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "support/expect_error.hpp"

namespace navvy {
namespace {

/// A row's distance to each query.
using Distances = std::vector<std::vector<int>>;

// The answer over some rows, by their numbers.
Matches answer(const Distances& distances, const std::vector<std::int64_t>& rows, std::size_t top) {
  Matches matches(distances.size(), top);
  for (std::size_t query = 0; query < distances.size(); ++query) {
    std::vector<std::pair<int, std::int64_t>> order;
    for (const std::int64_t row : rows)
      order.emplace_back(distances[query][static_cast<std::size_t>(row)], row);
    std::sort(order.begin(), order.end());
    for (std::size_t rank = 0; rank < std::min(top, order.size()); ++rank)
      matches.put(query, rank, {order[rank].second, static_cast<double>(order[rank].first)});
  }
  matches.counters.stages = {{"bow", rows.size(), 1}};
  return matches;
}

std::vector<Match> listed(const Ranked& ranked) { return {ranked.begin(), ranked.end()}; }

RC_GTEST_PROP(Matches, MergedAnswersOverPartsAreTheAnswerOverAll, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(0, 30);
  const auto top = *rc::gen::inRange<std::size_t>(0, 8);
  const auto queries = *rc::gen::inRange<std::size_t>(0, 3);
  // Few different distances, so that many are equal.
  const auto row_distances = rc::gen::container<std::vector<int>>(n, rc::gen::inRange(0, 6));
  const auto distances = *rc::gen::container<Distances>(queries, row_distances);
  const auto part_of =
      *rc::gen::container<std::vector<std::size_t>>(n, rc::gen::inRange<std::size_t>(0, 4));
  std::vector<std::int64_t> all;
  std::vector<std::vector<std::int64_t>> rows(4);
  for (std::size_t row = 0; row < n; ++row) {
    all.push_back(static_cast<std::int64_t>(row));
    rows[part_of[row]].push_back(all.back());
  }
  std::vector<Matches> parts;
  for (const auto& some : rows) parts.push_back(answer(distances, some, top));
  const Matches merged = merge(parts);
  const Matches expected = answer(distances, all, top);
  RC_ASSERT(merged.queries == queries);
  RC_ASSERT(merged.rows == expected.rows);
  RC_ASSERT(merged.counters.stages.size() == 1U);
  RC_ASSERT(merged.counters.stages[0].rows == n);
  for (std::size_t query = 0; query < queries; ++query) {
    RC_ASSERT(merged[query].size() == std::min(top, n));
    for (std::size_t rank = 0; rank < merged[query].size(); ++rank)
      RC_ASSERT(merged[query].distance(rank) == expected[query].distance(rank));
  }
}

TEST(Matches, AViewEndsWhereTheMatchesDo) {
  Matches matches(3, 2);
  matches.put(0, 0, {7, 0.5});
  matches.put(0, 1, {std::int64_t{1} << 40, 0.75});
  matches.put(2, 0, {3, 1});
  EXPECT_EQ(matches[0].size(), 2U);
  EXPECT_EQ(matches[0].row(1), std::int64_t{1} << 40);
  EXPECT_TRUE(matches[1].empty());
  ASSERT_EQ(listed(matches[2]).size(), 1U);
  const Match match = listed(matches[2]).front();
  EXPECT_EQ(match.row, 3);
  // What is computed is not bounded.
  EXPECT_EQ(match.lower, 1);
  EXPECT_EQ(match.upper, 1);
  EXPECT_TRUE(match.exact);
}

// One query, two matches, each with its bounds; what is left out is no nearer than `beyond`.
Matches bounded(const std::vector<Match>& found, std::uint64_t rows, double beyond,
                std::uint64_t certain) {
  Matches matches(1, 2);
  matches.add_bounds();
  for (std::size_t rank = 0; rank < found.size(); ++rank) matches.put(0, rank, found[rank]);
  Proof& proof = matches.proofs[0];
  proof.rows = rows;
  proof.solves = 2;
  proof.matches = found.size();
  proof.certain = certain;
  proof.beyond = beyond;
  return matches;
}

TEST(Matches, AMergedProofCountsWhatNoPartCanOvertake) {
  const Matches final = bounded({{0, 1}, {2, 4}}, 10, 4, 2);
  const std::vector<Matches> both_final{final, bounded({{1, 2}, {3, 3}}, 10, 3, 2)};
  const Matches done = merge(both_final);
  EXPECT_EQ(done.rows, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(done.proofs[0].certain, 2U);
  EXPECT_EQ(done.proofs[0].rows, 20U);
  EXPECT_EQ(done.proofs[0].solves, 4U);
  EXPECT_EQ(done.proofs[0].beyond, 3);

  // The second part was stopped: a row that it has not listed may be at 1.5.
  const Match open{3, 3, 2.5, 3, false};
  const std::vector<Matches> stopped{final, bounded({{1, 2}, open}, 10, 1.5, 0)};
  EXPECT_EQ(merge(stopped).proofs[0].certain, 1U);
  // And here a listed one, whose bounds are wide, may come before both others.
  const Match wide{3, 3, 0, 3, false};
  const std::vector<Matches> unsure{final, bounded({{1, 2}, wide}, 10, 5, 1)};
  EXPECT_EQ(merge(unsure).proofs[0].certain, 1U);
  EXPECT_EQ(merge(unsure).proofs[0].beyond, 0);
}

TEST(Matches, AnswersToOtherQuestionsAreNotMerged) {
  Matches bounds(2, 3);
  bounds.add_bounds();
  for (const Matches& other : {Matches(1, 3), Matches(2, 4), bounds}) {
    const std::vector<Matches> parts{Matches(2, 3), other};
    test::error_of(ErrorCode::usage, [&] { merge(parts); });
  }
  EXPECT_EQ(merge({}).queries, 0U);
}

}  // namespace
}  // namespace navvy
