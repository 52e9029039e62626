// Words beyond the corpus in files: not read before they are asked for, and checked then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "index/examples.hpp"
#include "index/living.hpp"
#include "index/parts.hpp"
#include "navvy/edit.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using index::Element;
using index::Kind;
using test::error_of;
using test::FileParts;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Vocabulary two_words(std::vector<float> values = {0.25F, 1, -1, 2},
                     std::vector<std::uint32_t> numbers = {5, 9},
                     const std::vector<std::string>& words = {"digs", "deep"}) {
  return {2, Array(std::move(values)), Array(std::move(numbers)), Strings(words)};
}

Index with_beyond(Vocabulary words = two_words()) {
  Index index = test::full_index();
  index.beyond = WordsBeyond(std::move(words));
  return index;
}

// What asking for the words says; opening and everything else says nothing.
std::string damage(const std::string& image) {
  const Index index = test::read_image(image);
  EXPECT_EQ(index.rows.size(), 4U);
  error_of(ErrorCode::damaged_index, [&] { verify(index); });
  return error_of(ErrorCode::damaged_index, [&] { (void)index.beyond.vocabulary(); });
}

std::string damage(const std::function<void(FileParts& parts)>& change) {
  FileParts parts(test::image_of(with_beyond()));
  change(parts);
  return damage(parts.image());
}

TEST(WordsBeyondTheCorpus, AreWrittenAndRead) {
  const Index index = test::read_image(test::image_of(with_beyond()));
  ASSERT_TRUE(index.beyond.kept());
  const Vocabulary& words = index.beyond.vocabulary();
  EXPECT_THAT(words.words().to_vector(), ElementsAre("digs", "deep"));
  EXPECT_THAT(test::listed(words.numbers()), ElementsAre(5U, 9U));
  EXPECT_THAT(test::listed(words.coordinates()), ElementsAre(0.25F, 1, -1, 2));
  EXPECT_EQ(test::image_of(index), test::image_of(with_beyond()));
  EXPECT_FALSE(test::read_image(test::image_of(test::full_index())).beyond.kept());
  const Index none = test::read_image(test::image_of(with_beyond(Vocabulary(2, {}))));
  EXPECT_TRUE(none.beyond.kept());
  EXPECT_EQ(none.beyond.vocabulary().size(), 0U);
}

TEST(WordsBeyondTheCorpus, AreNotReadBeforeTheyAreAskedFor) {
  std::string image = test::image_of(with_beyond());
  const std::size_t place = image.find("digsdeep");
  ASSERT_NE(place, std::string::npos);
  image[place] = 'p';
  const std::string message = damage(image);
  EXPECT_EQ(message, "x.navvy: byte " + std::to_string(place) + ": section of kind 35 is damaged");
  // Who asks again is told again.
  const Index index = test::read_image(image);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(error_of(ErrorCode::damaged_index, [&] { (void)index.beyond.vocabulary(); }),
              message);
}

TEST(WordsBeyondTheCorpus, AreNotTrusted) {
  const auto change = [](const Vocabulary& words) {
    return damage(test::image_of(with_beyond(words)));
  };
  EXPECT_THAT(change(two_words({1, 0, -1, 2}, {3, 9})), HasSubstr("number 3 is 'digs'"));
  EXPECT_THAT(change(two_words({9, 9, -1, 2}, {3, 9}, {"earth", "deep"})),
              HasSubstr("number 3 ('earth') has other values"));
  EXPECT_THAT(change(two_words({1, 2, -1, 2}, {5, 9}, {"navvy", "deep"})),
              HasSubstr("word 'navvy' has two numbers"));
  EXPECT_THAT(change(two_words({1, 2, -1, 2}, {5, 9}, {"deep", "deep"})),
              HasSubstr("word 'deep' has two numbers"));
  EXPECT_THAT(change(two_words({1, 2, -1, 2}, {5, 9}, {"d\xff", "deep"})),
              HasSubstr("word 0 beyond the corpus"));
  EXPECT_THAT(change(two_words({1, 2, 1e19F, 2})), HasSubstr("coordinate 1"));
  // What rows use may stand there as well, the same.
  const Index both = test::read_image(
      test::image_of(with_beyond(two_words({1, 0, -1, 2}, {3, 9}, {"earth", "deep"}))));
  EXPECT_THAT(both.beyond.vocabulary().words().to_vector(), ElementsAre("deep"));
}

TEST(WordsBeyondTheCorpus, SectionsBelongTogether) {
  for (const Kind kind : {Kind::beyond_coordinates, Kind::beyond_numbers, Kind::beyond_word_offsets,
                          Kind::beyond_word_bytes})
    damage([&](FileParts& parts) { parts.drop(kind); });
  EXPECT_THAT(damage([](FileParts& parts) {
                parts.drop(Kind::beyond_word_offsets);
                parts.drop(Kind::beyond_word_bytes);
              }),
              HasSubstr("vectors beyond the corpus have no words"));
  EXPECT_THAT(damage([](FileParts& parts) {
                std::swap_ranges(parts.find(Kind::beyond_numbers)->bytes.begin(),
                                 parts.find(Kind::beyond_numbers)->bytes.begin() + 4,
                                 parts.find(Kind::beyond_numbers)->bytes.begin() + 4);
              }),
              HasSubstr("does not exceed the one before"));
  EXPECT_THAT(
      damage([](FileParts& parts) { parts.find(Kind::beyond_coordinates)->bytes.append(4, '\0'); }),
      HasSubstr("do not fill rows of 2 dimensions"));
  EXPECT_THAT(damage([](FileParts& parts) {
                const float nan = std::numeric_limits<float>::quiet_NaN();
                std::memcpy(parts.find(Kind::beyond_coordinates)->bytes.data(), &nan, 4);
              }),
              HasSubstr("is not a finite number"));
}

TEST(WordsBeyondTheCorpus, OlderProgramsPassThemOver) {
  FileParts parts(test::image_of(with_beyond()));
  for (const Kind kind : {Kind::beyond_coordinates, Kind::beyond_numbers, Kind::beyond_word_offsets,
                          Kind::beyond_word_bytes})
    EXPECT_EQ(parts.find(kind)->section.flags, index::flag_optional);
  parts.find(Kind::beyond_numbers)->section.flags = 0;
  EXPECT_THAT(error_of(ErrorCode::damaged_index, [&] { test::read_image(parts.image()); }),
              HasSubstr("section of kind 33 with flags 0"));
}

TEST(WordsBeyondTheCorpus, IndexesAgreeOnThem) {
  const auto other = [](const Vocabulary& words) {
    Index index = with_beyond(words);
    index.ids = Strings(std::vector<std::string>{"p", "q", "r", "s"});
    return index;
  };
  const Index joined =
      merged(with_beyond(), other(two_words({0.25F, 1, 3, 2}, {5, 8}, {"digs", "long"})));
  EXPECT_THAT(joined.beyond.vocabulary().words().to_vector(), ElementsAre("digs", "long", "deep"));
  const auto clash = [&](const Vocabulary& words) {
    const Index index = merged(with_beyond(), other(words));
    return error_of(ErrorCode::bad_input, [&] { to_bytes(index); });
  };
  EXPECT_THAT(clash(two_words({0.25F, 2, -1, 2})), HasSubstr("number 5 ('digs') has other values"));
  EXPECT_THAT(clash(two_words({0.25F, 1, -1, 2}, {5, 9}, {"dug", "deep"})),
              HasSubstr("number 5 is 'digs' in one index and 'dug' in the other"));
  EXPECT_THAT(clash(two_words({0.25F, 1, -1, 2}, {5, 10})),
              HasSubstr("word 'deep' has one number in one index and another"));
}

}  // namespace
}  // namespace navvy
