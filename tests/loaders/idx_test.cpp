#include <gtest/gtest.h>

#include "loaders/bytes.hpp"
#include "navvy/loaders.hpp"
#include "support/expect_error.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using test::error_of;
using test::idx_images;

class Idx : public ::testing::Test {
 protected:
  Images read(const std::string& bytes) {
    test::write_file(folder_ / "t.idx", bytes);
    return read_idx_images(folder_ / "t.idx");
  }
  std::vector<std::string> labels(const std::string& bytes) {
    test::write_file(folder_ / "t.idx", bytes);
    return read_labels(folder_ / "t.idx");
  }
  std::string error(const std::string& bytes) {
    const std::string text = error_of(ErrorCode::bad_input, [&] { read(bytes); });
    return text.substr(text.rfind('/') + 1);
  }

  test::TemporaryFolder folder_;
};

TEST_F(Idx, ReadsImagesPlainAndPacked) {
  const std::string whole = idx_images(2, 1, 3, std::string("\x01\x02\x03\xff\x00\x05", 6));
  for (const std::string& file : {whole, test::gzip(whole)}) {
    const Images images = read(file);
    EXPECT_EQ(images.count, 2U);
    EXPECT_EQ(images.height, 1U);
    EXPECT_EQ(images.width, 3U);
    EXPECT_EQ(images.pixels, (std::vector<std::uint8_t>{1, 2, 3, 255, 0, 5}));
  }
}

TEST_F(Idx, ReadsLabels) {
  const std::string bytes = test::big_endian(0x801) + test::big_endian(3) + "\x07\x02\xff";
  EXPECT_EQ(labels(bytes), (std::vector<std::string>{"7", "2", "255"}));
  EXPECT_EQ(labels(test::gzip(bytes)), (std::vector<std::string>{"7", "2", "255"}));
}

TEST_F(Idx, EveryTruncationAndExtensionIsFound) {
  const std::string whole = idx_images(2, 2, 2, "abcdefgh");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(error(whole.substr(0, length)), ::testing::StartsWith("t.idx: byte "));
    EXPECT_THAT(error(test::gzip(whole.substr(0, length))), ::testing::StartsWith("t.idx: byte "));
  }
  EXPECT_EQ(error(whole + "i"), "t.idx: byte 4: 2 images of 2x2 need 24 bytes, found 25");
  EXPECT_EQ(error(test::gzip(whole + "i")),
            "t.idx: byte 4: 2 images of 2x2 need 24 bytes, found more than 24");
}

TEST_F(Idx, SaysWhereAndWhat) {
  EXPECT_EQ(error(""),
            "t.idx: byte 0: found nothing, expected 00 00 08 03 (IDX, unsigned bytes, 3 "
            "dimensions)");
  EXPECT_EQ(error("\x89PNG and more"),
            "t.idx: byte 0: found 89 50 4e 47, expected 00 00 08 03 "
            "(IDX, unsigned bytes, 3 dimensions)");
  EXPECT_EQ(error(test::big_endian(0x803) + "abc"),
            "t.idx: byte 7: the head ends early, expected 16 bytes");
  EXPECT_EQ(error(idx_images(60000, 28, 28, std::string(984, 'x'))),
            "t.idx: byte 4: 60000 images of 28x28 need 47040016 bytes, found 1000");
  EXPECT_EQ(error(idx_images(0, 28, 28, "")),
            "t.idx: byte 4: 0 images of 28x28, expected at least one pixel");
  EXPECT_EQ(error(idx_images(0xffffffff, 0xffffffff, 0xffffffff, "x")),
            "t.idx: byte 4: 4294967295 images of 4294967295x4294967295 need 18446744073709551615 "
            "bytes, found 17");
}

TEST(IdxData, ReadsMnist) {
  const auto path = test::shared_data("mnist/t10k-images-idx3-ubyte.gz");
  NAVVY_NEEDS_DATA(path);
  const Images images = read_idx_images(path);
  EXPECT_EQ(images.count, 10000U);
  EXPECT_EQ(images.pixels.size(), 7840000U);
  const auto labels = read_labels(test::shared_data("mnist/t10k-labels-idx1-ubyte.gz"));
  ASSERT_EQ(labels.size(), 10000U);
  EXPECT_EQ(labels[0], "7");
}

}  // namespace
}  // namespace navvy
