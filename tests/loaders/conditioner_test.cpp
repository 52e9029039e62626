#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "navvy/edit.hpp"
#include "navvy/text.hpp"
#include "support/expect_error.hpp"
#include "support/small_texts.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using test::document;
using ::testing::HasSubstr;

// "aaa", "baa", ...
std::string word(std::size_t number) {
  std::string name;
  for (int letter = 0; letter < 3; ++letter) {
    name += static_cast<char>('a' + number % 26);
    number /= 26;
  }
  return name;
}

class Conditioned : public ::testing::Test {
 protected:
  std::filesystem::path write_vectors(const char* name, std::size_t words,
                                      std::size_t dimensions) const {
    std::mt19937 rng(5);
    std::string lines;
    for (std::size_t i = 0; i < words; ++i) {
      lines += word(i);
      const auto common = static_cast<int>(rng() % 50);
      for (std::size_t j = 0; j < dimensions; ++j)
        (lines += ' ') += std::to_string(static_cast<int>(rng() % 40) + common);
      lines += "\n";
    }
    test::write_file(folder_ / name, lines);
    return folder_ / name;
  }

  static Index build(const std::filesystem::path& vectors, const std::string& text,
                     const TextRecipe& recipe = {}) {
    return build_text(std::vector{document(text, text)}, vectors, recipe).index;
  }

  test::TemporaryFolder folder_;
};

TEST_F(Conditioned, VectorsOfAWholeFileAreUnlessTold) {
  const auto vectors = write_vectors("v", 1000, 20);
  const Index usual = build(vectors, "aaa caa");
  EXPECT_EQ(usual.conditioning.components(), usual_condition);
  EXPECT_EQ(usual.properties.at("condition"), "2");
  EXPECT_EQ(recipe_of(usual).condition, 2U);
  TextRecipe recipe;
  recipe.condition = 0;
  const Index plain = build(vectors, "aaa caa", recipe);
  EXPECT_TRUE(plain.conditioning.empty());
  EXPECT_FALSE(plain.properties.contains("condition"));
  EXPECT_EQ(recipe_of(plain).condition, 0U);
  EXPECT_NE(plain.vocabulary.coordinate(0)[0], usual.vocabulary.coordinate(0)[0]);
  EXPECT_TRUE(build(vectors, "aaa", paper_recipe()).conditioning.empty());
  // Few words or dimensions have little in common that may go.
  EXPECT_TRUE(build(write_vectors("few", 999, 20), "aaa").conditioning.empty());
  EXPECT_TRUE(build(write_vectors("flat", 1000, 19), "aaa").conditioning.empty());
  EXPECT_TRUE(build(write_vectors("wide", 1000, 1025), "aaa").conditioning.empty());
  recipe.condition = 1;
  EXPECT_THAT(test::error_of(ErrorCode::usage,
                             [&] { build(write_vectors("vast", 9, 4097), "aaa", recipe); }),
              HasSubstr("vectors of 4097 dimensions; expected at most 4096"));
  recipe.condition = 3;
  EXPECT_EQ(build(write_vectors("toy", 9, 4), "aaa", recipe).conditioning.components(), 3U);
  EXPECT_THAT(
      test::error_of(ErrorCode::usage, [&] { build(write_vectors("toy", 9, 3), "aaa", recipe); }),
      HasSubstr("vectors of 3 dimensions by 3 components"));
}

TEST_F(Conditioned, WhateverIsBuiltWithAFileIsConditionedAlike) {
  const auto vectors = write_vectors("v", 1500, 24);
  const Index first = build(vectors, "aaa caa");
  const Index second = build(vectors, "caa zzb");
  EXPECT_EQ(first.conditioning, second.conditioning);
  const Index both = merged(first, second);
  EXPECT_EQ(both.conditioning, first.conditioning);
  EXPECT_EQ(both.vocabulary.size(), 3U);
  const Vocabulary at_hand = read_vectors(vectors, false);
  const Index same = build_text(std::vector{document("aaa caa", "aaa caa")}, at_hand, {}).index;
  EXPECT_EQ(same.conditioning, first.conditioning);
  EXPECT_TRUE(std::ranges::equal(same.vocabulary.coordinates(), first.vocabulary.coordinates()));
}

TEST_F(Conditioned, WordsThatComeLaterGoThroughTheSame) {
  for (const Weighting weighting : {Weighting::log, Weighting::norm}) {
    const auto vectors = write_vectors("v", 1200, 20);
    TextRecipe recipe;
    recipe.weighting = weighting;
    const Index index = build(vectors, "aaa caa", recipe);
    save_index(index, folder_ / "x.navvy");
    const Index opened = open_index(folder_ / "x.navvy");
    EXPECT_EQ(opened.conditioning, index.conditioning);
    const std::vector<Document> documents{document("aaa caa", "aaa caa"),
                                          document("new", "caa zbb")};
    const Index whole = build_text(documents, vectors, recipe).index;
    const Index longer = add_text(opened, std::vector{documents[1]}, vectors).index;
    EXPECT_EQ(longer.conditioning, whole.conditioning);
    EXPECT_TRUE(
        std::ranges::equal(longer.vocabulary.coordinates(), whole.vocabulary.coordinates()));
    EXPECT_TRUE(std::ranges::equal(longer.vocabulary.lengths(), whole.vocabulary.lengths()));
    EXPECT_TRUE(std::ranges::equal(longer.rows.weights(), whole.rows.weights()));
    const Vocabulary more =
        read_vectors(vectors, false, std::vector<std::string>{"aaa", "caa", "zbb"});
    const Vocabulary made = made_like(opened, more);
    EXPECT_TRUE(std::ranges::equal(made.coordinates(), whole.vocabulary.coordinates()));
    EXPECT_TRUE(std::ranges::equal(made.lengths(), whole.vocabulary.lengths()));
  }
}

TEST_F(Conditioned, WordsWithoutAVectorOfAWholeFileHavePointsUnlessTold) {
  const auto owned = [](const Index& index) {
    return index.vocabulary.size() == 2 && index.properties.contains("unknown_words") &&
           recipe_of(index).own_points == true;
  };
  const auto vectors = write_vectors("v", 1000, 20);
  EXPECT_TRUE(owned(build(vectors, "aaa navvy")));
  EXPECT_FALSE(owned(build(vectors, "aaa navvy", paper_recipe())));
  EXPECT_FALSE(owned(build(write_vectors("few", 999, 20), "aaa navvy")));
  EXPECT_FALSE(owned(build(write_vectors("flat", 1000, 19), "aaa navvy")));
  TextRecipe recipe;
  recipe.normalize = false;
  EXPECT_FALSE(owned(build(vectors, "aaa navvy", recipe)));
  recipe.own_points = true;
  EXPECT_THAT(test::error_of(ErrorCode::usage, [&] { build(vectors, "aaa navvy", recipe); }),
              HasSubstr("length 1"));
  recipe = {};
  recipe.own_points = false;
  EXPECT_FALSE(owned(build(vectors, "aaa navvy", recipe)));
  recipe.own_points = true;
  EXPECT_TRUE(owned(build(write_vectors("tiny", 30, 4), "aaa navvy", recipe)));
}

}  // namespace
}  // namespace navvy
