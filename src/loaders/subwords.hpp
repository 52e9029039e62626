// The n-grams of words that fastText has vectors for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace navvy::loaders {

/// Which n-grams of a word count, and how many rows they share.
struct Ngrams {
  std::int32_t shortest = 0;
  std::int32_t longest = 0;
  std::uint32_t buckets = 0;
};

/// Calls use(bucket) for each n-gram of "<word>", as often as it stands there. Characters are those
/// of UTF-8; bytes count as signed when they are hashed (FNV-1a), which is how fastText came to do
/// it. Its mark for the end of a line has no n-grams.
template <class Use>
void each_ngram(std::string_view word, const Ngrams& ngrams, Use&& use) {
  if (ngrams.buckets == 0 || word == "</s>") return;
  const std::string marked = '<' + std::string(word) + '>';
  const auto continues = [&](std::size_t at) {
    return at < marked.size() && (static_cast<unsigned char>(marked[at]) & 0xc0U) == 0x80U;
  };
  for (std::size_t first = 0; first < marked.size(); ++first) {
    if (continues(first)) continue;
    std::uint32_t hash = 2166136261U;
    std::size_t end = first;
    for (std::int32_t length = 1; length <= ngrams.longest && end < marked.size(); ++length) {
      do {
        hash ^= static_cast<std::uint32_t>(static_cast<signed char>(marked[end++]));
        hash *= 16777619U;
      } while (continues(end));
      const bool only_mark = length == 1 && (first == 0 || end == marked.size());
      if (length >= ngrams.shortest && !only_mark) use(hash % ngrams.buckets);
    }
  }
}

/// The number of a word that a file of `words` words, fewer than 2^31, does not have but makes of
/// its n-grams: the same in every index, since it depends on the word alone. Two words may have the
/// same. Points of their own (own_points.hpp) have larger numbers.
std::uint32_t number_of_made(std::string_view word, std::uint32_t words) noexcept;

}  // namespace navvy::loaders
