// Makes queries out of rows, texts and files, and keeps queries and answers in step.
#include "app/queries.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "app/devices.hpp"
#include "navvy/align.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "navvy/loaders.hpp"
#include "navvy/rows.hpp"

namespace navvy::app {
namespace {

Query text_query(std::string name, const TextQuery& encoded) {
  Query query{.name = std::move(name), .unknown = encoded.unknown};
  try {
    require_known_word(encoded);
  } catch (const Error& error) {
    query.error = error.what();
  }
  return query;
}

// Room for the answers to all queries, none found yet; what only emd has is there if `like` has it.
Matches no_matches(std::size_t queries, std::size_t top, const Matches& like) {
  Matches matches(queries, top);
  matches.counters = like.counters;
  if (like.has_bounds()) matches.add_bounds();
  return matches;
}

// The proof of `top` matches where one more was searched for, in case that the query finds itself.
Proof narrowed(Proof proof, std::size_t searched, std::size_t top) {
  if (searched == top) return proof;
  const bool complete = proof.certain == proof.matches;
  proof.matches = std::min<std::uint64_t>(proof.matches, top);
  // Of the rows that are certain to be among one more than the nearest, all but one are among them.
  proof.certain = complete ? proof.matches : std::max<std::uint64_t>(proof.certain, 1) - 1;
  return proof;
}

// The matches of one query with the row numbers of the index, without the query itself.
void copy_matches(const Matches& from, std::size_t query, const Query& asked,
                  std::span<const std::uint32_t> rows, Matches& to, std::size_t place) {
  if (!from.proofs.empty()) to.proofs[place] = narrowed(from.proofs[query], from.top, to.top);
  std::size_t rank = 0;
  for (Match match : from[query]) {
    if (!rows.empty()) match.row = rows[static_cast<std::size_t>(match.row)];
    if (asked.row && *asked.row == match.row) continue;
    if (rank < to.top)
      to.put(place, rank++, match);
    else if (to.has_bounds())
      to.proofs[place].beyond = std::min(to.proofs[place].beyond, match.lower);
  }
}

}  // namespace

Queries row_queries(const Index& index, std::span<const std::string> rows) {
  const std::vector<std::uint32_t> numbers = parse_rows(rows, index);
  Queries queries{.list = {}, .histograms = selected(index.rows, numbers)};
  for (const std::uint32_t row : numbers) {
    queries.list.push_back({.name = index.id(row), .row = row});
    if (is_empty(index.rows[row])) queries.list.back().error = fmt::format("row {} is empty", row);
  }
  return queries;
}

Queries text_queries(const Index& index, const TextEncoder& encoder,
                     std::span<const std::string> texts) {
  Queries queries;
  std::vector<TextQuery> encoded;
  for (const std::string& text : texts) {
    encoded.push_back(encoder.encode(text));
    queries.list.push_back(text_query(text, encoded.back()));
  }
  queries.histograms = to_histograms(encoded, index.vocabulary.size());
  return queries;
}

Queries file_queries(Index& index, const std::filesystem::path& file, ArrayOptions arrays,
                     const CorpusOptions& corpus) {
  Queries queries;
  if (index.kind == DataKind::text) {
    const TextEncoder encoder(index);
    std::vector<TextQuery> encoded;
    read_corpus(file, corpus, [&](Document&& document) {
      encoded.push_back(encoder.encode(document.text));
      std::string name = document.id.empty() ? std::to_string(encoded.size() - 1) : document.id;
      queries.list.push_back(text_query(std::move(name), encoded.back()));
    });
    queries.histograms = to_histograms(encoded, index.vocabulary.size());
    return queries;
  }
  const RowMaking making = making_of(index);
  arrays.normalize = making.normalized;
  arrays.keep_zeros = arrays.keep_zeros || making.zero_bins == ZeroBins::keep;
  (index.kind == DataKind::images ? arrays.images : arrays.histograms) = file;
  if (index.kind == DataKind::histograms && arrays.coordinates.empty()) {
    throw Error(ErrorCode::usage, "queries that are histograms need --coordinates as well");
  }
  const Index made = read_arrays(arrays);
  for (std::size_t row = 0; row < made.rows.size(); ++row) {
    queries.list.push_back({.name = made.id(row)});
    if (is_empty(made.rows[row])) queries.list.back().error = fmt::format("query {} is empty", row);
  }
  require_same_making(index, made);
  extend(index, made.vocabulary);
  queries.histograms = renumbered(made.rows, made.vocabulary, index.vocabulary);
  return queries;
}

Finder::Finder(const Index& index, std::span<const std::string> labels, const std::string& backend)
    : rows_(rows_with_labels(labels, index)),
      device_(device_name(backend)),
      searcher_(rows_.empty() ? index : restricted(index, rows_), backend) {}

Matches Finder::find(const Queries& queries, const SearchOptions& options) {
  const bool whole_index = rows_.empty();
  const bool all_rows =
      std::all_of(queries.list.begin(), queries.list.end(),
                  [](const Query& query) { return query.row && query.error.empty(); });
  return whole_index && all_rows ? find_rows(queries, options) : find_histograms(queries, options);
}

Matches Finder::find_rows(const Queries& queries, const SearchOptions& options) {
  std::vector<std::uint32_t> rows;
  for (const Query& query : queries.list) rows.push_back(*query.row);
  return searcher_.search_rows(rows, options);
}

Matches Finder::find_histograms(const Queries& queries, const SearchOptions& options) {
  std::vector<std::uint32_t> good;
  bool rows_among_them = false;
  for (std::uint32_t i = 0; i < queries.list.size(); ++i) {
    if (queries.list[i].error.empty()) good.push_back(i);
    rows_among_them = rows_among_them || queries.list[i].row;
  }
  SearchOptions wider = options;
  if (rows_among_them) ++wider.top;  // a row may find itself, which is then left out
  const Matches found = searcher_.search(selected(queries.histograms, good), wider);
  Matches matches = no_matches(queries.list.size(), options.top, found);
  for (std::size_t i = 0; i < good.size(); ++i) {
    copy_matches(found, i, queries.list[good[i]], rows_, matches, good[i]);
  }
  return matches;
}

}  // namespace navvy::app
