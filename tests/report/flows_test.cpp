#include "report/flows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/occurrences.hpp"

namespace navvy::report {
namespace {

using test::occurrences;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Two words go into two: the bound sends both to the first, the plan one to each.
FlowComparison two_words() {
  FlowComparison pair;
  pair.bins_a = {{"<b>", 0.5}, {"piano", 0.5}};
  pair.bins_b = {{"chopin", 0.5}, {"vienna", 0.5}};
  pair.flows = {{"rwmd", 0.1, false, {{0, 0, 0.5, 0.1}, {1, 0, 0.5, 0.1}}},
                {"emd", 0.4, true, {{0, 0, 0.5, 0.1}, {1, 1, 0.5, 0.7}}}};
  return pair;
}

TEST(Flows, TellWhatABoundForgets) {
  const FlowComparison pair = two_words();
  EXPECT_THAT(sent(pair, pair.flows[0]), ElementsAre(0.5, 0.5));
  EXPECT_THAT(received(pair, pair.flows[0]), ElementsAre(1, 0));
  EXPECT_DOUBLE_EQ(forgotten(pair, pair.flows[0]), 0.5);
  EXPECT_DOUBLE_EQ(forgotten(pair, pair.flows[1]), 0);
  EXPECT_DOUBLE_EQ(longest(pair), 0.7);
}

TEST(Flows, BandsJoinWords) {
  const FlowComparison pair = two_words();
  Markup out;
  write(out, pair);
  const std::string page = out.take();
  EXPECT_EQ(occurrences(page, "class=\"band "), 4U);
  EXPECT_EQ(occurrences(page, "class=\"word\""), 8U);
  EXPECT_EQ(occurrences(page, "class=\"over\""), 1U);  // only the bound overfills a word
  EXPECT_THAT(page, HasSubstr("25\u00a0% of emd"));
  EXPECT_THAT(page, HasSubstr("50\u00a0% of the mass arrives where there is no room"));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
}

TEST(Flows, ManyWordsShareALine) {
  FlowComparison pair;
  pair.flows = {{"emd", 1, true, {}}};
  for (std::uint32_t i = 0; i < 100; ++i) {
    pair.bins_a.push_back({std::string("a").append(std::to_string(i)), i == 7 ? 0.505 : 0.005});
    pair.bins_b.push_back({std::string("b").append(std::to_string(i)), 0.01});
    pair.flows[0].moves.push_back({i, i, 0.01, 1.0});
  }
  Markup out;
  draw_bands(out, pair, pair.flows[0]);
  const std::string picture = out.take();
  EXPECT_EQ(occurrences(picture, "class=\"word\""), 48U);
  EXPECT_THAT(picture, HasSubstr(">a7<"));
  EXPECT_EQ(occurrences(picture, ">77 more<"), 2U);
  EXPECT_EQ(picture.find("nan"), picture.npos);
}

// All words weigh the same; one heavy move of the plan goes between the last ones.
TEST(Flows, WordsAtTheEndsOfTheHeaviestMovesAreShown) {
  FlowComparison pair;
  pair.flows = {{"emd", 1, true, {}}};
  for (std::uint32_t i = 0; i < 100; ++i) {
    pair.bins_a.push_back({std::string("a").append(std::to_string(i)), 0.01});
    pair.bins_b.push_back({std::string("b").append(std::to_string(i)), 0.01});
    const bool heavy = i >= 90;
    if (heavy) pair.flows[0].moves.push_back({i, i, 0.01, i == 95 ? 2.0 : 1.0});
    for (std::uint32_t j = 0; j < 2 && !heavy; ++j)
      pair.flows[0].moves.push_back({i, (i + j) % 90, 0.005, 1.0});
  }
  Markup out;
  draw_bands(out, pair, pair.flows[0]);
  const std::string picture = out.take();
  for (int i = 90; i < 100; ++i)
    for (const char* side : {"a", "b"})
      EXPECT_THAT(picture, HasSubstr(">" + std::string(side).append(std::to_string(i)) + "<"));
  EXPECT_EQ(occurrences(picture, ">a95 \u2192 b95:"), 1U);
}

TEST(Flows, ArrowsCrossPictures) {
  FlowComparison pair;
  pair.grid = Grid{3, 2};
  pair.bins_a = {{"", 0.5, 0, 0}, {"", 0.5, 1, 0}};
  pair.bins_b = {{"", 0.5, 0, 0}, {"", 0.5, 2, 1}};
  pair.flows = {{"rwmd", 0.7, false, {{0, 0, 0.5, 0}, {1, 0, 0.5, 1}}},
                {"emd", 1.2, true, {{0, 0, 0.5, 0}, {1, 1, 0.5, 1.41}}}};
  Markup relaxed;
  draw_arrows(relaxed, pair, pair.flows[0]);
  const std::string bound = relaxed.take();
  EXPECT_EQ(occurrences(bound, "class=\"arrow "), 1U);  // what stays has no arrow
  EXPECT_EQ(occurrences(bound, "class=\"ring\""), 1U);
  EXPECT_EQ(occurrences(bound, "class=\"unmet\""), 1U);
  EXPECT_EQ(occurrences(bound, "<rect"), 4U);
  Markup exact;
  draw_arrows(exact, pair, pair.flows[1]);
  EXPECT_EQ(occurrences(exact.take(), "class=\"ring\""), 0U);
  pair.grid->points = true;
  Markup points;
  draw_arrows(points, pair, pair.flows[1]);
  const std::string map = points.take();
  EXPECT_EQ(occurrences(map, "<rect"), 0U);
  EXPECT_EQ(occurrences(map, "<circle class=\"bin-a\""), 2U);
}

}  // namespace
}  // namespace navvy::report
