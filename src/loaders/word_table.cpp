// Collects the vectors of words that are wanted.
#include "loaders/word_table.hpp"

#include <algorithm>
#include <utility>

#include "loaders/tokenizer.hpp"

namespace navvy::loaders {

void WordTable::want(std::string_view word) {
  if (!places_.contains(word)) places_.emplace(word, none);
}

void WordTable::want_first(std::uint32_t count, std::function<bool(std::string_view)> suits) {
  first_taken_ = count;
  suits_ = std::move(suits);
}

void WordTable::make_of_parts(std::span<const std::string> tokens, bool keep_case,
                              const Vocabulary* known) {
  tokens_ = tokens;
  keep_case_ = keep_case;
  known_ = known;
}

bool WordTable::wants(std::uint32_t number, std::string_view word) {
  if (number < first_words_wanted_) first_words_.emplace_back(word);
  if (keep_ == Keep::all || (number < first_taken_ && suits_(word))) want(word);
  const auto place = places_.find(word);
  if (place == places_.end()) return false;
  if (place->second != none) {
    ++duplicates_;
    return false;
  }
  place->second = found;
  return true;
}

void WordTable::take(std::uint32_t number, std::string_view word, std::span<const float> vector) {
  places_.find(word)->second = static_cast<std::uint32_t>(numbers_.size());
  numbers_.push_back(number);
  words_.emplace_back(word);
  vectors_.insert(vectors_.end(), vector.begin(), vector.end());
}

// Words of an index that rows are added to come first: they keep the numbers that they have. Among
// the others the order of the alphabet decides, which does not depend on the order of texts.
std::vector<std::string> WordTable::missing() {
  std::vector<std::string> new_words;
  for (const std::string& token : tokens_) {
    const bool has_form = any_form(token, keep_case_, [this](std::string_view form) {
      const auto place = places_.find(form);
      return place != places_.end() && place->second != none;
    });
    if (!has_form) new_words.push_back(token);
  }
  std::sort(new_words.begin(), new_words.end());
  std::vector<std::string> words;
  const auto add = [&](std::string_view word) {
    const auto place = places_.find(word);
    if (place == places_.end() || place->second != none) return;
    place->second = found;
    words.emplace_back(word);
  };
  for (std::size_t id = 0; known_ != nullptr && id < known_->size(); ++id) add(known_->word(id));
  for (const std::string& word : new_words) add(word);
  return words;
}

std::uint32_t WordTable::place(std::string_view word) const {
  const auto place = places_.find(word);
  return place == places_.end() || place->second == found ? none : place->second;
}

void WordTable::set_place(std::string_view word, std::uint32_t place) {
  want(word);
  places_.find(word)->second = place;
}

Vocabulary WordTable::vocabulary(std::size_t dimensions) {
  const Strings words = words_.empty() ? Strings() : Strings(std::exchange(words_, {}));
  return {dimensions, Array(std::exchange(vectors_, {})), Array(std::exchange(numbers_, {})),
          words};
}

namespace {

// Words as they come, one after the other.
struct Words {
  std::vector<float> coordinates;
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> words;
  std::vector<float> lengths;

  void take(const Vocabulary& from, std::size_t id) {
    numbers.push_back(from.number(id));
    words.emplace_back(from.word(id));
    if (!from.lengths().empty()) lengths.push_back(from.lengths()[id]);
    const auto coordinate = from.coordinate(id);
    coordinates.insert(coordinates.end(), coordinate.begin(), coordinate.end());
  }

  [[nodiscard]] Vocabulary vocabulary(std::size_t dimensions) {
    return {dimensions, Array(std::move(coordinates)), Array(std::move(numbers)),
            words.empty() ? Strings() : Strings(words), Array(std::move(lengths))};
  }
};

}  // namespace

Vocabulary chosen_words(const Vocabulary& all, std::span<const std::uint32_t> ids) {
  Words words;
  words.coordinates.reserve(ids.size() * all.dimensions());
  for (const std::uint32_t id : ids) words.take(all, id);
  return words.vocabulary(all.dimensions());
}

Vocabulary joined_words(const Vocabulary& a, const Vocabulary& b) {
  Words words;
  std::size_t other = 0;
  for (std::size_t id = 0; id < a.size(); ++id) {
    for (; other < b.size() && b.number(other) <= a.number(id); ++other)
      if (b.number(other) < a.number(id)) words.take(b, other);
    words.take(a, id);
  }
  for (; other < b.size(); ++other) words.take(b, other);
  return words.vocabulary(a.size() > 0 ? a.dimensions() : b.dimensions());
}

}  // namespace navvy::loaders
