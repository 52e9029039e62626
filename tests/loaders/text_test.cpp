#include "navvy/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "navvy/edit.hpp"
#include "support/expect_error.hpp"
#include "support/shared_data.hpp"
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
using ::testing::Pair;

std::map<std::string, float> words_of(const Index& index, const Histogram& histogram) {
  std::map<std::string, float> words;
  for (std::size_t i = 0; i < histogram.size(); ++i)
    words[std::string(index.vocabulary.word(histogram.coordinates[i]))] = histogram.weights[i];
  return words;
}

std::map<std::string, float> words_of(const TextEncoder& encoder, const TextQuery& query) {
  Index words;
  words.vocabulary = encoder.words(std::span(&query, 1));
  return words_of(words, to_histograms(std::span(&query, 1), words.vocabulary)[0]);
}

class Text : public ::testing::Test {
 protected:
  Text() { test::write_small_vectors(vectors_); }

  TextBuild build(const std::vector<Document>& documents, const TextRecipe& recipe) {
    TextBuild result = build_text(documents, vectors_, recipe);
    validate(result.index);
    verify(result.index);
    return result;
  }

  test::TemporaryFolder folder_;
  std::filesystem::path vectors_ = folder_ / "small.txt";
};

TEST_F(Text, CountsWordsWithoutStopWords) {
  const auto [index, report] = build(
      {document("a", "The cat, the CAT runs of zebra."), document("b", "fish")}, small_recipe());
  EXPECT_THAT(words_of(index, index.rows[0]),
              ElementsAre(Pair("cat", FloatEq(2.0F / 3)), Pair("runs", FloatEq(1.0F / 3))));
  EXPECT_THAT(words_of(index, index.rows[1]), ElementsAre(Pair("fish", 1.0F)));
  EXPECT_EQ(index.vocabulary.size(), 3U);
  EXPECT_EQ(index.vocabulary.number(0), 3U);  // "cat" is word 3 of the file
  EXPECT_EQ(report.tokens, 8U);
  EXPECT_EQ(report.stop_tokens, 3U);
  EXPECT_EQ(report.unknown_tokens, 1U);
  EXPECT_DOUBLE_EQ(unknown_share(report), 0.2);
  ASSERT_EQ(report.unknown_words.size(), 1U);
  EXPECT_EQ(report.unknown_words[0].word, "zebra");
  EXPECT_EQ(report.vectors.words, 10U);
}

TEST_F(Text, WeighsByLogAndByDocuments) {
  const std::vector<Document> documents = {document("a", "cat cat cat dog"), document("b", "dog")};
  const auto logs = build(documents, small_recipe(Weighting::log)).index;
  const double log_sum = 1 + std::log(3.0) + 1;
  EXPECT_THAT(words_of(logs, logs.rows[0]),
              ElementsAre(Pair("cat", FloatEq(static_cast<float>((1 + std::log(3.0)) / log_sum))),
                          Pair("dog", FloatEq(static_cast<float>(1 / log_sum)))));
  EXPECT_TRUE(logs.counts.empty());

  const auto rare = build(documents, small_recipe(Weighting::tfidf)).index;
  const double cat = 3 * (1 + std::log(3.0 / 2));
  EXPECT_THAT(words_of(rare, rare.rows[0]),
              ElementsAre(Pair("cat", FloatEq(static_cast<float>(cat / (cat + 1)))),
                          Pair("dog", FloatEq(static_cast<float>(1 / (cat + 1))))));
  EXPECT_THAT(rare.counts.span(), ElementsAre(3, 1, 1));
}

TEST_F(Text, WeighsBySaturationBySharesAndByLengths) {
  const std::vector<Document> documents = {document("a", "cat cat cat dog"), document("b", "dog")};
  const auto expect_share = [&](Weighting weighting, double cat, double dog) {
    const Index index = build(documents, small_recipe(weighting)).index;
    EXPECT_THAT(words_of(index, index.rows[0]),
                ElementsAre(Pair("cat", FloatEq(static_cast<float>(cat / (cat + dog)))),
                            Pair("dog", FloatEq(static_cast<float>(dog / (cat + dog))))));
    return index;
  };
  const Index saturated = expect_share(Weighting::bm25, 3 / 4.2 * (1 + std::log(3.0 / 2)), 1 / 2.2);
  EXPECT_THAT(saturated.frequencies.span(), ElementsAre(1, 2));
  EXPECT_EQ(saturated.documents, 2U);
  EXPECT_EQ(saturated.tokens, 0U);
  const Index smooth =
      expect_share(Weighting::sif, 3 * 0.001 / (0.001 + 3.0 / 5), 0.001 / (0.001 + 2.0 / 5));
  EXPECT_THAT(smooth.frequencies.span(), ElementsAre(3, 2));
  EXPECT_EQ(smooth.documents, 2U);
  EXPECT_EQ(smooth.tokens, 5U);
  EXPECT_THAT(smooth.counts.span(), ElementsAre(3, 1, 1));
  // "cat" is at (4, 6), "dog" at (5, 5).
  const Index rotated = expect_share(Weighting::norm, 3 * std::sqrt(52.0), std::sqrt(50.0));
  EXPECT_THAT(rotated.vocabulary.lengths().span(),
              ElementsAre(FloatEq(std::sqrt(52.0F)), FloatEq(std::sqrt(50.0F))));
  EXPECT_TRUE(rotated.counts.empty());
  // Without the vectors file, lengths are those that the index has.
  const Index longer =
      add_text(rotated, std::vector{document("c", "cat cat cat dog")}, std::nullopt).index;
  EXPECT_EQ(words_of(longer, longer.rows[2]), words_of(longer, longer.rows[0]));
}

TEST_F(Text, KeepsTheMostFrequentWordsTiesByRank) {
  TextRecipe recipe = small_recipe();
  recipe.max_bins = 2;
  const auto [index, report] = build({document("a", "fish slow fish dog cat")}, recipe);
  EXPECT_THAT(words_of(index, index.rows[0]),
              ElementsAre(Pair("cat", FloatEq(1.0F / 3)), Pair("fish", FloatEq(2.0F / 3))));
  EXPECT_EQ(index.vocabulary.size(), 2U);
  EXPECT_EQ(report.truncated, 1U);
  EXPECT_DOUBLE_EQ(report.mean_words, 4);
  recipe.max_bins = 0;
  test::error_of(ErrorCode::usage, [&] { build({document("a", "cat")}, recipe); });
}

TEST_F(Text, FallsBackToOtherCasesOnlyWithCaseKept) {
  TextRecipe recipe = small_recipe();
  const std::vector<Document> documents = {document("a", "PARIS Cat the The THE")};
  EXPECT_THAT(words_of(build(documents, recipe).index, build(documents, recipe).index.rows[0]),
              ElementsAre(Pair("cat", 1.0F)));
  recipe.keep_case = true;
  const auto [index, report] = build(documents, recipe);
  EXPECT_THAT(words_of(index, index.rows[0]), ElementsAre(Pair("Paris", 0.5F), Pair("cat", 0.5F)));
  EXPECT_EQ(report.stop_tokens, 3U);
}

TEST_F(Text, NeverUsesPhrases) {
  TextRecipe recipe = small_recipe();
  recipe.token_pattern = "[A-Za-z_]+";
  recipe.keep_case = true;
  EXPECT_THAT(build({document("a", "New_York cat")}, recipe).report.unknown_words[0].word,
              "New_York");
}

TEST_F(Text, TakesStopWordsFromAFile) {
  test::write_file(folder_ / "stop",
                   "\xef\xbb\xbf"
                   "cat dog # pets\n\n  runs\r\n");
  TextRecipe recipe = small_recipe();
  recipe.stop_words = read_stop_words(folder_ / "stop");
  EXPECT_EQ(recipe.stop_words->first, 0U);
  EXPECT_THAT(recipe.stop_words->words, ElementsAre("cat", "dog", "runs"));
  const auto index = build({document("a", "the dog runs fast")}, recipe).index;
  EXPECT_THAT(words_of(index, index.rows[0]), ElementsAre(Pair("fast", 0.5F), Pair("the", 0.5F)));
}

TEST_F(Text, LeavesOutWhatIsTold) {
  test::write_file(folder_ / "list", "dog");
  EXPECT_EQ(parse_stop_words((folder_ / "list").string()), (StopWords{0, {"dog"}}));
  EXPECT_EQ(parse_stop_words("none"), StopWords());
  EXPECT_EQ(parse_stop_words("2"), (StopWords{2, {}}));
  EXPECT_EQ(parse_stop_words("english"), english_stop_words());
  for (const std::string bad : {"englsh", "-1", "", "4294967296"})
    EXPECT_THAT(test::error_of(ErrorCode::usage, [&] { parse_stop_words(bad); }),
                HasSubstr("stop words '" + bad + "': expected english, none, a number"));
  TextRecipe recipe = small_recipe();
  recipe.stop_words = StopWords{1, {"cat"}};
  const auto index = build({document("a", "the cat of fish")}, recipe).index;
  EXPECT_THAT(words_of(index, index.rows[0]), ElementsAre(Pair("fish", 0.5F), Pair("of", 0.5F)));
  EXPECT_EQ(recipe_of(index).stop_words, (StopWords{0, {"the", "cat"}}));
}

TEST_F(Text, LeavesOutEnglishWordsOnlyWhereTheWeightingDoesNotKnowTheCollection) {
  TextRecipe recipe;
  EXPECT_EQ(recipe.weighting, Weighting::bm25);
  const std::vector<Document> documents{document("a", "the dog runs"), document("b", "the fish")};
  EXPECT_EQ(recipe_of(build(documents, recipe).index).stop_words, StopWords());
  for (const Weighting weighting : {Weighting::tfidf, Weighting::bm25, Weighting::sif}) {
    recipe.weighting = weighting;
    EXPECT_EQ(recipe_of(build(documents, recipe).index).stop_words, StopWords());
  }
  for (const Weighting weighting : {Weighting::tf, Weighting::log, Weighting::norm}) {
    recipe.weighting = weighting;
    const TextBuild made = build(documents, recipe);
    EXPECT_EQ(recipe_of(made.index).stop_words, english_stop_words());
    EXPECT_EQ(made.report.stop_tokens, 2U);
  }
  EXPECT_EQ(paper_recipe().weighting, Weighting::tf);
  EXPECT_EQ(paper_recipe().stop_words, (StopWords{100, {}}));
}

TEST_F(Text, NamesEmptyAndDuplicateDocuments) {
  const auto [index, report] = build({document("", "cat dog", "pets"), document("x", "the zebra"),
                                      document("", "Dog! Cat!", "pets"), document("y", "", "none")},
                                     small_recipe());
  EXPECT_THAT(report.empty, ElementsAre("x", "y"));
  EXPECT_THAT(report.duplicates, ElementsAre(ElementsAre("0", "2")));
  EXPECT_EQ(report.labels, 2U);
  EXPECT_EQ(index.label(1), "");
  EXPECT_EQ(index.label(3), "none");
  EXPECT_EQ(report.documents, 4U);
}

TEST_F(Text, RefusesRepeatedIds) {
  EXPECT_THAT(
      test::error_of(ErrorCode::bad_input,
                     [&] {
                       build({document("a", "cat"), document("b", "cat"), document("a", "dog")},
                             small_recipe());
                     }),
      HasSubstr("document 3: its id 'a' is that of document 1"));
}

TEST_F(Text, ShowsTitlesAndSnippets) {
  const auto index =
      build({document("a", "From: me@x\nSubject: Re: Cats  and dogs\n\nThe cat\n  runs."),
             document("b", "\n  First line \nsecond line"), document("c", std::string(300, 'x'))},
            small_recipe())
          .index;
  EXPECT_EQ(index.titles[0], "Re: Cats and dogs");
  EXPECT_EQ(index.snippets[0], "The cat runs.");
  EXPECT_EQ(index.titles[1], "First line");
  EXPECT_EQ(index.snippets[1], "First line second line");
  EXPECT_EQ(index.titles[2], std::string(100, 'x') + "...");
}

TEST_F(Text, StoresTheRecipe) {
  TextRecipe recipe = small_recipe(Weighting::log);
  recipe.token_pattern = "[a-z]{2,}";
  recipe.max_bins = 7;
  recipe.normalize = false;
  const auto index = build({document("a", "cat")}, recipe).index;
  const TextRecipe stored = recipe_of(index);
  EXPECT_EQ(stored.token_pattern, recipe.token_pattern);
  EXPECT_EQ(stored.max_bins, 7U);
  EXPECT_EQ(stored.weighting, Weighting::log);
  EXPECT_FALSE(stored.normalize);
  EXPECT_FALSE(stored.keep_case);
  EXPECT_EQ(stored.stop_words, (StopWords{0, {"the", "of"}}));
  EXPECT_EQ(index.properties.at("vectors"), "small.txt");
}

TEST_F(Text, RemembersWhichTokensItHas) {
  TextRecipe recipe = small_recipe();
  recipe.token_pattern.clear();
  recipe.own_points = true;
  const std::vector<Document> documents{document("a", "cat 747")};
  Index index = build(documents, recipe).index;
  EXPECT_EQ(index.properties.at("tokens"), R"([\pL\p{Nd}][\pL\p{Nd}\pM]*)");
  EXPECT_EQ(recipe_of(index).token_pattern, "");
  EXPECT_EQ(TextEncoder(index).encode("747").numbers.size(), 1U);
  // As those of before were built.
  recipe.token_pattern = letter_tokens;
  index = build(documents, recipe).index;
  EXPECT_EQ(index.properties.at("tokens"), "letters");
  EXPECT_EQ(recipe_of(index).token_pattern, letter_tokens);
  EXPECT_TRUE(TextEncoder(index).encode("747").numbers.empty());
}

TEST_F(Text, RefusesARecipeThatMakesNoSense) {
  Index index = build({document("a", "cat")}, small_recipe()).index;
  index.properties["max_bins"] = "many";
  EXPECT_THAT(test::error_of(ErrorCode::damaged_index, [&] { recipe_of(index); }),
              HasSubstr("max_bins is 'many'"));
  index.properties["max_bins"] = "5";
  index.properties["weighting"] = "heavy";
  test::error_of(ErrorCode::damaged_index, [&] { recipe_of(index); });
  index.kind = DataKind::images;
  test::error_of(ErrorCode::usage, [&] { const TextEncoder encoder(index); });
}

TEST_F(Text, TreatsQueriesLikeDocuments) {
  for (const Weighting weighting : test::weightings) {
    const std::vector<Document> documents = {document("a", "cat cat DOG the fish"),
                                             document("b", "dog runs"), document("c", "zebra")};
    TextRecipe recipe = small_recipe(weighting);
    recipe.max_bins = 2;
    const auto index = build(documents, recipe).index;
    const TextEncoder encoder(index);
    for (std::size_t row = 0; row < documents.size(); ++row) {
      const TextQuery query = encoder.encode(documents[row].text);
      const Histogram expected = index.rows[row];
      EXPECT_EQ(words_of(encoder, query), words_of(index, expected)) << row;
    }
  }
}

TEST_F(Text, NamesUnknownWordsOfAQuery) {
  const auto index = build({document("a", "cat dog")}, small_recipe()).index;
  const TextEncoder encoder(index);
  const TextQuery query = encoder.encode("The zebra\xff and a Zebra, cat");
  EXPECT_THAT(query.unknown, ElementsAre("zebra", "and", "a"));
  EXPECT_THAT(words_of(encoder, query), ElementsAre(Pair("cat", 1.0F)));
  require_known_word(query);
  EXPECT_THAT(test::error_of(ErrorCode::bad_input,
                             [&] { require_known_word(encoder.encode("the zebra")); }),
              HasSubstr("no word of the query is known to the index: zebra"));
  EXPECT_THAT(
      test::error_of(ErrorCode::bad_input, [&] { require_known_word(encoder.encode("of the")); }),
      HasSubstr("no words, or stop words alone"));
  const std::vector<TextQuery> queries = {query, encoder.encode(""), encoder.encode("dog")};
  const Histograms rows = to_histograms(queries, encoder.words(queries));
  EXPECT_EQ(rows.size(), 3U);
  EXPECT_TRUE(is_empty(rows[1]));
}

TEST_F(Text, TakesVectorsAtHandLikeThoseOfAFile) {
  const std::vector<Document> first{document("a", "The cat runs"), document("b", "fish")};
  const std::vector<Document> more{document("c", "dog cat")};
  const Vocabulary words = read_vectors(vectors_, false);
  const Index from_file = add_text(build(first, small_recipe()).index, more, vectors_).index;
  const TextBuild from_words = build_text(first, words, small_recipe());
  const Index both = add_text(from_words.index, more, words).index;
  EXPECT_EQ(from_words.report.vectors.words, words.size());
  EXPECT_EQ(both.vocabulary.words().to_vector(), from_file.vocabulary.words().to_vector());
  EXPECT_TRUE(std::ranges::equal(both.vocabulary.numbers(), from_file.vocabulary.numbers()));
  EXPECT_TRUE(
      std::ranges::equal(both.vocabulary.coordinates(), from_file.vocabulary.coordinates()));
  EXPECT_TRUE(std::ranges::equal(both.rows.weights(), from_file.rows.weights()));
  EXPECT_EQ(recipe_of(both).stop_words, recipe_of(from_file).stop_words);

  const Vocabulary nameless(1, Array(std::vector<float>{1}));
  EXPECT_THAT(
      test::error_of(ErrorCode::usage, [&] { build_text(first, nameless, small_recipe()); }),
      HasSubstr("expected a word for each vector"));
}

TEST_F(Text, CountsLabelsOfOneDocument) {
  std::vector<Document> documents;
  for (int i = 0; i < 12; ++i)
    documents.push_back(document("d" + std::to_string(i), "cat", "l" + std::to_string(i / 2 * i)));
  const TextReport report = build(documents, small_recipe()).report;
  EXPECT_EQ(report.labels, 11U);  // l0 stands at two documents
  EXPECT_EQ(report.lone_labels, 10U);
  EXPECT_TRUE(has_many_lone_labels(report));
  documents.pop_back();
  EXPECT_FALSE(has_many_lone_labels(build(documents, small_recipe()).report));
}

TEST(Weighting, NamesAreReadHoweverTheyAreWritten) {
  EXPECT_EQ(parse_weighting("TFIDF"), Weighting::tfidf);
  EXPECT_EQ(parse_weighting("tf-idf"), Weighting::tfidf);
  EXPECT_EQ(parse_weighting("BM25 "), Weighting::bm25);
  test::error_of(ErrorCode::usage, [] { parse_weighting("idf"); });
}

TEST_F(Text, SaysWhyEveryDocumentIsEmpty) {
  const auto error = [&](const std::string& text, const TextRecipe& recipe) {
    const TextReport report = build({document("a", text), document("b", "")}, recipe).report;
    return test::error_of(ErrorCode::bad_input, [&] { require_known_words(report); });
  };
  EXPECT_EQ(error("le chat dort, le chien dort", small_recipe()),
            "all 2 texts are empty and would never be found: no word has a vector ('le', 'dort', "
            "'chat'); are the vectors of the same language, and does the token pattern fit?");
  EXPECT_EQ(error("the of THE", small_recipe()),
            "all 2 texts are empty and would never be found: all of their 3 tokens are stop words; "
            "expected fewer of these");
  EXPECT_EQ(error("the cat of zebra of", paper_recipe()),
            "all 2 texts are empty and would never be found: 4 of their 5 tokens are stop words, "
            "and no other word has a vector ('zebra'); expected fewer stop words, such as none, or "
            "vectors of the same language");
  TextRecipe digits = small_recipe();
  digits.token_pattern = "[0-9]+";
  EXPECT_EQ(error("the cat", digits),
            "all 2 texts are empty and would never be found: no token is in them; does the token "
            "pattern fit?");
  require_known_words(build({document("a", "zebra"), document("b", "cat")}, small_recipe()).report);
  TextRecipe own = small_recipe();
  own.own_points = true;
  EXPECT_EQ(error("le chat dort", own),
            "all 2 texts would be found by their own words alone: no word has a vector ('le', "
            "'chat', 'dort'); are the vectors of the same language, and does the token pattern "
            "fit?");
}

TEST_F(Text, BuildsFromNothingKnown) {
  const auto [index, report] = build({document("a", "zebra")}, small_recipe());
  EXPECT_EQ(index.vocabulary.size(), 0U);
  EXPECT_THAT(report.empty, ElementsAre("a"));
  EXPECT_THAT(TextEncoder(index).encode("zebra").unknown, ElementsAre("zebra"));
}

TEST_F(Text, StopsWhenAsked) {
  test::error_of(ErrorCode::interrupted, [&] {
    build_text(std::vector<Document>{document("a", "cat")}, vectors_, small_recipe(),
               [](const Progress&) { return false; });
  });
}

TEST(TextData, TwitterHasItsLabelsAndCounts) {
  const auto corpus = test::shared_data("wmd/twitter.txt.gz");
  const auto vectors = test::shared_data("vectors/glove-6b-100d-20news.bin.gz");
  NAVVY_NEEDS_DATA(corpus);
  NAVVY_NEEDS_DATA(vectors);
  const auto [index, report] = build_text(corpus, {}, vectors, {});
  EXPECT_EQ(report.documents, 3115U);
  EXPECT_EQ(report.labels, 3U);
  EXPECT_EQ(report.vectors.words, 80840U);
  EXPECT_EQ(report.vectors.dimensions, 100U);
  std::map<std::string, int> sizes;
  for (std::size_t row = 0; row < index.rows.size(); ++row) ++sizes[index.label(row)];
  EXPECT_THAT(sizes,
              ElementsAre(Pair("negative", 509), Pair("neutral", 2144), Pair("positive", 462)));
  verify(index);
}

}  // namespace
}  // namespace navvy
