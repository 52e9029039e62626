#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "loaders/bytes.hpp"
#include "loaders/picture.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using loaders::Picture;
using ::testing::AnyOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Bytes = std::vector<std::uint8_t>;

const std::vector<std::string> sound = {
    "grey.png", "rgb.png",        "palette.png", "rgba.png", "grey16.png",      "grey-alpha.png",
    "bits.png", "interlaced.png", "rgb.jpg",     "grey.jpg", "progressive.jpg", "turned.jpg"};

std::filesystem::path file_of(const std::string& name) {
  return std::filesystem::path(NAVVY_TEST_DATA) / "pictures" / name;
}

std::string bytes_of(const std::string& name) {
  std::ifstream file(file_of(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Picture decode(const std::string& bytes) {
  test::MemoryInput input(bytes);
  return loaders::read_picture(*input);
}

std::string error_in(const std::string& bytes) {
  return test::error_of(ErrorCode::bad_input, [&] { decode(bytes); });
}

TEST(Pictures, HaveTheSizesAndColoursOfTheirFiles) {
  for (const std::string& name : sound) {
    const Picture picture = decode(bytes_of(name));
    const bool turned = name == "turned.jpg";
    const bool small = name == "interlaced.png";
    EXPECT_EQ(picture.width, small ? 5U : turned ? 9U : 11U) << name;
    EXPECT_EQ(picture.height, small ? 4U : turned ? 11U : 9U) << name;
    ASSERT_EQ(picture.pixels.size(), std::size_t{4} * picture.width * picture.height);
  }
  // Pixel (x, y) of grey.png is 20 x + 7 y, and rgb.png has that, its opposite, and half of it.
  const Picture grey = decode(bytes_of("grey.png"));
  const Picture rgb = decode(bytes_of("rgb.png"));
  for (std::size_t i = 0; i < 99; ++i) {
    const std::size_t value = i % 11 * 20 + i / 11 * 7;
    ASSERT_EQ(grey.pixels[4 * i + 1], value % 256) << i;
    ASSERT_EQ(rgb.pixels[4 * i + 1], 255 - value % 256) << i;
    ASSERT_EQ(rgb.pixels[4 * i + 3], 255) << i;
  }
  EXPECT_EQ(decode(bytes_of("grey16.png")).pixels, grey.pixels);  // v * 257 + 3 rounds to v
}

TEST(Pictures, SeesEveryCut) {
  for (const std::string& name : sound) {
    const std::string whole = bytes_of(name);
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_THAT(error_in(whole.substr(0, size)),
                  AnyOf(HasSubstr("expected a PNG or JPEG"), HasSubstr("is no whole")))
          << name << ' ' << size;
  }
}

TEST(Pictures, SurvivesEveryByte) {
  for (const std::string& name : sound) {
    const std::string whole = bytes_of(name);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 0x55);
      try {
        const Picture picture = decode(changed);
        EXPECT_EQ(picture.pixels.size(), std::size_t{4} * picture.width * picture.height);
      } catch (const Error& error) {
        EXPECT_TRUE(error.code() == ErrorCode::bad_input || error.code() == ErrorCode::limit);
      }
    }
  }
}

TEST(Pictures, RefusesWhatItCannotShowRight) {
  EXPECT_THAT(error_in(bytes_of("cmyk.jpg")), HasSubstr("other colours (CMYK)"));
  EXPECT_THAT(error_in("GIF89a"), HasSubstr("found 47 49 46 38, expected a PNG or JPEG picture"));
  EXPECT_THAT(error_in(""), HasSubstr("found nothing"));
  // The size is looked at before there is memory for it.
  std::string huge = bytes_of("rgb.png");
  const std::string side = test::big_endian(20000);
  huge.replace(16, 8, side + side);
  const std::uint32_t sum =
      static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(huge.data() + 12), 17));
  huge.replace(29, 4, test::big_endian(sum));
  EXPECT_THAT(error_in(huge), HasSubstr("20000x20000 pixels, expected at most 67108864"));
}

std::string exif(const std::string& order, const std::string& entry) {
  return std::string("Exif\0\0", 6) + order + std::string("\1\0", 2) + entry;
}

int orientation(const std::string& block) {
  return loaders::exif_orientation(
      {reinterpret_cast<const std::uint8_t*>(block.data()), block.size()});
}

TEST(Pictures, FindTheirOrientation) {
  const std::string little =
      exif(std::string("II*\0\x08\0\0\0", 8), std::string("\x12\1\3\0\1\0\0\0\6\0\0\0", 12));
  const std::string big =
      std::string("Exif\0\0MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\x08\0\0", 28);
  EXPECT_EQ(orientation(little), 6);
  EXPECT_EQ(orientation(big), 8);
  for (std::size_t size = 0; size + 3 < big.size(); ++size)
    EXPECT_EQ(orientation(big.substr(0, size)), 1) << size;
  std::string odd = little;
  odd[6 + 8 + 2 + 8] = 9;
  EXPECT_EQ(orientation(odd), 1);
}

// "abc/def" as the pixels of two lines.
TEST(Pictures, AreTurnedUpright) {
  Picture picture{3, 2, {}};
  for (const char letter : std::string("abcdef"))
    picture.pixels.insert(picture.pixels.end(), 4, static_cast<std::uint8_t>(letter));
  const auto turned = [&](int orientation) {
    const Picture made = loaders::upright(picture, orientation);
    std::string text;
    for (std::size_t i = 0; i < 6; ++i) {
      if (i > 0 && i % made.width == 0) text += '/';
      text += static_cast<char>(made.pixels[4 * i]);
    }
    return text;
  };
  const std::vector<std::string> expected = {"abc/def",  "cba/fed",  "fed/cba",  "def/abc",
                                             "ad/be/cf", "da/eb/fc", "fc/eb/da", "cf/be/ad"};
  for (int i = 1; i <= 8; ++i) EXPECT_EQ(turned(i), expected[static_cast<std::size_t>(i - 1)]);
}

TEST(Pictures, WeighInk) {
  const Picture picture{3, 1, {255, 0, 0, 255, 10, 20, 30, 255, 200, 200, 200, 51}};
  EXPECT_THAT(loaders::ink_of(picture, false, false), ElementsAre(76, 18, 40));
  EXPECT_THAT(loaders::ink_of(picture, false, true), ElementsAre(179, 237, 11));
  EXPECT_THAT(loaders::ink_of(picture, true, false),
              ElementsAre(255, 0, 0, 10, 20, 30, 40, 40, 40));
}

TEST(Pictures, AreResizedByArea) {
  const Bytes values = {0, 100, 200, 30, 60, 90};
  EXPECT_EQ(loaders::resized(values, {3, 2, 1}, 3, 2), values);
  EXPECT_THAT(loaders::resized(values, {3, 2, 1}, 1, 1), ElementsAre(80));
  EXPECT_THAT(loaders::resized(values, {3, 2, 1}, 1, 2), ElementsAre(100, 60));
  // Half of the middle column belongs to either side: (0 + 50) / 1.5 and (50 + 200) / 1.5.
  EXPECT_THAT(loaders::resized(values, {3, 2, 1}, 2, 2), ElementsAre(33, 167, 40, 80));
  EXPECT_THAT(loaders::resized(values, {3, 2, 1}, 6, 2),
              ElementsAre(0, 0, 100, 100, 200, 200, 30, 30, 60, 60, 90, 90));
  EXPECT_THAT(loaders::resized(values, {1, 2, 3}, 1, 1), ElementsAre(15, 80, 145));
  EXPECT_THAT(loaders::resized(Bytes(35, 7), {7, 5, 1}, 3, 4), Each(7));
}

// A folder with pictures of two classes and one hidden file.
class PictureFolder : public ::testing::Test {
 protected:
  void put(const std::string& name, const std::string& source) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::filesystem::copy_file(file_of(source), folder_ / name);
  }

  test::TemporaryFolder folder_;
};

TEST_F(PictureFolder, GivesIdsAndLabels) {
  put("b/two.png", "rgb.png");
  put("a/one.png", "grey.png");
  put("top.jpg", "grey.jpg");
  test::write_file(folder_ / ".hidden", "no picture");
  const Pictures found = read_pictures(folder_.path());
  EXPECT_THAT(found.ids, ElementsAre("a/one.png", "b/two.png", "top.jpg"));
  EXPECT_THAT(found.labels, ElementsAre("a", "b", ""));
  EXPECT_EQ(found.images.count, 3U);
  EXPECT_EQ(found.images.width, 11U);
  const Index index = index_pictures(found);
  validate(index);
  EXPECT_EQ(index.kind, DataKind::images);
  EXPECT_EQ(index.label(1), "b");
  EXPECT_EQ(index.label(2), "");
}

TEST_F(PictureFolder, NeedsOneSizeUnlessResized) {
  put("1.png", "grey.png");
  put("2.png", "interlaced.png");
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { read_pictures(folder_.path()); }),
              HasSubstr("2.png: a picture of 5x4 pixels, expected 11x9 like the first"));
  PictureOptions options;
  options.width = 4;
  options.height = 3;
  EXPECT_EQ(read_pictures(folder_.path(), options).images.pixels.size(), 24U);
  options.height = 0;
  test::error_of(ErrorCode::usage, [&] { read_pictures(folder_.path(), options); });
}

TEST_F(PictureFolder, NamesWhatIsNoPicture) {
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { read_pictures(folder_.path()); }),
              HasSubstr("holds no picture"));
  put("1.png", "grey.png");
  test::write_file(folder_ / "2.txt", "hello");
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { read_pictures(folder_.path()); }),
              HasSubstr("2.txt: byte 0: found 68 65 6c 6c, expected a PNG or JPEG picture"));
}

TEST_F(PictureFolder, ColoursLieBehindEachOther) {
  put("1.png", "rgb.png");
  PictureOptions options;
  options.colour = true;
  const Index index = index_pictures(read_pictures(folder_.path(), options), options);
  validate(index);
  ASSERT_EQ(index.vocabulary.dimensions(), 3U);
  // Pixel (0, 0) has no red: its green has number 1.
  EXPECT_EQ(index.vocabulary.number(0), 1U);
  EXPECT_THAT(index.vocabulary.coordinate(0), ElementsAre(0, 0, 8));
  EXPECT_THAT(index.vocabulary.coordinate(1), ElementsAre(0, 0, 16));
  EXPECT_THAT(index.vocabulary.coordinate(2), ElementsAre(0, 1, 0));
  const RowMaking making = making_of(index);
  EXPECT_TRUE(making.pictures.colour);
  EXPECT_EQ(making.pictures.channel_distance, 8U);
}

TEST_F(PictureFolder, IdxImagesAreTreatedAlike) {
  test::write_file(folder_ / "x.idx", test::idx_images(2, 1, 2, std::string("\0\x64\x0a\xff", 4)));
  PictureOptions options;
  EXPECT_THAT(read_pictures(folder_ / "x.idx", options).images.pixels,
              ElementsAre(0, 100, 10, 255));
  options.invert = true;
  options.width = options.height = 1;
  const Pictures made = read_pictures(folder_ / "x.idx", options);
  EXPECT_THAT(made.images.pixels, ElementsAre(205, 123));
  EXPECT_THAT(made.ids, IsEmpty());
  const RowMaking making = making_of(index_pictures(made, options));
  EXPECT_TRUE(making.pictures.invert);
  EXPECT_EQ(making.pictures.width, 1U);
}

}  // namespace
}  // namespace navvy
