// Files with right checksums that say what later code could not bear: each is refused when opened.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/weighting.hpp"
#include "index/examples.hpp"
#include "index/parts.hpp"
#include "navvy/edit.hpp"
#include "navvy/loaders.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using index::Element;
using index::Kind;
using test::error_of;
using test::FileParts;
using ::testing::HasSubstr;

Index tfidf_index() {
  Index index = test::full_index();
  index.properties = {{"weighting", "tfidf"}};
  core::CountRows rows;
  rows.vocabulary_size = 3;
  rows.offsets = {0, 2, 3, 3, 6};
  rows.coordinates = {0, 1, 2, 0, 1, 2};
  rows.counts = {1, 3, 5, 1, 1, 1};
  index.rows = core::weigh(Weighting::tfidf, rows);
  return index;
}

Index images_index() {
  Images images;
  images.count = 2;
  images.height = 2;
  images.width = 3;
  images.pixels = {0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 0};
  return index_images(images, ZeroBins::drop);
}

// Opens the file as the command does, and through memory with and without checksums.
std::string refused(const FileParts& parts) {
  const std::string image = parts.image();
  const test::TemporaryFolder folder;
  test::write_file(folder / "x.navvy", image);
  const std::string message =
      error_of(ErrorCode::damaged_index, [&] { open_index(folder / "x.navvy"); });
  for (const bool verify_checksums : {true, false}) {
    error_of(ErrorCode::damaged_index,
             [&] { test::read_image(image, OpenOptions{.verify_checksums = verify_checksums}); });
  }
  return message;
}

TEST(TrustedFile, IsAcceptedAsItIs) {
  for (const Index& index : {tfidf_index(), images_index()}) {
    const Index opened = test::read_image(FileParts(test::image_of(index)).image());
    EXPECT_NO_THROW(verify(opened));
    EXPECT_NO_THROW(removed(opened, std::vector<std::string>{opened.id(0)}));
  }
}

TEST(TrustedFile, WeightsByTfidfNeedTheCountOfEveryBin) {
  FileParts parts(test::image_of(tfidf_index()));
  parts.drop(Kind::counts);
  EXPECT_THAT(refused(parts), HasSubstr("0 counts for 6 bins, expected one for each"));
  parts.put(Kind::counts, Element::u32, "");
  EXPECT_THAT(refused(parts), HasSubstr("0 counts for 6 bins"));
  parts.put(Kind::counts, Element::u32, std::string(20, '\1'));
  EXPECT_THAT(refused(parts), HasSubstr("5 counts for 6 bins"));
  parts.put(Kind::counts, Element::u32, std::string(28, '\1'));
  EXPECT_THAT(refused(parts), HasSubstr("7 counts for 6 bins"));
  parts.put(Kind::counts, Element::u32, std::string(8, '\1') + std::string(16, '\0'));
  EXPECT_THAT(refused(parts), HasSubstr("bin 2 has count 0 under tfidf, expected at least 1"));
}

TEST(TrustedFile, MassesAreAboveNothingOneForEachRowWithWeight) {
  FileParts parts(test::image_of(test::index_with_fields()));
  const auto put = [&](std::vector<double> masses) {
    parts.put(Kind::masses, Element::f64,
              std::string(reinterpret_cast<const char*>(masses.data()), 8 * masses.size()));
  };
  put({4, 5, 0});
  EXPECT_THAT(refused(parts), HasSubstr("3 masses for 4 rows"));
  put({4, 5, 0, 0});
  EXPECT_THAT(refused(parts), HasSubstr("row 3: its mass is 0, expected a finite number above 0"));
  put({4, 5, 0, std::nan("")});
  EXPECT_THAT(refused(parts), HasSubstr("row 3: its mass is nan"));
  put({4, 5, 1, 3});
  EXPECT_THAT(refused(parts), HasSubstr("row 2: its mass is 1, expected 0"));
  put({4, 5, 0, 3});
  EXPECT_EQ(test::read_image(parts.image()).rows[0].mass, 4);
  parts.find(Kind::masses)->section.flags = 0;
  EXPECT_THAT(refused(parts), HasSubstr("section of kind 37 with flags 0 is unknown"));
  parts.drop(Kind::masses);
  EXPECT_FALSE(test::read_image(parts.image()).rows.has_masses());
}

TEST(TrustedFile, AFileThatClaimsTfidfNeedsCountsToo) {
  Index index = test::full_index();
  index.counts = {};
  FileParts parts(test::image_of(index));
  parts.put_properties({"weighting=tfidf"});
  EXPECT_THAT(refused(parts), HasSubstr("0 counts for 6 bins"));
}

TEST(TrustedFile, RowsWithoutBinsNeedNoCounts) {
  Index index;
  index.kind = DataKind::text;
  index.properties["weighting"] = "tfidf";
  const Index opened = test::read_image(test::image_of(index));
  EXPECT_EQ(opened.rows.size(), 0U);
}

TEST(TrustedFile, ImagesHaveLinesAndColumns) {
  for (const std::uint64_t dimensions : {1U, 5U, 10U}) {
    Index index = images_index();
    const std::size_t count = index.vocabulary.coordinates().size() / dimensions;
    FileParts parts(test::image_of(index));
    parts.head.dimensions = dimensions;
    const std::size_t bytes = 4 * std::max<std::size_t>(count, 6);
    parts.put(Kind::coordinates, Element::f32, std::string(bytes * dimensions, '\0'));
    std::vector<std::uint32_t> numbers(bytes / 4);
    for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    parts.put(Kind::numbers, Element::u32,
              std::string(reinterpret_cast<const char*>(numbers.data()), bytes));
    EXPECT_THAT(refused(parts), HasSubstr("images over coordinates of " +
                                          std::to_string(dimensions) + " dimensions, expected 2"));
  }
}

TEST(TrustedFile, ImagesHaveASize) {
  FileParts parts(test::image_of(images_index()));
  parts.put_properties({"background=dropped", "height=2"});
  EXPECT_THAT(refused(parts), HasSubstr("images with property width '', expected a positive"));
  for (const std::string width : {"0", "-3", "3x", "4294967296", ""}) {
    parts.put_properties({"height=2", "width=" + width});
    EXPECT_THAT(refused(parts), HasSubstr("images with property width '" + width + "'"));
  }
}

// Squares of coordinates must be floats; see tests/search/range_test.cpp for what is accepted.
TEST(TrustedFile, CoordinatesStayWithinTheRangeOfTheirSquares) {
  const auto with = [](float value) {
    Index index = test::full_index();
    index.vocabulary = Vocabulary(2, Array(std::vector<float>{0, value, value, 0, -value, -value}),
                                  index.vocabulary.numbers(), index.vocabulary.words());
    return index;
  };
  for (const float value : {5e18F, 1e19F, 3e38F}) {
    EXPECT_THAT(refused(FileParts(test::image_of(with(value)))),
                HasSubstr("expected less than 4.61e+18 either way"));
    EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { to_bytes(with(value)); }),
                HasSubstr("coordinate 0, dimension 1 is "));
  }
  for (const float value : {1e-16F, 1e-22F, 1e-45F}) {
    EXPECT_THAT(refused(FileParts(test::image_of(with(value)))),
                HasSubstr("away from the first, expected at least 1.26e-15 (or all the same)"));
    EXPECT_THROW(to_bytes(with(value)), Error);
  }
  for (const float value : {0.0F, 2e-15F, 1.0F, 4.6e18F}) {
    EXPECT_NO_THROW(test::read_image(test::image_of(with(value)))) << value;
  }
}

// Not only files: an index may be put together in memory.
TEST(TrustedFile, EditsInMemoryCheckCountsAsWell) {
  Index index = tfidf_index();
  index.counts = {};
  const std::vector<std::string> ids = {"a"};
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { removed(index, ids); }),
              HasSubstr("0 counts for 6 bins"));
}

}  // namespace
}  // namespace navvy
