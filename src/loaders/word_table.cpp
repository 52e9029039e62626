// Collects the vectors of words that are wanted.
#include "loaders/word_table.hpp"

#include <utility>

namespace navvy::loaders {

void WordTable::want(std::string_view word) {
  if (!places_.contains(word)) places_.emplace(word, none);
}

bool WordTable::wants(std::uint32_t number, std::string_view word) {
  if (number < first_words_wanted_) first_words_.emplace_back(word);
  if (keep_ == Keep::all) want(word);
  const auto place = places_.find(word);
  if (place == places_.end()) return false;
  if (place->second != none) ++duplicates_;
  return place->second == none;
}

void WordTable::take(std::uint32_t number, std::string_view word, std::span<const float> vector) {
  places_.find(word)->second = static_cast<std::uint32_t>(numbers_.size());
  numbers_.push_back(number);
  words_.emplace_back(word);
  vectors_.insert(vectors_.end(), vector.begin(), vector.end());
}

void WordTable::take_from(const Vocabulary& vocabulary) {
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    if (wants(vocabulary.number(id), vocabulary.word(id)))
      take(vocabulary.number(id), vocabulary.word(id), vocabulary.coordinate(id));
}

std::uint32_t WordTable::place(std::string_view word) const {
  const auto place = places_.find(word);
  return place == places_.end() ? none : place->second;
}

Vocabulary WordTable::vocabulary(std::size_t dimensions) {
  const Strings words = words_.empty() ? Strings() : Strings(std::exchange(words_, {}));
  return {dimensions, Array(std::exchange(vectors_, {})), Array(std::exchange(numbers_, {})),
          words};
}

}  // namespace navvy::loaders
