// Checks words beyond the corpus against the words that rows use, and leaves these out.
#include "index/join_beyond.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/characters.hpp"
#include "core/coordinate_range.hpp"
#include "core/files.hpp"
#include "core/own_numbers.hpp"
#include "index/damage.hpp"
#include "index/join_vocabulary.hpp"
#include "navvy/error.hpp"

namespace navvy::index {
namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = core::first_character(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// Of words as they stand in a file.
void check_words(const Vocabulary& words) {
  if (words.size() > 0 && !words.has_words()) damaged("vectors beyond the corpus have no words");
  for (std::size_t id = 0; id < words.size(); ++id)
    if (words.word(id).empty() || !is_utf8(words.word(id)))
      damaged("word " + std::to_string(id) + " beyond the corpus is '" +
              core::display_name(words.word(id)) + "', expected a word in UTF-8");
  core::check_range(words);
}

void require_distinct(const Vocabulary& a, const Vocabulary& b) {
  std::unordered_set<std::string_view> seen;
  seen.reserve(a.size() + b.size());
  for (const Vocabulary* words : {&a, &b})
    for (std::size_t id = 0; id < words->size(); ++id)
      if (!seen.insert(words->word(id)).second)
        throw Error(ErrorCode::bad_input, "word '" + core::display_name(words->word(id)) +
                                              "' has two numbers; expected the same vectors in "
                                              "all indexes");
}

Segment words_alone(const Vocabulary& words) {
  Segment segment;
  segment.part.vocabulary = words;
  return segment;
}

// What the sources have and `own` has not; all must agree on what they have in common. Words
// without a vector are known as long as a row has them, so those of rows that left are none.
Vocabulary apart_from(const Vocabulary& own, std::span<const Vocabulary> sources) {
  std::vector<Segment> segments;
  for (const Vocabulary& words : sources)
    if (words.size() > 0) segments.push_back(words_alone(words));
  if (segments.empty()) return {own.dimensions(), {}};
  segments.push_back(words_alone(own));
  require_same_numbers(segments);
  segments.pop_back();
  const std::vector<std::uint32_t> all = own_numbers(segments);
  const std::span with_vectors(all.begin(), std::ranges::lower_bound(all, core::first_own_number));
  std::vector<std::uint32_t> numbers;
  std::ranges::set_difference(with_vectors, own.numbers().span(), std::back_inserter(numbers));
  // Nothing is copied where the only source has exactly these, mapped as they are.
  Vocabulary words = join_vocabulary(segments, numbers);
  require_distinct(own, words);
  return words;
}

}  // namespace

WordsBeyond take_beyond(const SectionReader& reader, const Vocabulary& vocabulary) {
  const auto take = [reader, vocabulary]() mutable {
    reader.require(Kind::beyond_coordinates);
    reader.require(Kind::beyond_numbers);
    const Vocabulary words(vocabulary.dimensions(), reader.take<float>(Kind::beyond_coordinates),
                           reader.take<std::uint32_t>(Kind::beyond_numbers),
                           reader.take(Kind::beyond_word_offsets, Kind::beyond_word_bytes),
                           reader.take<float>(Kind::beyond_lengths));
    check_words(words);
    const bool both = words.size() > 0 && vocabulary.size() > 0;
    if (both && words.lengths().empty() != vocabulary.lengths().empty())
      damaged("only some words have lengths");
    return apart_from(vocabulary, std::span(&words, 1));
  };
  return WordsBeyond(take);
}

WordsBeyond join_beyond(std::span<const Segment> segments, const Vocabulary& vocabulary) {
  std::vector<Vocabulary> own;
  std::vector<WordsBeyond> beyond;
  for (const Segment& segment : segments) {
    own.push_back(segment.part.vocabulary);
    if (segment.part.beyond.kept()) beyond.push_back(segment.part.beyond);
  }
  if (beyond.empty()) return {};
  return WordsBeyond([own = std::move(own), beyond = std::move(beyond), vocabulary] {
    std::vector<Vocabulary> sources;
    for (const WordsBeyond& words : beyond) sources.push_back(words.vocabulary());
    sources.insert(sources.end(), own.begin(), own.end());
    return apart_from(vocabulary, sources);
  });
}

WordsBeyond named_beyond(const WordsBeyond& words, const std::string& name) {
  if (!words.kept()) return {};
  return WordsBeyond([words, name] {
    try {
      return words.vocabulary();
    } catch (const Error& error) {
      throw Error(ErrorCode::damaged_index, name + ": " + error.what());
    }
  });
}

void require_same_beyond(const Vocabulary& coordinates, const WordsBeyond& beyond) {
  if (!beyond.kept() || coordinates.size() == 0) return;
  apart_from(coordinates, std::span(&beyond.vocabulary(), 1));
}

}  // namespace navvy::index
