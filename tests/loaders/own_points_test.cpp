// Points of words without a vector: the same everywhere, of length 1, near to nothing.
#include "loaders/own_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "navvy/edit.hpp"
#include "support/small_texts.hpp"

namespace navvy::loaders {
namespace {

std::vector<float> point(const std::string& word, std::size_t dimensions) {
  std::vector<float> values(dimensions);
  own_point(own_number(word), values);
  return values;
}

double product(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

TEST(OwnPoints, HaveLengthOneAndAreNearToNothing) {
  for (const std::size_t dimensions : {1U, 2U, 50U, 300U}) {
    const auto a = point("navvy", dimensions);
    EXPECT_NEAR(product(a, a), 1, 1e-6);
    EXPECT_EQ(a, point("navvy", dimensions));
  }
  double largest = 0;
  for (int i = 0; i < 1000; ++i)
    largest = std::max(
        largest, std::abs(product(point("navvy", 300), point("word" + std::to_string(i), 300))));
  EXPECT_LT(largest, 0.3);  // more than five standard deviations
  EXPECT_GT(largest, 0.05);
}

TEST(OwnPoints, StandBehindTheVectorsByNumber) {
  WordTable table(0);
  table.want("sea");
  ASSERT_TRUE(table.wants(3, "sea"));
  const std::vector<float> sea{1, 0};
  table.take(3, "sea", sea);
  const std::vector<std::string> tokens{"xylo", "sea", "navvy"};
  const auto missing = without_vector(tokens, false, nullptr, table);
  EXPECT_EQ(missing, (std::vector<std::string>{"navvy", "xylo"}));
  const Vocabulary found = table.vocabulary(2);
  const Vocabulary all = with_own_points(found, missing, table);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all.word(0), "sea");
  EXPECT_LT(all.number(1), all.number(2));
  EXPECT_GE(all.number(1), first_own_number);
  for (const std::string& word : missing) {
    const std::uint32_t place = table.place(word);
    ASSERT_LT(place, all.size());
    EXPECT_EQ(all.word(place), word);
    EXPECT_EQ(std::vector<float>(all.coordinate(place).begin(), all.coordinate(place).end()),
              point(word, 2));
  }
}

// Two words whose numbers are the same; among so many there are two such pairs on average.
std::pair<std::string, std::string> clash() {
  std::map<std::uint32_t, std::string> seen;
  for (int i = 0;; ++i) {
    const std::string word = 'w' + std::to_string(i);
    const auto [place, is_new] = seen.emplace(own_number(word), word);
    if (!is_new) return {std::min(place->second, word), std::max(place->second, word)};
  }
}

TEST(OwnPoints, AreSharedByWordsOfOneNumberWhicheverAnIndexHasMet) {
  const auto [first, second] = clash();
  const Vocabulary vectors(2, Array(std::vector<float>{1, 0, 0, 1}), {},
                           Strings(std::vector<std::string>{"sea", "tea"}));
  TextRecipe recipe;
  recipe.own_points = true;
  recipe.weighting = Weighting::tf;
  const auto build = [&](const std::vector<std::string>& texts) {
    std::vector<Document> documents;
    for (const std::string& text : texts) documents.push_back(test::document(text, text));
    recipe.token_pattern = "[a-z0-9]+";
    return build_text(documents, vectors, recipe).index;
  };
  const Index both = build({"sea " + first, "tea " + second});
  ASSERT_EQ(both.vocabulary.size(), 3U);
  EXPECT_EQ(both.vocabulary.word(2), first);
  EXPECT_EQ(both.rows[0].coordinates[1], both.rows[1].coordinates[1]);
  for (const std::string& word : {first, second}) {
    const TextQuery query = TextEncoder(both).encode(word);
    EXPECT_EQ(query.numbers, std::vector{own_number(first)});
    EXPECT_TRUE(query.unknown.empty());
  }
  const Index apart = merged(build({"sea " + first}), build({"tea " + second}));
  EXPECT_TRUE(std::ranges::equal(apart.vocabulary.coordinates(), both.vocabulary.coordinates()));
  EXPECT_TRUE(std::ranges::equal(apart.vocabulary.numbers(), both.vocabulary.numbers()));
  EXPECT_TRUE(std::ranges::equal(apart.rows.weights(), both.rows.weights()));
  const Index longer =
      add_text(build({"sea " + second}), std::vector{test::document("x", first)}, vectors).index;
  EXPECT_EQ(longer.vocabulary.word(1), second);
  EXPECT_EQ(longer.rows[1].coordinates[0], longer.rows[0].coordinates[1]);
}

}  // namespace
}  // namespace navvy::loaders
