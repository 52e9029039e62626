// Index files made by a generator that damages every field and corrects the checksums: what is
// refused is refused with a line, and on what is accepted every verb of the library works.
#include <gtest/gtest.h>

#include <iostream>

#include "core/weighting.hpp"
#include "index/damages.hpp"
#include "index/examples.hpp"
#include "index/verbs.hpp"
#include "navvy/loaders.hpp"
#include "support/effort.hpp"

namespace navvy {
namespace {

using test::below;
using test::FileParts;
using test::Random;

// Texts under every kind of weighting with a whole recipe, images, and plain histograms.
std::vector<std::string> sound_files() {
  Index text = test::full_index();
  text.properties = {{"weighting", "tfidf"}, {"tokens", "letters"},  {"case", "lower"},
                     {"stop_words", "the"},  {"max_bins", "500"},    {"normalized_vectors", "no"},
                     {"encoding", "utf8"},   {"build_report", "[]"}, {"vectors_words", "3"}};
  core::CountRows counts;
  counts.vocabulary_size = 3;
  counts.offsets = {0, 2, 3, 3, 6};
  counts.coordinates = {0, 1, 2, 0, 1, 2};
  counts.counts = {1, 3, 5, 1, 1, 1};
  text.rows = core::weigh(Weighting::tfidf, counts);
  Index smooth = text;
  smooth.properties["weighting"] = "sif";
  smooth.rows = core::weigh(Weighting::sif, counts);
  core::complete_frequencies(smooth);
  Index rotated = text;
  rotated.properties["weighting"] = "norm";
  rotated.properties["condition"] = "1";
  rotated.conditioning = Conditioning(2, Array(std::vector<double>{0.5, 0, 0.6, 0.8}));
  rotated.vocabulary = with_lengths(text.vocabulary);
  rotated.rows = core::weigh(Weighting::norm, counts, rotated.vocabulary.lengths().span());
  rotated.counts = {};
  Images pictures;
  pictures.count = 4;
  pictures.height = 2;
  pictures.width = 3;
  pictures.pixels = {0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 9, 9, 0, 0, 1, 1};
  Index plain = test::full_index();
  plain.kind = DataKind::histograms;
  plain.properties = {};
  Index more = text;
  const std::vector<std::string> words = {"digs", "long"};
  more.beyond = WordsBeyond(Vocabulary(2, Array(std::vector<float>{3, 1, -1, 2}),
                                       Array(std::vector<std::uint32_t>{5, 9}), Strings(words)));
  return {test::image_of(text),
          test::image_of(more),
          test::image_of(smooth),
          test::image_of(rotated),
          test::image_of(index_images(pictures, ZeroBins::drop)),
          test::image_of(index_images(pictures, ZeroBins::keep)),
          test::image_of(plain)};
}

std::string damaged(const std::string& sound, Random& random) {
  FileParts parts(sound);
  const std::size_t changes = 1 + below(random, 3);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t choice = below(random, 6);
    if (choice == 0)
      test::change_head(parts, random);
    else if (choice <= 2)
      test::change_properties(parts, random);
    else
      test::change_section(parts, random);
  }
  std::string image = parts.image();
  if (below(random, 8) == 0) test::change_structure(image, random);
  return image;
}

TEST(HostileIndex, WhatIsAcceptedServesEveryVerb) {
  const std::vector<std::string> sound = sound_files();
  Random random(17);
  for (const std::string& image : sound) test::use(test::read_image(image), random);
  const std::size_t trials = test::thorough() ? 1000000 : test::sanitized ? 4000 : 10000;
  std::size_t accepted = 0;
  std::size_t used = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const std::string image = damaged(sound[trial % sound.size()], random);
    Index index;
    try {
      index = test::read_image(image);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::damaged_index) << error.what();
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      continue;
    }
    // Verbs take far longer than opening: of a million files a fifth of those accepted is enough.
    if (accepted++ % (test::thorough() ? 5 : 1) != 0) continue;
    ++used;
    test::use(index, random);
    if (HasFailure()) return;
  }
  RecordProperty("opened", static_cast<int>(trials));
  RecordProperty("accepted", static_cast<int>(accepted));
  std::cout << trials << " damaged files opened, " << accepted << " accepted, verbs run on " << used
            << "\n";
  EXPECT_GT(accepted, trials / 50);
}

}  // namespace
}  // namespace navvy
