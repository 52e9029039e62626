// Words that queries may use though no text of the corpus has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "navvy/edit.hpp"
#include "navvy/text.hpp"
#include "navvy/writer.hpp"
#include "support/expect_error.hpp"
#include "support/small_texts.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using test::document;
using test::small_recipe;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> beyond(const Index& index) {
  return index.beyond.vocabulary().words().to_vector();
}

std::vector<std::uint32_t> numbers(const Vocabulary& words) {
  return {words.numbers().begin(), words.numbers().end()};
}

class Beyond : public ::testing::Test {
 protected:
  Beyond() { test::write_small_vectors(vectors_); }

  Index build(const std::vector<Document>& documents, std::uint32_t words = 100'000,
              Weighting weighting = Weighting::tf) {
    TextRecipe recipe = small_recipe(weighting);
    recipe.query_words = words;
    const Index index = build_text(documents, vectors_, recipe).index;
    validate(index);
    verify(index);
    return index;
  }

  test::TemporaryFolder folder_;
  std::filesystem::path vectors_ = folder_ / "small.txt";
};

TEST_F(Beyond, KeepsTheFirstWordsThatNoTextHas) {
  const std::vector<Document> documents{document("a", "cat runs"), document("b", "fish")};
  // "Paris" and "New_York" are no tokens of this recipe.
  EXPECT_THAT(beyond(build(documents)), ElementsAre("the", "of", "dog", "fast", "slow"));
  EXPECT_THAT(numbers(build(documents).beyond.vocabulary()), ElementsAre(0U, 1U, 4U, 6U, 8U));
  EXPECT_THAT(beyond(build(documents, 5)), ElementsAre("the", "of", "dog"));
  EXPECT_THAT(beyond(build(documents, all_words)), ElementsAre("the", "of", "dog", "fast", "slow"));
  EXPECT_FALSE(build(documents, 0).beyond.kept());
  EXPECT_THAT(build(documents).vocabulary.words().to_vector(), ElementsAre("cat", "runs", "fish"));
}

TEST_F(Beyond, CasesThatAreLookedUpAreKept) {
  TextRecipe recipe = small_recipe();
  recipe.keep_case = true;
  recipe.query_words = all_words;
  const Index index = build_text(std::vector{document("a", "cat")}, vectors_, recipe).index;
  EXPECT_THAT(beyond(index), ::testing::Contains("Paris"));
  EXPECT_THAT(TextEncoder(index).encode("PARIS cat").unknown, IsEmpty());
}

TEST_F(Beyond, QueriesKnowThemByTheirNumber) {
  const Index index = build({document("a", "cat runs"), document("b", "fish")});
  const TextEncoder encoder(index);
  const std::vector<TextQuery> queries{encoder.encode("slow dog fish zebra"),
                                       encoder.encode("cat cat dog")};
  EXPECT_THAT(queries[0].numbers, ElementsAre(4U, 8U, 9U));
  EXPECT_THAT(queries[0].unknown, ElementsAre("zebra"));
  EXPECT_THAT(queries[1].weights, ElementsAre(FloatEq(2.0F / 3), FloatEq(1.0F / 3)));
  const Vocabulary words = encoder.words(queries);
  EXPECT_THAT(words.words().to_vector(), ElementsAre("cat", "dog", "slow", "fish"));
  EXPECT_THAT(numbers(words), ElementsAre(3U, 4U, 8U, 9U));
  EXPECT_NEAR(std::hypot(words.coordinate(1)[0], words.coordinate(1)[1]), 1, 1e-6);
  EXPECT_EQ(to_histograms(queries, words).size(), 2U);
  EXPECT_THAT(
      test::error_of(ErrorCode::bad_input, [&] { to_histograms(queries, index.vocabulary); }),
      HasSubstr("word number 4 of a query has no vector here"));
}

TEST_F(Beyond, NoDocumentHasThem) {
  const Index index =
      build({document("a", "cat runs"), document("b", "cat")}, 100'000, Weighting::tfidf);
  const TextQuery query = TextEncoder(index).encode("cat dog");
  const double rare = 1 + std::log(3.0 / 1.0);
  const double common = 1 + std::log(3.0 / 3.0);
  EXPECT_FLOAT_EQ(query.weights[0], static_cast<float>(common / (common + rare)));
  EXPECT_FLOAT_EQ(query.weights[1], static_cast<float>(rare / (common + rare)));
}

TEST_F(Beyond, AddedTextsTakeThemIn) {
  const std::vector<Document> first{document("a", "cat runs")};
  const std::vector<Document> more{document("b", "dog fish zebra")};
  const Index index = build(first);
  const TextBuild added = add_text(index, more, std::nullopt);
  EXPECT_EQ(added.report.unknown_tokens, 1U);
  const Index at_once = build({first[0], more[0]});
  for (const Index& found : {added.index, merged(index, build(more))}) {
    EXPECT_EQ(beyond(found), beyond(at_once));
    EXPECT_EQ(numbers(found.beyond.vocabulary()), numbers(at_once.beyond.vocabulary()));
    EXPECT_EQ(numbers(found.vocabulary), numbers(at_once.vocabulary));
    EXPECT_TRUE(
        std::ranges::equal(found.vocabulary.coordinates(), at_once.vocabulary.coordinates()));
  }
  // What no row uses any more is a word for queries again.
  const std::vector<std::string> ids{"b"};
  EXPECT_EQ(beyond(removed(added.index, ids)), beyond(index));
}

// A word without a vector is known as long as a row has it: else it would be asked for in vain, and
// the answer called that of the whole question.
TEST_F(Beyond, PointsOfTheirOwnLeaveWithTheirRows) {
  TextRecipe recipe = small_recipe();
  recipe.own_points = true;
  recipe.query_words = all_words;
  const std::vector<Document> documents{document("a", "cat runs"), document("b", "dog zebra")};
  const Index index = build_text(documents, vectors_, recipe).index;
  EXPECT_THAT(TextEncoder(index).encode("zebra").unknown, IsEmpty());
  const std::vector<std::string> ids{"b"};
  const auto expect_gone = [&](const Index& edited) {
    EXPECT_THAT(TextEncoder(edited).encode("cat dog zebra").unknown, ElementsAre("zebra"));
    EXPECT_THAT(beyond(edited), ElementsAre("the", "of", "dog", "fast", "slow", "fish"));
    verify(edited);
  };
  expect_gone(removed(index, ids));
  const auto file = folder_ / "x.navvy";
  save_index(index, file);
  IndexWriter writer(file);
  writer.remove(ids);
  expect_gone(open_index(file));
  writer.compact();
  expect_gone(open_index(file));
}

TEST_F(Beyond, PointsOfTheirOwnInEditedFilesOfBeforeAreForgotten) {
  Index index = build({document("a", "cat")}, 2);
  index.beyond = WordsBeyond(Vocabulary(2, Array(std::vector{0.6F, 0.8F, 0.0F, 1.0F}),
                                        Array(std::vector{1U, 1U << 31U}),
                                        Strings(std::vector<std::string>{"of", "zebra"})));
  const auto file = folder_ / "x.navvy";
  save_index(index, file);
  EXPECT_THAT(beyond(open_index(file)), ElementsAre("of"));
  EXPECT_THAT(TextEncoder(open_index(file)).encode("of cat zebra").unknown, ElementsAre("zebra"));
}

TEST_F(Beyond, AreTheSameInFilesThatAreEdited) {
  const auto file = folder_ / "x.navvy";
  save_index(build({document("a", "cat runs")}), file);
  IndexWriter writer(file);
  const std::vector<Document> more{document("b", "dog fish")};
  writer.add(text_rows(writer.outline(), more).index);
  EXPECT_THAT(beyond(open_index(file)), ElementsAre("the", "of", "fast", "slow"));
  EXPECT_THAT(TextEncoder(open_index(file)).encode("dog slow").unknown, IsEmpty());
  const std::vector<Document> other{document("b", "slow")};
  writer.update(text_rows(writer.outline(), other, {{}, nullptr, {}, true}).index);
  EXPECT_THAT(beyond(open_index(file)), ElementsAre("the", "of", "dog", "fast", "fish"));
  writer.compact();
  EXPECT_THAT(beyond(open_index(file)), ElementsAre("the", "of", "dog", "fast", "fish"));
  verify(open_index(file));
}

TEST_F(Beyond, OtherVectorsAreRefused) {
  const auto other = folder_ / "other.txt";
  test::write_file(other, "the 1 9\nof 2 8\nx 1 1\ncat 4 6\ndog 1 0\n");
  const Index index = build({document("a", "cat")});
  const std::vector<Document> more{document("b", "dog")};
  for (const auto& words :
       {std::optional(std::vector<std::string>{"dog"}), std::optional<std::vector<std::string>>()})
    EXPECT_THAT(
        test::error_of(ErrorCode::bad_input,
                       [&] { (void)with_query_words(index, other, words).beyond.vocabulary(); }),
        HasSubstr("other.txt: the word 'dog' of the index has another place or vector"));
  const auto file = folder_ / "x.navvy";
  save_index(index, file);
  IndexWriter writer(file);
  EXPECT_THAT(
      test::error_of(ErrorCode::bad_input,
                     [&] {
                       writer.add(text_rows(writer.outline(), more, {other, nullptr, {}}).index);
                     }),
      HasSubstr("'dog'"));
  test::write_file(other, "the 1 9\nof 2 8\nx 1 1\ncat 1 0\n");
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { with_query_words(index, other); }),
              HasSubstr("other.txt: the word 'cat' of the index has another place or vector here"));
}

TEST_F(Beyond, MoreComeFromVectorsLater) {
  const Index index = build({document("a", "cat")}, 0);
  EXPECT_THAT(TextEncoder(index).encode("dog").unknown, ElementsAre("dog"));
  const Index some = with_query_words(index, vectors_, std::vector<std::string>{"a slow DOG"});
  EXPECT_THAT(beyond(some), ElementsAre("dog", "slow"));
  EXPECT_THAT(beyond(with_query_words(some, vectors_)),
              ElementsAre("the", "of", "dog", "runs", "fast", "slow", "fish"));
  const Vocabulary words = read_vectors(vectors_, false);
  EXPECT_THAT(beyond(with_query_words(index, words, std::vector<std::string>{"fish"})),
              ElementsAre("fish"));
}

TEST_F(Beyond, NamesOfWhatIsKept) {
  EXPECT_EQ(parse_query_words("corpus"), 0U);
  EXPECT_EQ(parse_query_words("all"), all_words);
  EXPECT_EQ(parse_query_words("5000"), 5000U);
  for (const char* text : {"", "some", "-1", "1e3", "99999999999"})
    EXPECT_THAT(test::error_of(ErrorCode::usage, [&] { parse_query_words(text); }),
                HasSubstr("expected a number, all or corpus"));
}

}  // namespace
}  // namespace navvy
