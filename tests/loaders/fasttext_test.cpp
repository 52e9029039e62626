#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "loaders/bytes.hpp"
#include "loaders/subwords.hpp"
#include "navvy/edit.hpp"
#include "navvy/text.hpp"
#include "support/expect_error.hpp"
#include "support/small_texts.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

// A model as fastText writes it, with all that can be wrong in it.
struct Model {
  Words words = {"</s>", "cat", "caf\xc3\xa9", "dog"};
  std::int32_t version = 12;
  std::int32_t dimensions = 2;
  std::int32_t kind = 2;
  std::int32_t buckets = 50;
  std::int32_t shortest = 2;
  std::int32_t longest = 3;
  std::int32_t labels = 0;
  std::int64_t pruned = -1;
  bool quantised = false;
  std::int64_t missing_rows = 0;
  char type = 0;

  [[nodiscard]] std::int64_t rows() const {
    return static_cast<std::int64_t>(words.size()) + buckets;
  }

  [[nodiscard]] std::string bytes() const {
    const auto count = static_cast<std::int32_t>(words.size());
    std::string file = test::raw<std::int32_t>({793712314, version, dimensions, 5, 5, 1, 5, 1, 2,
                                                kind, buckets, shortest, longest, 100}) +
                       test::raw<double>({1e-4}) +
                       test::raw<std::int32_t>({count, count - labels, labels}) +
                       test::raw<std::int64_t>({1000, pruned});
    for (const std::string& word : words) file += word + '\0' + test::raw<std::int64_t>({7}) + type;
    return file + matrix() + '\0' + test::raw<std::int64_t>({count, 2}) +
           std::string(static_cast<std::size_t>(8 * count), 'o');
  }

  // Row r is (r, r * r), so that sums tell which rows are in them.
  [[nodiscard]] std::string matrix() const {
    std::string file(1, static_cast<char>(quantised));
    file += test::raw<std::int64_t>({rows() - missing_rows, dimensions});
    for (std::int64_t row = 0; row < rows() - missing_rows; ++row)
      for (std::int32_t i = 0; i < dimensions; ++i)
        file += test::raw<float>({static_cast<float>(i == 0 ? row : row * row)});
    return file;
  }
};

Vocabulary read(const std::string& bytes, const std::optional<Words>& words = std::nullopt,
                VectorsReport* report = nullptr) {
  const std::vector<char> exact(bytes.begin(), bytes.end());
  return read_vectors(std::as_bytes(std::span(exact)), false, words, report);
}

std::string error_in(const std::string& bytes) {
  return test::error_of(ErrorCode::bad_input, [&] { read(bytes, Words{"cat", "zebra"}); });
}

std::string error_in(const Model& model) { return error_in(model.bytes()); }

// The mean of some rows of a model.
std::vector<float> mean(const std::vector<std::uint32_t>& rows) {
  double x = 0;
  double y = 0;
  for (const std::uint32_t row : rows) {
    x += row;
    y += double{1} * row * row;
  }
  const auto count = static_cast<double>(rows.size());
  return {static_cast<float>(x / count), static_cast<float>(y / count)};
}

void expect_vector(const Vocabulary& found, std::size_t id, const std::vector<float>& vector) {
  EXPECT_THAT(found.coordinate(id), ElementsAre(FloatEq(vector[0]), FloatEq(vector[1]))) << id;
}

// Hashes of gensim's ft_hash_bytes: of "<c", "<ca", "ca", "cat", "at", "at>", "t>".
std::vector<std::uint32_t> cat_rows(std::uint32_t words) {
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t hash :
       {1727453512U, 1066916747U, 1479119945U, 108289031U, 1462048136U, 3848351106U, 323288615U})
    rows.push_back(words + hash % 50);
  return rows;
}

TEST(FastText, AWordIsTheMeanOfItsRowAndItsNgrams) {
  VectorsReport report;
  const Vocabulary found = read(Model().bytes(), std::nullopt, &report);
  EXPECT_EQ(report.format, "fastText binary");
  EXPECT_EQ(report.words, 4U);
  EXPECT_EQ(report.dimensions, 2U);
  EXPECT_EQ(report.made, 0U);
  EXPECT_THAT(found.words().to_vector(), ElementsAre("</s>", "cat", "caf\xc3\xa9", "dog"));
  EXPECT_THAT(found.numbers().span(), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(found.coordinate(0), ElementsAre(0, 0));  // the end of a line has no n-grams
  std::vector<std::uint32_t> rows = cat_rows(4);
  rows.push_back(1);
  expect_vector(found, 1, mean(rows));
}

TEST(FastText, AnUnknownWordIsTheMeanOfItsNgrams) {
  Model model;
  model.words = {"the", "dog"};
  VectorsReport report;
  const Vocabulary found = read(model.bytes(), Words{"cat", "dog", "\xc3\xa9", "cat"}, &report);
  EXPECT_EQ(report.made, 2U);
  EXPECT_EQ(report.clashes, 0U);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.word(0), "dog");
  for (std::size_t id = 1; id < 3; ++id)
    EXPECT_EQ(found.number(id), loaders::number_of_made(found.word(id), 2)) << id;
  const std::size_t cat = found.word(1) == "cat" ? 1 : 2;
  expect_vector(found, cat, mean(cat_rows(2)));
  // "<e'", "<e'>", "e'>": n-grams are cut between characters, and their bytes count as signed.
  expect_vector(found, 3 - cat,
                mean({2 + 672036627U % 50, 2 + 1002806231U % 50, 2 + 4247996781U % 50}));
}

TEST(FastText, NumbersOfMadeWordsAreForEver) {
  EXPECT_EQ(loaders::number_of_made("cat", 3), 1345768929U);
  EXPECT_EQ(loaders::number_of_made("", 3), 1272041630U);
  EXPECT_EQ(loaders::number_of_made("\xe6\x97\xa5\xe6\x9c\xac", 2000000), 510916241U);
}

TEST(FastText, WithoutNgramsWordsStayUnknown) {
  Model model;
  model.shortest = model.longest = 5;
  EXPECT_EQ(read(model.bytes(), Words{"ab", "dog"}).size(), 1U);  // "<ab>" has four characters
  EXPECT_EQ(read(model.bytes(), Words{"abc", "dog"}).size(), 2U);
  for (const auto& change : std::vector<std::function<void(Model&)>>{
           [](Model& m) { m.buckets = 0; }, [](Model& m) { m.longest = 0; },
           [](Model& m) { m.shortest = 4; }}) {
    Model plain;
    change(plain);
    const Vocabulary found = read(plain.bytes(), Words{"zebra", "dog"});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found.coordinate(0), ElementsAre(3, 9));
  }
}

TEST(FastText, ReadsVersion11AndPackedFiles) {
  Model old;
  old.version = 11;
  const Vocabulary plain = read(Model().bytes());
  EXPECT_TRUE(std::ranges::equal(read(old.bytes()).coordinates(), plain.coordinates()));
  EXPECT_TRUE(
      std::ranges::equal(read(test::gzip(Model().bytes())).coordinates(), plain.coordinates()));
}

TEST(FastText, RefusesWhatHasNoPlainVectors) {
  const auto error = [](auto&& change) {
    Model model;
    change(model);
    return error_in(model);
  };
  EXPECT_THAT(error([](Model& m) { m.version = 13; }), HasSubstr("of version 13, expected 11"));
  EXPECT_THAT(error([](Model& m) { m.kind = 3; }), HasSubstr("model of labels (supervised)"));
  EXPECT_THAT(error([](Model& m) { m.labels = 1; }), HasSubstr("1 labels; expected words alone"));
  EXPECT_THAT(error([](Model& m) { m.type = 1; }), HasSubstr("word 1 of 4: is a label"));
  EXPECT_THAT(error([](Model& m) { m.pruned = 3; }), HasSubstr("is a quantised fastText model"));
  EXPECT_THAT(error([](Model& m) { m.quantised = true; }), HasSubstr("(.ftz); expected one in"));
}

TEST(FastText, RefusesWrongSizes) {
  const auto error = [](auto&& change) {
    Model model;
    change(model);
    return error_in(model);
  };
  EXPECT_THAT(error([](Model& m) { m.dimensions = 0; }), HasSubstr("0 dimensions, expected 1 to"));
  EXPECT_THAT(error([](Model& m) { m.words.clear(); }), HasSubstr("0 entries"));
  EXPECT_THAT(error([](Model& m) { m.longest = 65; }), HasSubstr("expected at most 64"));
  EXPECT_THAT(error([](Model& m) { m.missing_rows = 1; }), HasSubstr("a matrix of 53 rows"));
  EXPECT_THAT(error([](Model& m) { m.words[1] = std::string(2000, 'x'); }),
              HasSubstr("word 2 of 4: longer than 1024 bytes"));
  // Heads that promise what no file holds; in a packed one the size shows only at the end.
  std::string huge = Model().bytes();
  const std::int32_t buckets = 2000000000;
  std::memcpy(huge.data() + 40, &buckets, sizeof buckets);
  EXPECT_THAT(error_in(huge), HasSubstr("truncated: 4 words and 2000000000 buckets"));
  EXPECT_THAT(error_in(test::gzip(huge)), HasSubstr("a matrix of 54 rows of 2, expected 20000"));
  EXPECT_THAT(error_in(Model().bytes() + "x"), HasSubstr("bytes after the last matrix"));
}

TEST(FastText, RefusesValuesThatAreNoNumbers) {
  const std::string whole = Model().bytes();
  const std::size_t matrix = whole.size() - 8 * 4 - 17 - 8 * 54;
  for (const float value : {INFINITY, NAN}) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + matrix + 8 * 1, &value, sizeof value);  // of "cat"
    EXPECT_THAT(error_in(bytes), HasSubstr("row 1 of the matrix: a value is not a finite number"));
    EXPECT_EQ(read(bytes, Words{"dog"}).size(), 1U);
  }
  std::string large = whole;
  const float value = 3e38F;
  for (std::size_t row = 0; row < 54; ++row)
    std::memcpy(large.data() + matrix + 8 * row, &value, sizeof value);
  EXPECT_THAT(error_in(large), HasSubstr("the vector of 'cat' is not made of finite numbers"));
}

TEST(FastText, SeesEveryCut) {
  const std::string whole = Model().bytes();
  read(whole, Words{"cat", "zebra"});
  for (std::size_t size = 4; size < whole.size(); ++size) {
    EXPECT_THAT(error_in(whole.substr(0, size)), HasSubstr("bytes in memory: ")) << size;
    EXPECT_THAT(error_in(test::gzip(whole.substr(0, size))), HasSubstr("the file ends here"))
        << size;
  }
}

// Whatever a byte says, reading ends with vectors or one of the errors that a caller expects.
TEST(FastText, SurvivesEveryByte) {
  const std::string whole = Model().bytes();
  int read_well = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int flip : {1, 0x80, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      try {
        read(changed, Words{"cat", "zebra"});
        ++read_well;
      } catch (const Error& error) {
        EXPECT_TRUE(error.code() == ErrorCode::bad_input || error.code() == ErrorCode::limit);
      }
    }
  }
  EXPECT_GT(read_well, 100);
}

// Texts over a model: what is made of parts stands in an index like any other word.
class FastTextIndex : public ::testing::Test {
 protected:
  TextBuild build(const std::vector<Document>& documents, bool keep_case = false) {
    test::write_file(folder_ / "m.bin", Model().bytes());
    TextRecipe recipe = test::small_recipe();
    recipe.keep_case = keep_case;
    recipe.stop_words = StopWords{};
    return build_text(documents, folder_ / "m.bin", recipe);
  }

  test::TemporaryFolder folder_;
};

TEST_F(FastTextIndex, HasEveryWord) {
  const TextBuild built = build({test::document("a", "Cat zebra"), test::document("b", "zebras")});
  EXPECT_EQ(built.report.unknown_tokens, 0U);
  EXPECT_EQ(built.report.vectors.made, 2U);
  EXPECT_EQ(built.index.vocabulary.size(), 3U);
  EXPECT_EQ(built.index.vocabulary.word(0), "cat");
}

TEST_F(FastTextIndex, AddsWordsAsIfBuiltAtOnce) {
  const std::vector<Document> first = {test::document("a", "cat zebra gnu")};
  const std::vector<Document> second = {test::document("b", "zebras cat gnu dog")};
  const Index whole = build({first[0], second[0]}).index;
  const TextBuild added = add_text(build(first).index, second, folder_ / "m.bin");
  EXPECT_TRUE(std::ranges::equal(added.index.vocabulary.numbers(), whole.vocabulary.numbers()));
  EXPECT_TRUE(
      std::ranges::equal(added.index.vocabulary.coordinates(), whole.vocabulary.coordinates()));
  EXPECT_TRUE(std::ranges::equal(added.index.rows.weights(), whole.rows.weights()));
}

TEST_F(FastTextIndex, AFormThatTheModelHasComesBeforeOneThatIsMade) {
  const Index index = build({test::document("a", "Cat CAT Zebra zebra")}, true).index;
  Words words = index.vocabulary.words().to_vector();
  std::sort(words.begin(), words.end());
  EXPECT_THAT(words, ElementsAre("Zebra", "cat", "zebra"));
}

// Two words with one number, the first of them in the alphabet first: among so many, some have.
std::pair<std::string, std::string> same_numbers(std::uint32_t words) {
  std::map<std::uint32_t, std::string> seen;
  std::mt19937 random(1);
  for (int tries = 0; tries < 1'000'000; ++tries) {
    std::string word;
    for (int letter = 0; letter < 8; ++letter) word += static_cast<char>('a' + random() % 26);
    const auto [place, added] = seen.emplace(loaders::number_of_made(word, words), word);
    if (!added && place->second != word) return std::minmax({place->second, word});
  }
  return {};
}

TEST_F(FastTextIndex, OfTwoWordsWithOneNumberTheFirstStays) {
  const auto [early, late] = same_numbers(4);
  ASSERT_FALSE(late.empty());
  const std::vector<Document> both = {test::document("a", late + " " + early)};
  const TextBuild built = build(both);
  EXPECT_EQ(built.report.vectors.clashes, 1U);
  EXPECT_EQ(built.report.vectors.made, 1U);
  EXPECT_THAT(built.index.vocabulary.words().to_vector(), ElementsAre(early));
  ASSERT_EQ(built.report.unknown_words.size(), 1U);
  EXPECT_EQ(built.report.unknown_words[0].word, late);
  // What an index has keeps its number.
  const Index base = build({test::document("a", late)}).index;
  const std::vector<Document> more = {test::document("b", early + " dog")};
  const TextBuild added = add_text(base, more, folder_ / "m.bin");
  EXPECT_EQ(added.report.vectors.clashes, 1U);
  EXPECT_THAT(added.index.vocabulary.words().to_vector(), ElementsAre("dog", late));
}

}  // namespace
}  // namespace navvy
