// Files in memory: read as from a disk, and checked as hard.
#include <gtest/gtest.h>

#include "navvy/corpus.hpp"
#include "navvy/loaders.hpp"
#include "navvy/text.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::string_literals;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST(FromBytes, ImagesAndLabels) {
  const std::string images = "\0\0\x08\x03\0\0\0\x01\0\0\0\x01\0\0\0\x02\x07\x09"s;
  const Images found = read_idx_images(bytes_of(images));
  EXPECT_EQ(found.width, 2U);
  EXPECT_THAT(found.pixels, ElementsAre(7, 9));
  EXPECT_THAT(read_labels(bytes_of("a\nb\n"s)), ElementsAre("a", "b"));
  EXPECT_THAT(error_of(ErrorCode::bad_input,
                       [&] { read_idx_images(bytes_of(images).first(images.size() - 1)); }),
              HasSubstr("bytes in memory: byte 4"));
}

TEST(FromBytes, ACorpusOfAnyFormatButFolders) {
  std::vector<std::string> texts;
  const DocumentSink keep = [&](Document&& document) { texts.push_back(document.text); };
  EXPECT_EQ(read_corpus(bytes_of("one\ntwo\n"s), {}, keep).documents, 2U);
  EXPECT_EQ(read_corpus(bytes_of("{\"text\": \"three\"}\n"s), {}, keep).documents, 1U);
  EXPECT_THAT(texts, ElementsAre("one", "two", "three"));
  CorpusOptions folder;
  folder.format = CorpusFormat::folder;
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { read_corpus(bytes_of("x"s), folder, keep); }),
              HasSubstr("bytes in memory: is no folder"));
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { read_corpus(bytes_of(""s), {}, keep); }),
              HasSubstr("bytes in memory: holds no document"));
}

TEST(FromBytes, Vectors) {
  const std::string file = "cat 3 4\ndog 0 2\n";
  VectorsReport report;
  const Vocabulary found = read_vectors(bytes_of(file), true, std::nullopt, &report);
  EXPECT_THAT(found.words().to_vector(), ElementsAre("cat", "dog"));
  EXPECT_THAT(found.coordinate(1), ElementsAre(0, 1));
  EXPECT_EQ(report.words, 2U);
}

}  // namespace
}  // namespace navvy
