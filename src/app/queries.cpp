// Makes queries out of rows, texts and files, and keeps queries and answers in step.
#include "app/queries.hpp"

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "app/devices.hpp"
#include "app/one_line.hpp"
#include "navvy/align.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "navvy/loaders.hpp"
#include "navvy/rows.hpp"

namespace navvy::app {
namespace {

constexpr std::size_t title_width = 300;

Query text_query(std::string name, const TextQuery& encoded) {
  Query query{.name = std::move(name), .unknown = encoded.unknown};
  try {
    require_known_word(encoded);
  } catch (const Error& error) {
    query.error = error.what();
  }
  return query;
}

void take(const TextEncoder& encoder, std::span<const TextQuery> encoded, Queries& queries) {
  queries.vocabulary = encoder.words(encoded);
  queries.histograms = to_histograms(encoded, queries.vocabulary);
}

// The answers to some queries at their places among all.
Matches at_places(const Matches& found, std::span<const std::uint32_t> places,
                  std::size_t queries) {
  if (places.size() == queries) return found;
  Matches matches(queries, found.top);
  matches.counters = found.counters;
  if (found.has_bounds()) matches.add_bounds();
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::size_t rank = 0;
    for (const Match& match : found[i]) matches.put(places[i], rank++, match);
    if (!found.proofs.empty()) matches.proofs[places[i]] = found.proofs[i];
  }
  return matches;
}

}  // namespace

Queries row_queries(const Index& index, std::span<const std::string> rows) {
  const std::vector<std::uint32_t> numbers = parse_rows(rows, index);
  Queries queries{
      .list = {}, .histograms = selected(index.rows, numbers), .vocabulary = index.vocabulary};
  for (const std::uint32_t row : numbers) {
    queries.list.push_back({.name = index.id(row), .row = row});
    if (is_empty(index.rows[row])) queries.list.back().error = fmt::format("row {} is empty", row);
  }
  return queries;
}

void bring_together(Index& index, Queries& queries) {
  extend(index, queries.vocabulary);
  queries.histograms = renumbered(queries.histograms, queries.vocabulary, index.vocabulary);
  queries.vocabulary = index.vocabulary;
}

Queries text_queries(const TextEncoder& encoder, std::span<const std::string> texts) {
  Queries queries;
  std::vector<TextQuery> encoded;
  for (const std::string& text : texts) {
    encoded.push_back(encoder.encode(text));
    queries.list.push_back(text_query(text, encoded.back()));
  }
  take(encoder, encoded, queries);
  return queries;
}

Queries file_queries(const Index& index, const std::filesystem::path& file, ArrayOptions arrays,
                     const CorpusOptions& corpus) {
  Queries queries;
  if (index.kind == DataKind::text) {
    const TextEncoder encoder(index);
    std::vector<TextQuery> encoded;
    read_corpus(file, corpus, [&](Document&& document) {
      encoded.push_back(encoder.encode(document.text));
      std::string name = document.id.empty() ? std::to_string(encoded.size() - 1) : document.id;
      queries.list.push_back(text_query(std::move(name), encoded.back()));
      queries.list.back().label = std::move(document.label);
      const std::string& title = document.title.empty() ? document.text : document.title;
      queries.list.back().title =
          one_line(std::string_view(title).substr(0, 8 * title_width), title_width);
    });
    take(encoder, encoded, queries);
    return queries;
  }
  const RowMaking making = making_of(index);
  arrays = joining(std::move(arrays), index);
  arrays.normalize = making.normalized;
  arrays.keep_zeros = arrays.keep_zeros || making.zero_bins == ZeroBins::keep;
  (index.kind == DataKind::images ? arrays.images : arrays.histograms) = file;
  if (index.kind == DataKind::histograms && arrays.coordinates.empty()) {
    throw Error(ErrorCode::usage, "queries that are histograms need --coordinates as well");
  }
  Index made = read_arrays(arrays);
  for (std::size_t row = 0; row < made.rows.size(); ++row) {
    queries.list.push_back({.name = made.id(row), .label = made.label(row)});
    if (is_empty(made.rows[row]))
      queries.list.back().error =
          made.ids.empty() ? fmt::format("query {} is empty", row)
                           : fmt::format("query '{}' is empty", one_line(made.id(row), 60));
  }
  require_same_making(index, made);
  queries.histograms = std::move(made.rows);
  queries.vocabulary = std::move(made.vocabulary);
  return queries;
}

Finder::Finder(const Index& index, ChosenRows chosen, const std::string& backend)
    : chosen_(std::move(chosen)), device_(device_name(backend)), searcher_(index, backend) {}

Matches Finder::find(const Queries& queries, SearchOptions options) const {
  options.among = chosen_.among;
  std::vector<std::uint32_t> good;
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < queries.list.size(); ++i) {
    if (!queries.list[i].error.empty()) continue;
    good.push_back(i);
    if (queries.list[i].row) rows.push_back(*queries.list[i].row);
  }
  const bool all_rows = rows.size() == good.size();  // queries come from one source
  const Matches found =
      all_rows ? searcher_.search_rows(rows, options)
               : searcher_.search(selected(queries.histograms, good), queries.vocabulary, options);
  return at_places(found, good, queries.list.size());
}

}  // namespace navvy::app
