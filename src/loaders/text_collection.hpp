// A corpus in memory: counts of tokens, not texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/row_fields.hpp"
#include "loaders/tokenizer.hpp"
#include "navvy/text.hpp"

namespace navvy::loaders {

struct StringHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): asked for by the library
  // Not noexcept: libstdc++ then keeps hashes beside the words, and rarely compares strings.
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

/// From words to numbers; looks up without making strings.
using WordMap = std::unordered_map<std::string, std::uint32_t, StringHash, std::equal_to<>>;

/// A token or a word, and how often it stands in a document.
struct WordCount {
  std::uint32_t word = 0;
  std::uint32_t count = 0;
};

/// Counts equal numbers; ascending. `words` is sorted by it.
std::vector<WordCount> count_words(std::vector<std::uint32_t>& words);

/// Cuts a document to the `most` words that stand most often, ties by smaller number; ascending by
/// number again. True if words were lost.
bool keep_most_frequent(std::vector<WordCount>& words, std::size_t most);

/// What stands for the word of a token that has none.
inline constexpr std::uint32_t stop_token = 0xfffffffe;
inline constexpr std::uint32_t unknown_token = 0xffffffff;

/// Documents as counts of tokens, before it is known which of them have vectors.
class TextCollection {
 public:
  explicit TextCollection(const TextRecipe& recipe) : tokenizer_(recipe) {}

  void add(Document&& document);

  [[nodiscard]] std::size_t size() const noexcept { return ids.size(); }
  [[nodiscard]] std::span<const WordCount> document(std::size_t i) const noexcept {
    return std::span(counts_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  /// The distinct tokens; numbers of documents are places here.
  [[nodiscard]] const std::vector<std::string>& tokens() const noexcept { return tokens_; }

  std::vector<std::string> ids, labels, titles, snippets;  // per document
  RowFields fields;

 private:
  Tokenizer tokenizer_;
  WordMap numbers_;
  std::vector<std::string> tokens_;
  std::vector<std::uint64_t> offsets_{0};
  std::vector<WordCount> counts_;
};

}  // namespace navvy::loaders
