// Vocabularies without rows, and rows that are weighed against them.
#include "navvy/collection.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "core/fingerprint.hpp"
#include "core/properties.hpp"
#include "core/weighting.hpp"
#include "index/join_beyond.hpp"
#include "index/join_vocabulary.hpp"
#include "index/segment.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace {

// Of all that rows and queries must have in common: how they are made, and what they are weighed
// against. Vectors are compared where queries are asked.
std::string name_of_collection(const Index& vocabulary) {
  core::Fingerprint all;
  all.add(vocabulary.vocabulary.dimensions());
  all.add(vocabulary.conditioning.components());
  for (const auto& [key, value] : vocabulary.properties) {
    if (core::property::is_told_only(key)) continue;
    all.add(std::string_view(key));
    all.add(std::string_view(value));
  }
  all.add(vocabulary.documents);
  all.add(vocabulary.tokens);
  all.add(vocabulary.vocabulary.numbers().span());
  all.add(vocabulary.frequencies.span());
  return std::to_string(all.value());
}

void drop_rows(Index& index) {
  index.rows = Histograms(index.vocabulary.size(), Array(std::vector<std::uint64_t>{0}),
                          Array<std::uint32_t>(), Array<float>());
  index.counts = {};
  index.labels = {};
  index.label_names = {};
  for (Strings* strings : {&index.ids, &index.titles, &index.snippets}) *strings = {};
  index.fields.clear();
  index.properties.erase(build_report_property);
}

void name_collection(Index& vocabulary) {
  vocabulary.properties[collection_property] = name_of_collection(vocabulary);
}

// What a part adds is what its rows have; a vocabulary has none, but knows.
Index counted(Index part) {
  if (part.rows.size() > 0) part.frequencies = {};
  core::complete_frequencies(part);
  return part;
}

void add_frequencies(const Index& part, std::vector<std::uint32_t>& sums,
                     std::span<const std::uint32_t> numbers) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  const index::Renumbering places = index::renumbering(part.vocabulary.numbers().span(), numbers);
  for (std::size_t id = 0; id < part.frequencies.size(); ++id) {
    std::uint32_t& sum = sums[places[id]];
    sum = part.frequencies[id] > most - sum ? most : sum + part.frequencies[id];
  }
}

}  // namespace

Index vocabulary_of(const Index& index) {
  Index vocabulary = index;
  core::complete_frequencies(vocabulary);
  drop_rows(vocabulary);
  name_collection(vocabulary);
  return vocabulary;
}

Index joined_vocabulary(std::span<const Index> parts) {
  if (parts.empty()) throw Error(ErrorCode::usage, "no vocabulary to join; expected at least one");
  std::vector<index::Segment> segments;
  for (const Index& part : parts) {
    require_same_making(parts.front(), part);
    segments.push_back(index::as_segment(part));
  }
  Index joined = parts.front();
  const std::vector<std::uint32_t> numbers = index::own_numbers(segments);
  joined.vocabulary = index::join_vocabulary(segments, numbers);
  joined.beyond = index::join_beyond(segments, joined.vocabulary);
  std::vector<std::uint32_t> sums(numbers.size());
  joined.documents = joined.tokens = 0;
  for (const Index& part : parts) {
    const Index known = counted(part);
    add_frequencies(known, sums, numbers);
    joined.documents += known.documents;
    joined.tokens += known.tokens;
  }
  joined.frequencies = {};
  if (core::knows_collection(joined)) joined.frequencies = Array(std::move(sums));
  drop_rows(joined);
  name_collection(joined);
  return joined;
}

Index reweighed(const Index& index, const Index& vocabulary) {
  require_same_making(index, vocabulary);
  const auto has = [](const Vocabulary& words, std::uint32_t number) {
    return std::ranges::binary_search(words.numbers().span(), number);
  };
  const auto numbers = index.vocabulary.numbers().span();
  for (std::size_t id = 0; id < numbers.size(); ++id)
    if (!has(vocabulary.vocabulary, numbers[id]) &&
        !has(vocabulary.beyond.vocabulary(), numbers[id]))
      throw Error(ErrorCode::bad_input, "the vocabulary lacks the word '" +
                                            std::string(index.vocabulary.word(id)) +
                                            "' of the index; expected that of all its parts");
  Index weighed = index::weighed_against(index, vocabulary);
  weighed.beyond = {};
  weighed.properties.erase(build_report_property);
  weighed.properties.erase(collection_property);
  if (const std::string name = core::property::get(vocabulary, collection_property); !name.empty())
    weighed.properties[collection_property] = name;
  return weighed;
}

Index with_frequencies(const Index& index) {
  Index known = index;
  if (core::knows_collection(index)) {
    core::complete_frequencies(known);
    return known;
  }
  std::vector<std::uint32_t> frequencies(index.vocabulary.size());
  for (const std::uint32_t coordinate : index.rows.coordinates()) ++frequencies[coordinate];
  known.frequencies = Array(std::move(frequencies));
  known.documents = index.rows.size();
  return known;
}

Index encoded_queries(const Index& vocabulary, const TextEncoder& encoder,
                      std::span<const TextQuery> queries, const std::vector<std::string>& ids) {
  Index encoded;
  encoded.kind = DataKind::text;
  encoded.vocabulary = encoder.words(queries);
  encoded.rows = to_histograms(queries, encoded.vocabulary);
  encoded.conditioning = vocabulary.conditioning;
  // What searches look at to know that the words of queries lie where those of rows do.
  for (const char* key :
       {collection_property, core::property::condition, core::property::normalized})
    if (const std::string value = core::property::get(vocabulary, key); !value.empty())
      encoded.properties[key] = value;
  if (!ids.empty()) set_ids(encoded, ids);
  return encoded;
}

}  // namespace navvy
