// Counts the tokens of documents as they come.
#include "loaders/text_collection.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "loaders/corpus.hpp"
#include "navvy/error.hpp"

namespace navvy::loaders {

std::vector<WordCount> count_words(std::vector<std::uint32_t>& words) {
  std::sort(words.begin(), words.end());
  std::vector<WordCount> counts;
  for (const std::uint32_t word : words) {
    if (counts.empty() || counts.back().word != word) counts.push_back({word, 0});
    ++counts.back().count;
  }
  return counts;
}

bool keep_most_frequent(std::vector<WordCount>& words, std::size_t most) {
  if (words.size() <= most) return false;
  const auto cut = words.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(words.begin(), cut, words.end(), [](const WordCount& a, const WordCount& b) {
    return a.count != b.count ? a.count > b.count : a.word < b.word;
  });
  words.erase(cut, words.end());
  std::sort(words.begin(), words.end(),
            [](const WordCount& a, const WordCount& b) { return a.word < b.word; });
  return true;
}

void TextCollection::add(Document&& document) {
  if (size() >= std::numeric_limits<std::uint32_t>::max() - 1)
    throw Error(ErrorCode::limit, "more than 4294967294 documents");
  std::vector<std::uint32_t> words;
  tokenizer_.split(document.text, [&](std::string_view token) {
    auto place = numbers_.find(token);
    if (place == numbers_.end()) {
      place = numbers_.emplace(token, static_cast<std::uint32_t>(tokens_.size())).first;
      tokens_.emplace_back(token);
    }
    words.push_back(place->second);
  });
  const std::vector<WordCount> counts = count_words(words);
  counts_.insert(counts_.end(), counts.begin(), counts.end());
  offsets_.push_back(counts_.size());
  ids.push_back(std::move(document.id));
  labels.push_back(std::move(document.label));
  titles.push_back(document.title.empty() ? own_title(document.text).title
                                          : std::move(document.title));
  snippets.push_back(snippet_of(document.text));
  fields.add(std::move(document.fields));
}

}  // namespace navvy::loaders
