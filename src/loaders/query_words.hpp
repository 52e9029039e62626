// Which words of a vectors file queries may use.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "loaders/word_table.hpp"
#include "navvy/text.hpp"

namespace navvy::loaders {

/// Whether a text can have a word as one token, or a token for which it is looked up.
std::function<bool(std::string_view word)> is_token(const TextRecipe& recipe);

/// Throws Error(bad_input), naming the source, unless it has all words of the vocabulary of an
/// index, at the same places and with the same vectors. `found`: those of the table, as the index
/// has them.
void require_same_words(const Index& index, const WordTable& table, const Vocabulary& found,
                        const std::string& source);

/// Throws Error(usage) unless vectors at hand have words.
void require_words(const Vocabulary& vectors);

}  // namespace navvy::loaders
