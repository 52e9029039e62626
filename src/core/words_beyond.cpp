// Reads words when they are first asked for.
#include "navvy/words_beyond.hpp"

#include <utility>

#include "core/lazy.hpp"

namespace navvy {

struct WordsBeyond::Parts {
  explicit Parts(std::function<Vocabulary()> reader) : read(std::move(reader)) {}

  std::function<Vocabulary()> read;
  core::Lazy<Vocabulary> words;
};

WordsBeyond::WordsBeyond(Vocabulary words)
    : WordsBeyond([words = std::move(words)] { return words; }) {}

WordsBeyond::WordsBeyond(std::function<Vocabulary()> read)
    : parts_(std::make_shared<const Parts>(std::move(read))) {}

const Vocabulary& WordsBeyond::vocabulary() const {
  static const Vocabulary none;
  return parts_ ? parts_->words.get(parts_->read) : none;
}

}  // namespace navvy
