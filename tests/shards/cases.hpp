#pragma once

#include <array>
#include <string>
#include <vector>

#include "navvy/collection.hpp"
#include "navvy/index.hpp"
#include "navvy/shards.hpp"
#include "search/listed.hpp"
#include "support/small_texts.hpp"

/// Small indexes, folders of their shards, and what is asked of them.
namespace navvy::test {

inline constexpr std::size_t rows_of_cases = 41;

/// Rows with ties, some without weight.
inline Index plain_case() { return listed_index(30, rows_of_cases); }

inline std::vector<Document> documents_of_cases() {
  Rng rng(7);
  std::vector<Document> documents;
  for (std::size_t i = 0; i < rows_of_cases; ++i) {
    std::string text;
    const std::size_t words = random_size(rng, 1, 9);
    for (std::size_t word = 0; word < words; ++word)
      text += small_words()[random_size(rng, 0, small_words().size() - 1)] + " ";
    documents.push_back(
        document(std::string("t").append(std::to_string(i)), i == 11 ? "unknown" : text));
  }
  return documents;
}

inline Index text_case(Weighting weighting) {
  const TemporaryFolder folder;
  write_small_vectors(folder / "small.txt");
  return build_text(documents_of_cases(), folder / "small.txt", small_recipe(weighting)).index;
}

/// The rows of an index as queries of it, and as those of its shards.
inline Index queries_of(const Index& index) {
  Index queries;
  queries.kind = index.kind;
  queries.vocabulary = index.vocabulary;
  queries.rows = index.rows;
  if (index.kind == DataKind::text)
    queries.properties[collection_property] = vocabulary_of(index).properties[collection_property];
  return queries;
}

inline SearchOptions asking(const std::string& measure, std::size_t top = 4) {
  SearchOptions options = options_for(top, 1);
  options.question.measure = parse_measure(measure);
  return options;
}

inline Lists search_all(const Shards& shards, const Index& queries, const SearchOptions& options) {
  std::vector<Lists> parts;
  for (std::size_t shard = 0; shard < shards.manifest().shards.size(); ++shard)
    parts.push_back(shards.search(shard, queries, options));
  return merged(parts);
}

/// Diagonal blocks give their limits to the others.
inline Lists knn_all(const Shards& shards, const SearchOptions& options) {
  std::vector<Lists> parts;
  for (const auto& [a, b] : shards.pairs()) {
    SearchOptions asked = options;
    if (a != b) {
      const Array<double> first = parts[a].limits();
      const Array<double> second = parts[b].limits();
      std::vector<double> limits(first.begin(), first.end());
      limits.insert(limits.end(), second.begin(), second.end());
      asked.limits = Array(std::move(limits));
    }
    parts.push_back(shards.knn(a, b, asked));
  }
  return merged(parts);
}

}  // namespace navvy::test
