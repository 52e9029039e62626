// Edited files with right checksums that say what later edits could not bear, and edits that would
// make files which nobody can open: each is refused, and the file stays what it was.
#include <gtest/gtest.h>

#include "index/edited_files.hpp"
#include "index/edited_parts.hpp"
#include "index/examples.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using index::Element;
using index::Kind;
using test::EditedParts;
using test::error_of;
using ::testing::HasSubstr;

class TrustedEdits : public test::Living {
 protected:
  /// Neither opened nor edited.
  std::string refused(const std::string& image) {
    test::write_file(path_, image);
    error_of(ErrorCode::damaged_index, [&] { IndexWriter writer(path_); });
    return error_of(ErrorCode::damaged_index, [&] { open_index(path_); });
  }

  /// The message of an edit that changes nothing.
  template <class Edit>
  std::string changes_nothing(const Edit& edit) {
    const std::string before = test::read_file(path_);
    const std::string message = error_of(ErrorCode::bad_input, [&] {
      IndexWriter writer(path_);
      edit(writer);
    });
    EXPECT_EQ(test::read_file(path_), before);
    return message;
  }
};

TEST_F(TrustedEdits, NumbersOfRowsDoNotClash) {
  const std::string sound = test::many_segments(folder_);
  for (const std::uint64_t next : {std::uint64_t{0}, std::uint64_t{8}, ~std::uint64_t{0}}) {
    EditedParts parts(sound);
    parts.manifest.next_number = next;
    EXPECT_THAT(refused(parts.image()), HasSubstr("expected a number from 9 on, below 2^62"));
  }
  EditedParts parts(sound);
  parts.pieces[2].entry.first_number = 1;
  EXPECT_THAT(refused(parts.image()), HasSubstr("rows are called 1 and on, expected numbers from"));
}

TEST_F(TrustedEdits, LengthsAreMultiplesOfTheAlignment) {
  std::string image = test::many_segments(folder_) + std::string(8, '\0');
  const auto bytes = std::as_writable_bytes(std::span(image));
  auto head = test::value_at<index::Head>(bytes, 0);
  head.file_bytes += 8;
  test::put_at(bytes, 0, head);
  test::correct_checksums(bytes);
  EXPECT_THAT(refused(image), HasSubstr("expected a multiple of 64"));
}

// Words are counted by what rows refer to.
TEST_F(TrustedEdits, TheFirstSegmentHasItsCoordinatesItself) {
  EditedParts parts(test::edited_texts(folder_, Weighting::tfidf));
  auto& first = parts.pieces.front().parts;
  std::string numbers(4000, '\0');
  for (std::uint32_t i = 0; i < 1000; ++i) std::memcpy(numbers.data() + 4 * i, &i, 4);
  first.drop(Kind::frequencies);
  first.put(Kind::references, Element::u32, numbers);
  EXPECT_THAT(refused(parts.image()), HasSubstr("first segment refers to coordinates of others"));
}

TEST_F(TrustedEdits, EveryCoordinateHasAFrequency) {
  EditedParts parts(test::edited_texts(folder_, Weighting::tfidf));
  auto& first = parts.pieces.front().parts;
  first.put(Kind::frequencies, Element::u32, std::string(4, '\0'));
  EXPECT_THAT(refused(parts.image()), HasSubstr("1 frequencies for"));
}

TEST_F(TrustedEdits, AllSegmentsHaveWordsOrNone) {
  EditedParts parts(test::edited_texts(folder_, Weighting::tf));
  parts.pieces[1].parts.drop(Kind::word_offsets);
  parts.pieces[1].parts.drop(Kind::word_bytes);
  EXPECT_THAT(refused(parts.image()), HasSubstr("only some segments have words"));
}

// Rows of the rest could not be joined.
TEST_F(TrustedEdits, AWordThatStandsTwiceIsNotEdited) {
  Index index = test::full_index();
  index.vocabulary = Vocabulary(2, index.vocabulary.coordinates(), index.vocabulary.numbers(),
                                Strings(std::vector<std::string>{"earth", "moves", "earth"}));
  save_index(index, path_);
  EXPECT_THAT(error_of(ErrorCode::damaged_index, [&] { IndexWriter writer(path_); }),
              HasSubstr("word 'earth' has one number"));
  EXPECT_EQ(open_index(path_).rows.size(), 4U);
}

TEST_F(TrustedEdits, SectionsKeepTheirMeaningInANewVersion) {
  test::FileParts parts(test::image_of(test::full_index()));
  parts.head.version = 1;
  parts.put(Kind::references, Element::u32, std::string(4, '\0'));
  parts.find(Kind::references)->section.flags = index::flag_optional;
  EXPECT_THAT(refused(parts.image()), HasSubstr("section of kind 22 with flags 1 is unknown"));
}

TEST_F(TrustedEdits, IdsMayBeTheLargestNumbers) {
  Index index = test::histograms(2);
  set_ids(index, {"18446744073709551615", "4611686018427387904"});
  save_index(index, path_);
  { IndexWriter(path_).add(test::histograms(1)); }
  EXPECT_THAT(open_index(path_).ids.to_vector(),
              ::testing::ElementsAre("18446744073709551615", "4611686018427387904", "2"));
  set_ids(index, {"4611686018427387903", "b"});
  save_index(index, path_);
  EXPECT_THAT(changes_nothing([](IndexWriter& writer) { writer.add(test::histograms(1)); }),
              HasSubstr("no numbers are left for rows without ids"));
}

TEST_F(TrustedEdits, FieldsKeepTheirTypes) {
  Index index = test::histograms(1);
  set_fields(index, {make_field("year", FieldType::number, std::vector<std::string>{"1999"})});
  save_index(index, path_);
  set_fields(index, {make_field("year", FieldType::text, std::vector<std::string>{"soon"})});
  EXPECT_THAT(changes_nothing([&](IndexWriter& writer) { writer.add(index); }),
              HasSubstr("field 'year' is a number in one index and a text in the other"));
}

TEST_F(TrustedEdits, FieldsAreNoMoreThanAFileHolds) {
  const auto fields = [](const char* name, int count) {
    std::vector<Field> made;
    for (int i = 0; i < count; ++i)
      made.push_back({test::numbered(name, i), FieldType::text, {}, {}, {}});
    return made;
  };
  Index index = test::histograms(1);
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { set_fields(index, fields("a", 1025)); }),
              HasSubstr("1025 fields, expected at most 1024"));
  set_fields(index, fields("a", 1024));
  save_index(index, path_);
  EXPECT_EQ(open_index(path_).fields.size(), 1024U);
  set_fields(index, fields("b", 1));
  EXPECT_THAT(changes_nothing([&](IndexWriter& writer) { writer.add(index); }),
              HasSubstr("more than 1024 fields in all"));
}

// Counts that no weight depends on may come with some rows alone.
TEST_F(TrustedEdits, CountsThatNobodyNeedsAreNotMissed) {
  save_index(test::full_index(), path_);
  Index rows = test::full_index();
  rows.counts = {};
  set_ids(rows, {"e", "f", "g", "h"});
  { IndexWriter(path_).add(rows); }
  EXPECT_EQ(open_index(path_).rows.size(), 8U);
  EXPECT_TRUE(open_index(path_).counts.empty());
}

}  // namespace
}  // namespace navvy
