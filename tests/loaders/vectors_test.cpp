#include "loaders/vectors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Record {
  std::string word;
  std::vector<float> vector;
};

const std::vector<Record> records = {
    {"the", {0.5F, -1.25F}}, {"cat", {3, 4}}, {"caf\xc3\xa9", {1e-3F, 2}}};

std::string binary(const std::vector<Record>& list, const std::string& after_each,
                   const std::string& head = "3 2\n") {
  std::string bytes = head;
  for (const Record& record : list) {
    bytes += record.word + ' ';
    bytes.append(reinterpret_cast<const char*>(record.vector.data()),
                 record.vector.size() * sizeof(float));
    bytes += after_each;
  }
  return bytes;
}

// Reads all vectors of a file with this content, as they are.
Vocabulary read(const std::string& bytes, VectorsReport* report = nullptr) {
  const test::TemporaryFolder folder;
  test::write_file(folder / "v", bytes);
  return read_vectors(folder / "v", false, std::nullopt, report);
}

std::string error_in(const std::string& bytes) {
  return test::error_of(ErrorCode::bad_input, [&] { read(bytes); });
}

std::vector<float> values(const Vocabulary& vocabulary, std::size_t id) {
  const auto vector = vocabulary.coordinate(id);
  return {vector.begin(), vector.end()};
}

void expect_records(const std::string& bytes, const std::string& format) {
  VectorsReport report;
  const Vocabulary vocabulary = read(bytes, &report);
  EXPECT_EQ(report.format, format);
  EXPECT_EQ(report.words, 3U);
  EXPECT_EQ(report.dimensions, 2U);
  EXPECT_EQ(report.broken, 0U);
  ASSERT_EQ(vocabulary.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(vocabulary.word(i), records[i].word);
    EXPECT_EQ(vocabulary.number(i), i);
    EXPECT_EQ(values(vocabulary, i), records[i].vector);
  }
}

TEST(Vectors, ReadsWord2vecBinaryWithAndWithoutNewlines) {
  expect_records(binary(records, "\n"), "word2vec binary");
  expect_records(binary(records, ""), "word2vec binary");
}

TEST(Vectors, ReadsTextFormats) {
  const std::string lines = "the 0.5 -1.25\ncat 3 +4\ncaf\xc3\xa9 1e-3 2\n";
  expect_records(lines, "GloVe text");
  expect_records("3 2\n" + lines, "word2vec text");
  expect_records("3 2 \nthe 0.5 -1.25 \r\ncat\t3\t4 \r\n\r\ncaf\xc3\xa9 0.001 2.0",
                 "word2vec text");
  expect_records("\xef\xbb\xbf" + lines, "GloVe text");
}

TEST(Vectors, TakesNumbersFromTheEndOfTheLine) {
  const Vocabulary vocabulary = read("the 1 2\n. . . 3 4\nat 5 5 6\n7 8 9\n 1 1\nlast 1 2\n");
  ASSERT_EQ(vocabulary.size(), 6U);
  EXPECT_EQ(vocabulary.word(1), ". . .");
  EXPECT_EQ(vocabulary.word(2), "at 5");
  EXPECT_EQ(vocabulary.word(3), "7");
  EXPECT_EQ(vocabulary.word(4), "");
  EXPECT_THAT(values(vocabulary, 2), ElementsAre(5, 6));
}

TEST(Vectors, FindsTheDimensionsWhenTheFirstWordReadsAsNumbers) {
  const Vocabulary vocabulary = read("1 2 3 4\nword 5 6\nother 7 8\n");
  EXPECT_EQ(vocabulary.dimensions(), 2U);
  EXPECT_EQ(vocabulary.word(0), "1 2");
}

TEST(Vectors, KeepsOnlyAskedWordsTheFirstOfEach) {
  const test::TemporaryFolder folder;
  test::write_file(folder / "v", "a 1 2\nb 3 4\na 5 6\nc 7 x\n");
  VectorsReport report;
  const Vocabulary vocabulary =
      read_vectors(folder / "v", false, std::vector<std::string>{"b", "a", "missing"}, &report);
  ASSERT_EQ(vocabulary.size(), 2U);
  EXPECT_THAT(values(vocabulary, 0), ElementsAre(1, 2));
  EXPECT_EQ(vocabulary.number(1), 1U);
  EXPECT_EQ(report.words, 4U);
  EXPECT_EQ(report.duplicates, 1U);
}

TEST(Vectors, NormalisesUnlessAskedNotTo) {
  const test::TemporaryFolder folder;
  test::write_file(folder / "v", "a 3 4\nzero 0 0\n");
  const Vocabulary vocabulary = read_vectors(folder / "v");
  EXPECT_THAT(values(vocabulary, 0), ElementsAre(0.6F, 0.8F));
  EXPECT_THAT(values(vocabulary, 1), ElementsAre(0, 0));
}

TEST(Vectors, ReplacesAndCountsBrokenWords) {
  VectorsReport report;
  const Vocabulary vocabulary = read("a\xff 1 2\n\xc3\xa9 3 4\n", &report);
  EXPECT_EQ(vocabulary.word(0), "a\xef\xbf\xbd");
  EXPECT_EQ(report.broken, 1U);
}

TEST(Vectors, NamesTheRecordWhereABinaryFileEnds) {
  const std::string whole = binary(records, "\n");
  for (std::size_t size = 4; size + 1 < whole.size(); ++size)
    EXPECT_THAT(error_in(whole.substr(0, size)), HasSubstr("record")) << size;
  const std::string cut = whole.substr(0, whole.size() - 3);
  EXPECT_THAT(error_in(cut), HasSubstr("record 3: the file ends here"));
}

TEST(Vectors, ChecksTheHeadAgainstTheSizeFirst) {
  EXPECT_THAT(error_in(binary(records, "\n", "4000000000 2\n")),
              HasSubstr("announces 4000000000 words of 2 dimensions, but the file ends in record"));
  EXPECT_THAT(error_in(binary(records, "\n", "3 70000\n")), HasSubstr("expected 1 to 65536"));
  EXPECT_THAT(error_in(binary(records, "\n", "99999999999 2\n")), HasSubstr("words"));
  EXPECT_THAT(error_in(binary(records, "\n", "0 2\n")), HasSubstr("expected 1 to"));
  EXPECT_THAT(error_in(binary(records, "\n", "2 2\n")), HasSubstr("bytes after the last record"));
}

TEST(Vectors, RefusesWhatIsNoNumber) {
  EXPECT_THAT(error_in("a 1 2\nb 3 x\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_in("a 1 2\nb 3\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_in("a 1 2\nb 3 nan\n"), HasSubstr("nan is not a finite number"));
  EXPECT_THAT(error_in("a 1 2\nb 3 1e99\n"), HasSubstr("line 2: 1e99"));
  EXPECT_THAT(error_in(binary({{"a", {1, INFINITY}}}, "\n", "1 2\n")),
              HasSubstr("record 1 ('a'): a value is not a finite number"));
  EXPECT_THAT(values(read("a 1 2\nb 3 1e-60\n"), 1), ElementsAre(3, 0));
}

TEST(Vectors, NamesTheRecordWhereATextFileEnds) {
  EXPECT_THAT(error_in("3 2\na 1 2\nb 3 4\n"), HasSubstr("record 3: the file ends here"));
}

TEST(Vectors, RecognisesOtherFormatsAndGivesAdvice) {
  EXPECT_THAT(error_in("PK\x03\x04 and so on"), HasSubstr("unpack it first"));
  EXPECT_THAT(error_in(""), HasSubstr("is empty"));
  EXPECT_THAT(error_in("just some words\n"), HasSubstr("line 1 is neither"));
  EXPECT_THAT(error_in(std::string(200000, 'x')), HasSubstr("line 1 is neither"));
}

TEST(Vectors, RefusesEndlessWordsAndLines) {
  EXPECT_THAT(error_in("3 2\n" + std::string(5000, 'x')), HasSubstr("no space within 1024 bytes"));
  EXPECT_THAT(error_in("a 1 2\n" + std::string(5000, 'x') + " 1 2\n"),
              HasSubstr("line 2: a word of 5000 bytes"));
  EXPECT_THAT(error_in("a 1 2\nb 3 4\n" + std::string((std::size_t{16} << 20) + 1, 'x')),
              HasSubstr("line 3: longer than"));
}

}  // namespace
}  // namespace navvy
