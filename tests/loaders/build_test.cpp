// From loaded data to indexes.
#include <gtest/gtest.h>

#include <limits>

#include "navvy/loaders.hpp"
#include "support/expect_error.hpp"
#include "support/shared_data.hpp"

namespace navvy {
namespace {

using test::error_of;
using ::testing::HasSubstr;

template <class T>
std::vector<T> list(const Array<T>& values) {
  return {values.begin(), values.end()};
}

// Two images of 2x3; pixel 1 and 4 are black in both.
Images two_images() { return {2, 2, 3, {1, 0, 0, 0, 0, 3, 0, 0, 5, 5, 0, 0}}; }

TEST(IndexImages, UsedPixelsKeepTheirNumbers) {
  const Index index = index_images(two_images());
  validate(index);
  EXPECT_EQ(index.kind, DataKind::images);
  EXPECT_EQ(list(index.vocabulary.numbers()), (std::vector<std::uint32_t>{0, 2, 3, 5}));
  EXPECT_EQ(list(index.vocabulary.coordinates()), (std::vector<float>{0, 0, 0, 2, 1, 0, 1, 2}));
  EXPECT_EQ(list(index.rows.offsets()), (std::vector<std::uint64_t>{0, 2, 4}));
  EXPECT_EQ(list(index.rows.coordinates()), (std::vector<std::uint32_t>{0, 3, 1, 2}));
  EXPECT_EQ(list(index.rows.weights()), (std::vector<float>{0.25F, 0.75F, 0.5F, 0.5F}));
  EXPECT_EQ(index.properties, (std::map<std::string, std::string>{
                                  {"background", "dropped"}, {"height", "2"}, {"width", "3"}}));
}

TEST(IndexPixels, IsTheIndexOfTheSameImages) {
  const Images images = two_images();
  HistogramsBuilder builder(6);
  for (const std::size_t first : {0U, 6U}) {
    std::vector<std::uint32_t> pixels;
    std::vector<double> weights;
    for (std::uint32_t i = 0; i < 6; ++i) {
      pixels.push_back(i);
      weights.push_back(images.pixels[first + i]);
    }
    builder.add(pixels, weights);
  }
  const Histograms rows = builder.build();
  EXPECT_EQ(to_bytes(index_pixels(rows, 2, 3)), to_bytes(index_images(images)));
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { index_pixels(rows, 3, 3); }),
              HasSubstr("images of 3x3 do not fit rows over 6 pixels"));
}

TEST(MakingOf, IsWhatTheIndexWasMadeWith) {
  Index index = index_images(two_images(), ZeroBins::keep);
  EXPECT_EQ(making_of(index).zero_bins, ZeroBins::keep);
  EXPECT_FALSE(making_of(index).normalized);
  normalize_coordinates(index);
  EXPECT_TRUE(making_of(index).normalized);
  EXPECT_EQ(ground_distance(index.vocabulary, 1, 2), 0);  // (0, 1) and (0, 2) before
  EXPECT_EQ(making_of(index_images(two_images())).zero_bins, ZeroBins::drop);
}

TEST(IndexImages, KeptBackgroundIsBinsWithoutWeight) {
  const Index index = index_images(two_images(), ZeroBins::keep);
  validate(index);
  EXPECT_EQ(index.vocabulary.size(), 6U);
  EXPECT_EQ(index.rows.bins(), 12U);
  EXPECT_EQ(index.rows[0].weights[1], 0);
  EXPECT_EQ(index.rows[0].weights[5], 0.75F);
  EXPECT_EQ(index.properties.at("background"), "kept");
}

TEST(IndexImages, BlackImagesAreEmptyRows) {
  const Index index = index_images({2, 1, 2, {0, 0, 0, 9}});
  validate(index);
  EXPECT_EQ(index.vocabulary.size(), 1U);
  EXPECT_TRUE(is_empty(index.rows[0]));
  validate(index_images({1, 1, 2, {0, 0}}));
}

TEST(IndexImages, RefusesSizesThatDoNotFit) {
  const auto message = [](const Images& images) {
    return error_of(ErrorCode::bad_input, [&] { index_images(images); });
  };
  EXPECT_EQ(message({2, 2, 3, {1, 2}}), "2 images of 2x3 do not fit 2 pixels");
  EXPECT_THAT(message({0, 2, 3, {}}), HasSubstr("0 images of 2x3"));
  EXPECT_THAT(message({1, 0, 3, {}}), HasSubstr("1 images of 0x3"));
  EXPECT_THAT(message({1, 1, 3, {1, 2, 3, 4}}), HasSubstr("do not fit 4 pixels"));
}

Histograms rows_over_four() {
  HistogramsBuilder builder(4);
  builder.add(std::vector<std::uint32_t>{1, 3}, std::vector<double>{1, 1});
  builder.add(std::vector<std::uint32_t>{3}, std::vector<double>{1});
  return builder.build();
}

TEST(IndexHistograms, UnusedCoordinatesAreLeftOut) {
  const std::vector<std::string> words = {"a", "b", "c", "d"};
  const Vocabulary coordinates(1, Array(std::vector<float>{10, 11, 12, 13}),
                               Array(std::vector<std::uint32_t>{5, 6, 7, 8}), Strings(words));
  const Index index = index_histograms(rows_over_four(), coordinates);
  validate(index);
  EXPECT_EQ(list(index.vocabulary.coordinates()), (std::vector<float>{11, 13}));
  EXPECT_EQ(list(index.vocabulary.numbers()), (std::vector<std::uint32_t>{6, 8}));
  EXPECT_EQ(index.vocabulary.words().to_vector(), (std::vector<std::string>{"b", "d"}));
  EXPECT_EQ(list(index.rows.coordinates()), (std::vector<std::uint32_t>{0, 1, 1}));
}

TEST(IndexHistograms, NothingIsCopiedWhereAllAreUsed) {
  const Histograms rows =
      index_histograms(rows_over_four(), Vocabulary(1, Array(std::vector<float>(4)))).rows;
  const Vocabulary coordinates(1, Array(std::vector<float>{1, 2}));
  const Index index = index_histograms(rows, coordinates);
  EXPECT_EQ(index.rows.coordinates().data(), rows.coordinates().data());
  EXPECT_EQ(index.vocabulary.coordinates().data(), coordinates.coordinates().data());
}

TEST(IndexHistograms, RefusesSizesThatDoNotFit) {
  const Vocabulary three(1, Array(std::vector<float>{1, 2, 3}));
  EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { index_histograms(rows_over_four(), three); }),
            "histograms over 4 coordinates do not fit 3 coordinates");
}

TEST(SetLabels, NumbersThemInTheOrderTheyAppear) {
  Index index = index_images({4, 1, 1, {1, 2, 3, 4}});
  set_labels(index, {"x", "", "y", "x"});
  EXPECT_EQ(list(index.labels), (std::vector<std::int32_t>{0, -1, 1, 0}));
  EXPECT_EQ(index.label_names.to_vector(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { set_labels(index, {"x"}); }),
            "1 labels, expected 4, one per row");
  EXPECT_EQ(index.label(3), "x") << "a refused call changes nothing";
}

TEST(SetIds, MustBeOneOfItsOwnForEveryRow) {
  Index index = index_images({2, 1, 1, {1, 2}});
  set_ids(index, {"a", "b"});
  EXPECT_EQ(index.id(1), "b");
  EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { set_ids(index, {"a"}); }),
            "1 ids, expected 2, one per row");
  EXPECT_EQ(error_of(ErrorCode::bad_input,
                     [&] {
                       set_ids(index, {"c", "c"});
                     }),
            "id 'c' stands there twice, expected it once");
  EXPECT_EQ(index.id(1), "b") << "a refused call changes nothing";
}

TEST(IndexImages, MnistUsesThePixelsThatThePaperCounts) {
  const auto path = test::shared_data("mnist/train-images-idx3-ubyte.gz");
  NAVVY_NEEDS_DATA(path);
  const Index index = index_images(read_idx_images(path));
  EXPECT_EQ(index.rows.size(), 60000U);
  EXPECT_EQ(index.vocabulary.size(), 717U);
}

}  // namespace
}  // namespace navvy
