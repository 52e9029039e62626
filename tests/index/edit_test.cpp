#include "navvy/edit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "index/living.hpp"
#include "navvy/loaders.hpp"
#include "navvy/text.hpp"
#include "support/expect_error.hpp"
#include "support/small_texts.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using test::document;
using test::expect_same;
using test::listed;
using test::random_document;
using test::small_recipe;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Edit : public ::testing::Test {
 protected:
  Edit() { test::write_small_vectors(vectors_); }

  Index build(const std::vector<Document>& documents, Weighting weighting = Weighting::tf,
              std::uint32_t condition = 0) const {
    return build_text(documents, vectors_, small_recipe(weighting, condition)).index;
  }

  test::TemporaryFolder folder_;
  std::filesystem::path vectors_ = folder_ / "small.txt";
};

TEST_F(Edit, AnySequenceEqualsABuildAtOnce) {
  test::write_wide_vectors(vectors_);
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const Weighting weighting = test::weightings[seed % std::size(test::weightings)];
    const unsigned condition = seed / 6 % 3;
    int next = 0;
    std::vector<Document> documents = {random_document(rng, next++)};
    Index index = build(documents, weighting, condition);
    for (int step = 0; step < 6; ++step) {
      const auto action = rng() % 3;
      if (action == 0 && documents.size() > 1) {
        const auto victim = rng() % documents.size();
        index = removed(index, std::vector{documents[victim].id});
        documents.erase(documents.begin() + static_cast<std::ptrdiff_t>(victim));
        continue;
      }
      std::vector<Document> more;
      for (auto i = rng() % 4; i > 0; --i) more.push_back(random_document(rng, next++));
      index = action == 1 ? add_text(index, more, vectors_).index
                          : merged(index, build(more, weighting, condition));
      documents.insert(documents.end(), more.begin(), more.end());
    }
    validate(index);
    verify(index);
    expect_same(reweighed(index), build(documents, weighting, condition));
    if (HasFailure()) return;
  }
}

TEST_F(Edit, AddsWithoutVectorsWhatTheIndexKnows) {
  const Index index = build({document("a", "cat dog")});
  const auto [longer, report] =
      add_text(index, std::vector{document("b", "dog fish", "new")}, std::nullopt);
  EXPECT_THAT(report.unknown_words[0].word, "fish");
  EXPECT_EQ(report.documents, 1U);
  EXPECT_EQ(report.words, 2U);
  EXPECT_EQ(longer.rows[1].size(), 1U);
  EXPECT_EQ(longer.label(0), "");
  EXPECT_EQ(longer.label(1), "new");
  EXPECT_EQ(longer.properties, index.properties);
}

TEST_F(Edit, RefusesOtherVectors) {
  const Index index = build({document("a", "cat dog")});
  test::write_small_vectors(folder_ / "other", 0.5F);
  const auto add = [&](const std::filesystem::path& vectors) {
    return test::error_of(ErrorCode::bad_input,
                          [&] { add_text(index, std::vector{document("b", "fish")}, vectors); });
  };
  EXPECT_THAT(add(folder_ / "other"),
              HasSubstr("the word 'cat' of the index has another place or vector"));
  test::write_file(folder_ / "fewer", "fish 1 2\ndog 3 4\n");
  EXPECT_THAT(add(folder_ / "fewer"), HasSubstr("the word 'cat' of the index is missing"));

  const Index other =
      build_text(std::vector{document("b", "cat")}, folder_ / "other", small_recipe()).index;
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { merged(index, other); }),
              HasSubstr("'cat') has other values"));
  test::write_file(folder_ / "moved", "the 1 1\nof 1 2\nx 1 3\ndog 3 4\ncat 5 6\n");
  const Index moved =
      build_text(std::vector{document("b", "cat")}, folder_ / "moved", small_recipe()).index;
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { merged(index, moved); }),
              HasSubstr("is 'dog' in one index and 'cat' in the other"));
  test::write_file(folder_ / "late", "the 1 1\nof 1 2\nx 1 3\ny 3 4\nz 1 2\ncat 5 6\n");
  const Index late =
      build_text(std::vector{document("b", "cat")}, folder_ / "late", small_recipe()).index;
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { merged(index, late); }),
              HasSubstr("word 'cat' has one number in one index and another"));
}

TEST_F(Edit, RefusesOtherRecipesAndRepeatedIds) {
  const Index index = build({document("a", "cat")});
  EXPECT_THAT(test::error_of(ErrorCode::bad_input,
                             [&] { merged(index, build({document("b", "cat")}, Weighting::log)); }),
              HasSubstr("indexes differ in weighting: 'tf' and 'log'"));
  EXPECT_THAT(
      test::error_of(ErrorCode::bad_input, [&] { merged(index, build({document("a", "dog")})); }),
      HasSubstr("id 'a' stands in both"));
  EXPECT_THAT(test::error_of(ErrorCode::bad_input,
                             [&] { add_text(index, std::vector{document("a", "dog")}, vectors_); }),
              HasSubstr("document 1: its id 'a' is that of a document of the index"));
  EXPECT_THAT(
      test::error_of(ErrorCode::usage, [&] { removed(index, std::vector<std::string>{"zz"}); }),
      HasSubstr("no row has the id 'zz'"));
}

TEST_F(Edit, RefusesVectorsConditionedOtherwise) {
  test::write_wide_vectors(vectors_);
  const Index index = build({document("a", "cat")}, Weighting::tf, 1);
  const auto merging = [&](const Index& other) {
    return test::error_of(ErrorCode::bad_input, [&] { merged(index, other); });
  };
  EXPECT_THAT(merging(build({document("b", "cat")}, Weighting::tf, 2)),
              HasSubstr("indexes differ in condition: '1' and '2'"));
  EXPECT_THAT(merging(build({document("b", "cat")})), HasSubstr("condition: '1' and ''"));
  Index other = build({document("b", "dog")}, Weighting::tf, 1);
  std::vector<double> values(other.conditioning.values().begin(),
                             other.conditioning.values().end());
  values[0] += 1;
  other.conditioning = Conditioning(4, Array(std::move(values)));
  EXPECT_THAT(merging(other), HasSubstr("what was taken from word vectors (condition)"));
}

TEST_F(Edit, GivesFreeNumbersToDocumentsWithoutId) {
  Index index = build({document("", "cat"), document("", "dog"), document("", "fish")});
  index = removed(index, std::vector<std::string>{"1"});
  index = add_text(index, std::vector{document("", "fast"), document("3", "slow")}, vectors_).index;
  EXPECT_THAT(index.ids.to_vector(), ElementsAre("0", "2", "4", "3"));
}

TEST_F(Edit, CanBecomeEmptyAndGrowAgain) {
  const Index index = build({document("a", "cat", "l")}, Weighting::tfidf);
  const Index empty = removed(index, std::vector<std::string>{"a"});
  EXPECT_EQ(empty.rows.size(), 0U);
  EXPECT_EQ(empty.vocabulary.dimensions(), 2U);
  validate(empty);
  verify(empty);
  expect_same(merged(empty, index), index);
}

TEST(EditOfHistograms, KeepsRowNumbersAsIdsAndZeroBins) {
  Index index;
  index.vocabulary = Vocabulary(1, Array(std::vector<float>{1, 2, 3}));
  HistogramsBuilder builder(3, ZeroBins::keep);
  builder.add(std::vector<std::uint32_t>{0, 1}, std::vector<double>{1, 0});
  builder.add(std::vector<std::uint32_t>{2}, std::vector<double>{1});
  builder.add(std::vector<std::uint32_t>{0, 1}, std::vector<double>{1, 0});
  index.rows = builder.build();
  EXPECT_THAT(duplicate_rows(index), ElementsAre(ElementsAre(0, 2)));
  const Index rest = removed(index, std::vector<std::string>{"1"});
  EXPECT_THAT(rest.ids.to_vector(), ElementsAre("0", "2"));
  EXPECT_THAT(listed(rest.vocabulary.numbers()), ElementsAre(0, 1));
  EXPECT_EQ(rest.rows[1].size(), 2U);
  EXPECT_TRUE(merged(index, index).ids.empty());
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { merged(index, rest); }),
              HasSubstr("id '0' stands in both"));
}

TEST_F(Edit, VerifyFindsWhatDoesNotFit) {
  const Index index = build({document("a", "cat dog"), document("b", "dog")}, Weighting::tfidf);
  const auto broken = [&](const auto& change) {
    Index copy = index;
    change(copy);
    return test::error_of(ErrorCode::damaged_index, [&] { verify(copy); });
  };
  EXPECT_THAT(broken([](Index& i) {
                i.counts = Array(std::vector<std::uint32_t>{2, 1, 1});
              }),
              HasSubstr("weights do not follow"));
  EXPECT_THAT(broken([](Index& i) { i.counts = {}; }), HasSubstr("counts of words are missing"));
  EXPECT_THAT(broken([](Index& i) { i.properties["weighting"] = "tf"; }),
              HasSubstr("counts of words that no weights depend on"));
  EXPECT_THAT(broken([](Index& i) {
                i.vocabulary = Vocabulary(2, Array(std::vector<float>{1, 0, 2, 0}),
                                          i.vocabulary.numbers(), i.vocabulary.words());
              }),
              HasSubstr("'dog') has length 2"));
  EXPECT_THAT(broken([](Index& i) {
                i.vocabulary = Vocabulary(2, Array(std::vector<float>{1, 0, 0, 1, 1, 0}));
              }),
              HasSubstr("coordinate 2 is used by no row"));
}

}  // namespace
}  // namespace navvy
