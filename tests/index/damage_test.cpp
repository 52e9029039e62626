// Damaged index files: nothing that is damaged by accident is accepted, and nothing at all, not
// even with the right checksums, makes the reader crash or accept what validate() would refuse.
#include <gtest/gtest.h>

#include <random>

#include "index/checksums.hpp"
#include "index/examples.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using test::error_of;
using ::testing::HasSubstr;

TEST(DamagedIndex, EveryFlippedBitIsFound) {
  std::string image = test::image_of(test::full_index());
  for (std::size_t byte = 0; byte < image.size(); ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      image[byte] = static_cast<char>(image[byte] ^ 1 << bit);
      const std::string message =
          error_of(ErrorCode::damaged_index, [&] { test::read_image(image); });
      ASSERT_THAT(message, ::testing::StartsWith("x.navvy: ")) << "bit " << bit << " of " << byte;
      image[byte] = static_cast<char>(image[byte] ^ 1 << bit);
    }
  }
  test::read_image(image);
}

TEST(DamagedIndex, EveryTruncationIsFoundAndWhatStandsBehindIsPassedOver) {
  const std::string image = test::image_of(test::full_index());
  for (std::size_t length = 0; length < image.size(); ++length) {
    error_of(ErrorCode::damaged_index, [&] { test::read_image(image.substr(0, length)); });
  }
  // An edit that did not end leaves such bytes.
  for (const std::size_t more : {1U, 64U, 4096U}) {
    EXPECT_EQ(test::read_image(image + std::string(more, 'x')).rows.size(), 4U);
  }
}

TEST(DamagedIndex, TruncatedFilesOnDiskAreFoundMappedOrNot) {
  Index index = test::full_index();
  index.snippets = Strings(std::vector<std::string>{std::string(3 << 20, 'x'), "", "", ""});
  const std::string image = test::image_of(index);
  const test::TemporaryFolder folder;
  for (const std::size_t length : {std::size_t{0}, std::size_t{63}, std::size_t{64},
                                   std::size_t{4096}, image.size() / 2, image.size() - 1}) {
    test::write_file(folder / "x.navvy", image.substr(0, length));
    const std::string message =
        error_of(ErrorCode::damaged_index, [&] { open_index(folder / "x.navvy"); });
    EXPECT_THAT(message, HasSubstr("x.navvy: ")) << length;
  }
}

std::span<std::byte> bytes_in(std::string& image) {
  return std::as_writable_bytes(std::span(image));
}

void edit(std::string& image, std::mt19937& random) {
  constexpr std::array<std::uint64_t, 9> values = {
      0, 1, 2, 64, 0x7fffffff, 0xffffffff, 0x7f800000, ~std::uint64_t{0}, std::uint64_t{1} << 63};
  const std::size_t width = std::size_t{1} << random() % 4;
  // Half of the edits go to head and table, where the structure is.
  const std::size_t reach =
      random() % 2 == 0 ? image.size() : std::min<std::size_t>(976, image.size());
  const std::size_t place = random() % (reach / width) * width;
  std::uint64_t value = 0;
  std::memcpy(&value, image.data() + place, width);
  switch (random() % 4) {
    case 0:
      value = values[random() % values.size()];
      break;
    case 1:
      value += random() % 2 == 0 ? 1 : ~std::uint64_t{0};
      break;
    case 2:
      value ^= std::uint64_t{1} << random() % (8 * width);
      break;
    default:
      value = std::uint64_t{random()} << 32 | random();
      break;
  }
  std::memcpy(image.data() + place, &value, width);
}

// Reads everything that an index holds, so that sanitizers see what the reader let through.
std::uint64_t touch(const Index& index) {
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < index.rows.size(); ++row) {
    sum += index.id(row).size() + index.label(row).size();
    if (!index.titles.empty()) sum += std::string(index.titles[row]).size();
    if (!index.snippets.empty()) sum += std::string(index.snippets[row]).size();
    for (const std::uint32_t id : index.rows[row].coordinates) {
      sum += index.vocabulary.number(id) + std::string(index.vocabulary.word(id)).size();
      for (const float value : index.vocabulary.coordinate(id)) sum += value > 0 ? 1 : 0;
    }
  }
  return sum;
}

TEST(DamagedIndex, EditsWithRightChecksumsNeverPassTheValidators) {
  const std::string image = test::image_of(test::full_index());
  std::mt19937 random(1);
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;
  std::uint64_t sum = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    std::string edited = image;
    const auto edits = 1 + random() % 3;
    for (std::size_t i = 0; i < edits; ++i) edit(edited, random);
    if (random() % 4 != 0) test::correct_checksums(bytes_in(edited));
    const OpenOptions options{.verify_checksums = random() % 2 == 0};
    try {
      const Index index = test::read_image(edited, options);
      validate(index);
      sum += touch(index);
      ++accepted;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::damaged_index) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(accepted, 1000U) << sum;
  EXPECT_GT(refused, 10000U);
}

// One line per rule of the format: the field that is damaged and what is said about it.
TEST(DamagedIndex, SaysWhereAndWhat) {
  struct Case {
    std::size_t byte;
    char value;
    std::string message;
  };
  const std::vector<Case> cases = {
      {0, 'X', "byte 0: this is not a navvy index"},
      {8, 3, "byte 8: format version 3, this program reads versions 1 and 2"},
      {12, 1, "byte 12: the byte order mark is wrong"},
      {17, 9, "byte 16: length is 2240, expected 2496 bytes"},
      {26, 1, "byte 24: 65555 sections do not fit into the file"},
      {28, 9, "byte 28: kind of data is 9, expected at most 2"},
      {40, 1, "the manifest of 64 bytes at byte 1 does not lie within the file"},
      {48, 1, "byte 48: edits without a manifest"},
      {64, 2, "byte 112: kinds of sections do not ascend"},
      {64, 0, "byte 64: section of kind 0 with flags 0 is unknown to this program"},
      {68, 1, "byte 64: section of kind 1 with flags 1 is unknown to this program"},
      {68, 2, "byte 68: unknown flags"},
      {76, 1, "byte 68: unknown flags"},
      {80, 1, "byte 80: section begins at byte 1025, expected 1024"},
      {94, 1, "byte 88: section of 281474976710680 bytes reaches beyond the end of the file"},
      {96, 5, "byte 96: 5 elements of type 5 do not fill 24 bytes"},
      {72, 2, "section of kind 1 has element type 2, expected 5"},
      {72, 9, "byte 96: 6 elements of type 9 do not fill 24 bytes"},
      {1023, 1, "byte 1023: padding is not zero"},
      {2239, 1, "byte 2239: padding is not zero"},
  };
  for (const Case& c : cases) {
    std::string image = test::image_of(test::full_index());
    image[c.byte] = c.value;
    test::correct_checksums(bytes_in(image));
    EXPECT_EQ(error_of(ErrorCode::damaged_index, [&] { test::read_image(image); }),
              "x.navvy: " + c.message);
  }
  std::string image = test::image_of(test::full_index());
  image[1024] = 1;
  EXPECT_EQ(error_of(ErrorCode::damaged_index, [&] { test::read_image(image); }),
            "x.navvy: byte 1024: section of kind 1 is damaged");
  EXPECT_NO_THROW(test::read_image(image, {.verify_checksums = false}));
}

// Changes the kind of the last two sections (properties) to one that no program knows yet.
std::string with_unknown_sections(std::uint32_t flags) {
  std::string image = test::image_of(test::full_index());
  for (std::uint32_t i = 17; i < 19; ++i) {
    const std::array<std::uint32_t, 2> kind_and_flags = {1000 + i, flags};
    std::memcpy(image.data() + 64 + 48 * i, kind_and_flags.data(), sizeof(kind_and_flags));
  }
  test::correct_checksums(bytes_in(image));
  return image;
}

TEST(IndexFile, UnknownSectionsArePassedOverWhereTheyAllowIt) {
  const Index index = test::read_image(with_unknown_sections(index::flag_optional));
  EXPECT_TRUE(index.properties.empty());
  EXPECT_EQ(index.rows.size(), 4U);
  EXPECT_THAT(
      error_of(ErrorCode::damaged_index, [&] { test::read_image(with_unknown_sections(0)); }),
      HasSubstr("section of kind 1017 with flags 0 is unknown to this program"));
}

}  // namespace
}  // namespace navvy
