// From the text of a query to a histogram over the vocabulary of an index.
#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "core/lazy.hpp"
#include "core/sort_unique.hpp"
#include "core/weighting.hpp"
#include "loaders/own_points.hpp"
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

loaders::WordMap places_of(const Vocabulary& vocabulary) {
  loaders::WordMap places;
  places.reserve(vocabulary.size());
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) places.emplace(vocabulary.word(id), id);
  return places;
}

// The id of a number; as many as there are where it is not there.
std::size_t place_of(std::uint32_t number, const Vocabulary& vocabulary) {
  const auto numbers = vocabulary.numbers().span();
  const auto place = std::ranges::lower_bound(numbers, number);
  if (place == numbers.end() || *place != number) return vocabulary.size();
  return static_cast<std::size_t>(place - numbers.begin());
}

// A query is weighed against the documents that the rows were.
core::WordWeights word_weights(Weighting weighting, Index index) {
  core::complete_frequencies(index);
  return {weighting, core::frequencies_of(index), index.vocabulary.lengths().span()};
}

}  // namespace

struct TextEncoder::Parts {
  explicit Parts(const Index& index)
      : recipe(recipe_of(index)),
        tokenizer(recipe),
        stop_words(recipe.stop_words->words.begin(), recipe.stop_words->words.end()),
        weights(word_weights(recipe.weighting, index)),
        vocabulary(index.vocabulary),
        beyond(index.beyond),
        places(places_of(vocabulary)) {}

  [[nodiscard]] bool is_stop_word(std::string_view token) const {
    return loaders::any_form(token, recipe.keep_case, [&](std::string_view form) {
      return stop_words.find(form) != stop_words.end();
    });
  }

  // The number of a token's word, or unknown_token. Words beyond the corpus are looked at for
  // those alone that rows do not use.
  [[nodiscard]] std::uint32_t number(std::string_view token) const {
    std::uint32_t found = loaders::unknown_token;
    loaders::any_form(token, recipe.keep_case, [&](std::string_view form) {
      if (const auto place = places.find(form); place != places.end()) {
        found = vocabulary.number(place->second);
      } else if (beyond.kept()) {
        const Vocabulary& more = beyond.vocabulary();
        const loaders::WordMap& known = places_beyond.get([&] { return places_of(more); });
        const auto other = known.find(form);
        if (other != known.end()) found = more.number(other->second);
      }
      return found != loaders::unknown_token;
    });
    if (found != loaders::unknown_token || !recipe.own_points.value_or(false)) return found;
    // Words without a vector that share a number share the point, which is named for one of them.
    const std::uint32_t own = loaders::own_number(token);
    return place_of(own, vocabulary) < vocabulary.size() ? own : found;
  }

  [[nodiscard]] double weight(const loaders::WordCount& word) const {
    const std::size_t id = place_of(word.word, vocabulary);
    if (id < vocabulary.size()) return weights(static_cast<std::uint32_t>(id), word.count);
    const Vocabulary& more = beyond.vocabulary();
    const auto lengths = more.lengths().span();
    return weights.of_new(word.count, lengths.empty() ? 0 : lengths[place_of(word.word, more)]);
  }

  TextRecipe recipe;
  loaders::Tokenizer tokenizer;
  WordSet stop_words;
  core::WordWeights weights;
  Vocabulary vocabulary;
  WordsBeyond beyond;
  loaders::WordMap places;
  core::Lazy<loaders::WordMap> places_beyond;
};

TextEncoder::TextEncoder(const Index& index) : parts_(std::make_unique<Parts>(index)) {}
TextEncoder::~TextEncoder() = default;
TextEncoder::TextEncoder(TextEncoder&&) noexcept = default;
TextEncoder& TextEncoder::operator=(TextEncoder&&) noexcept = default;

TextQuery TextEncoder::encode(std::string_view text) const {
  TextQuery query;
  std::vector<std::uint32_t> found;  // by number: ids of words beyond the corpus are others
  WordSet seen;
  std::uint64_t broken = 0;
  const std::string valid = loaders::to_utf8(text, Encoding::utf8, broken);
  parts_->tokenizer.split(valid, [&](std::string_view token) {
    if (parts_->is_stop_word(token)) return;
    const std::uint32_t number = parts_->number(token);
    if (number != loaders::unknown_token)
      found.push_back(number);
    else if (seen.emplace(token).second)
      query.unknown.emplace_back(token);
  });
  std::vector<loaders::WordCount> words = loaders::count_words(found);
  query.truncated = loaders::keep_most_frequent(words, parts_->recipe.max_bins);

  std::vector<double> weights;
  for (const loaders::WordCount& word : words) {
    query.numbers.push_back(word.word);
    weights.push_back(parts_->weight(word));
  }
  HistogramsBuilder builder(loaders::unknown_token);
  builder.add(query.numbers, weights);
  const Histograms row = builder.build();
  query.weights.assign(row.weights().begin(), row.weights().end());
  query.mass = row[0].mass;
  return query;
}

Vocabulary TextEncoder::words(std::span<const TextQuery> queries) const {
  std::vector<std::uint32_t> numbers;
  for (const TextQuery& query : queries)
    numbers.insert(numbers.end(), query.numbers.begin(), query.numbers.end());
  core::sort_unique(numbers);
  std::vector<float> coordinates;
  std::vector<std::string> words;
  for (const std::uint32_t number : numbers) {
    const std::size_t id = place_of(number, parts_->vocabulary);
    const bool own = id < parts_->vocabulary.size();
    const Vocabulary& from = own ? parts_->vocabulary : parts_->beyond.vocabulary();
    const std::size_t place = own ? id : place_of(number, from);
    const auto coordinate = from.coordinate(place);
    coordinates.insert(coordinates.end(), coordinate.begin(), coordinate.end());
    words.emplace_back(from.word(place));
  }
  return {parts_->vocabulary.dimensions(), Array(std::move(coordinates)), Array(std::move(numbers)),
          words.empty() ? Strings() : Strings(words)};
}

void require_known_word(const TextQuery& query) {
  if (!query.numbers.empty()) return;
  if (query.unknown.empty())
    throw Error(ErrorCode::bad_input,
                "the query has no words, or stop words alone; expected a word of the index");
  constexpr std::size_t most = 10;
  std::string names;
  for (std::size_t i = 0; i < std::min(most, query.unknown.size()); ++i)
    names += (i == 0 ? "" : ", ") + query.unknown[i];
  if (query.unknown.size() > most) names += ", ...";
  throw Error(ErrorCode::bad_input, "no word of the query is known to the index: " + names);
}

Histograms to_histograms(std::span<const TextQuery> queries, const Vocabulary& vocabulary) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
  std::vector<double> masses;
  for (const TextQuery& query : queries) {
    for (const std::uint32_t number : query.numbers) {
      coordinates.push_back(static_cast<std::uint32_t>(place_of(number, vocabulary)));
      if (coordinates.back() == vocabulary.size())
        throw Error(ErrorCode::bad_input,
                    "word number " + std::to_string(number) + " of a query has no vector here");
    }
    weights.insert(weights.end(), query.weights.begin(), query.weights.end());
    masses.push_back(query.mass);
    offsets.push_back(coordinates.size());
  }
  return {vocabulary.size(), Array(std::move(offsets)), Array(std::move(coordinates)),
          Array(std::move(weights)), Array(std::move(masses))};
}

}  // namespace navvy
