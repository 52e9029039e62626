// From the text of a query to a histogram over the vocabulary of an index.
#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "core/weighting.hpp"
#include "loaders/text_collection.hpp"
#include "loaders/tokenizer.hpp"
#include "loaders/utf8.hpp"
#include "loaders/word_table.hpp"
#include "navvy/error.hpp"
#include "navvy/text.hpp"

namespace navvy {
namespace {

using loaders::StringHash;
using WordSet = std::unordered_set<std::string, StringHash, std::equal_to<>>;

// A query is weighed against the documents that the rows were.
core::WordWeights word_weights(Weighting weighting, const Index& index) {
  if (weighting != Weighting::tfidf || !index.frequencies.empty())
    return {weighting, {index.documents, index.frequencies.span()}};
  const auto own =
      core::document_frequencies(index.vocabulary.size(), index.rows.coordinates().span());
  return {weighting, {index.rows.size(), own}};
}

}  // namespace

struct TextEncoder::Parts {
  explicit Parts(const Index& index)
      : recipe(recipe_of(index)),
        tokenizer(recipe),
        stop_words(recipe.stop_words->begin(), recipe.stop_words->end()),
        weights(word_weights(recipe.weighting, index)),
        vocabulary_size(index.vocabulary.size()) {
    for (std::uint32_t id = 0; id < vocabulary_size; ++id)
      places.emplace(index.vocabulary.word(id), id);
  }

  [[nodiscard]] bool is_stop_word(std::string_view token) const {
    return loaders::any_form(token, recipe.keep_case, [&](std::string_view form) {
      return stop_words.find(form) != stop_words.end();
    });
  }

  // The coordinate of a token, or unknown_token.
  [[nodiscard]] std::uint32_t coordinate(std::string_view token) const {
    std::uint32_t found = loaders::unknown_token;
    loaders::any_form(token, recipe.keep_case, [&](std::string_view form) {
      const auto place = places.find(form);
      if (place == places.end()) return false;
      found = place->second;
      return true;
    });
    return found;
  }

  TextRecipe recipe;
  loaders::Tokenizer tokenizer;
  WordSet stop_words;
  core::WordWeights weights;
  std::size_t vocabulary_size;
  loaders::WordMap places;
};

TextEncoder::TextEncoder(const Index& index) : parts_(std::make_unique<Parts>(index)) {}
TextEncoder::~TextEncoder() = default;
TextEncoder::TextEncoder(TextEncoder&&) noexcept = default;
TextEncoder& TextEncoder::operator=(TextEncoder&&) noexcept = default;

TextQuery TextEncoder::encode(std::string_view text) const {
  TextQuery query;
  std::vector<std::uint32_t> found;
  WordSet seen;
  std::uint64_t broken = 0;
  const std::string valid = loaders::to_utf8(text, Encoding::utf8, broken);
  parts_->tokenizer.split(valid, [&](std::string_view token) {
    if (parts_->is_stop_word(token)) return;
    const std::uint32_t coordinate = parts_->coordinate(token);
    if (coordinate != loaders::unknown_token)
      found.push_back(coordinate);
    else if (seen.emplace(token).second)
      query.unknown.emplace_back(token);
  });
  std::vector<loaders::WordCount> words = loaders::count_words(found);
  query.truncated = loaders::keep_most_frequent(words, parts_->recipe.max_bins);

  std::vector<double> weights;
  for (const loaders::WordCount& word : words) {
    query.coordinates.push_back(word.word);
    weights.push_back(parts_->weights(word.word, word.count));
  }
  HistogramsBuilder builder(parts_->vocabulary_size);
  builder.add(query.coordinates, weights);
  const Histograms row = builder.build();
  query.weights.assign(row.weights().begin(), row.weights().end());
  return query;
}

void require_known_word(const TextQuery& query) {
  if (!query.coordinates.empty()) return;
  if (query.unknown.empty())
    throw Error(ErrorCode::bad_input,
                "the query has no words but stop words; expected a word of the index");
  constexpr std::size_t most = 10;
  std::string names;
  for (std::size_t i = 0; i < std::min(most, query.unknown.size()); ++i)
    names += (i == 0 ? "" : ", ") + query.unknown[i];
  if (query.unknown.size() > most) names += ", ...";
  throw Error(ErrorCode::bad_input, "no word of the query is known to the index: " + names);
}

Histograms to_histograms(std::span<const TextQuery> queries, std::size_t vocabulary_size) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
  for (const TextQuery& query : queries) {
    coordinates.insert(coordinates.end(), query.coordinates.begin(), query.coordinates.end());
    weights.insert(weights.end(), query.weights.begin(), query.weights.end());
    offsets.push_back(coordinates.size());
  }
  return {vocabulary_size, Array(std::move(offsets)), Array(std::move(coordinates)),
          Array(std::move(weights))};
}

}  // namespace navvy
