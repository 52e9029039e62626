#include "cli/queries.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "cli/options.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"

namespace navvy::cli {
namespace {

// Some rows of a set, over the same vocabulary.
Histograms select(const Histograms& all, std::span<const std::uint32_t> rows) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
  for (const std::uint32_t row : rows) {
    const Histogram histogram = all[row];
    coordinates.insert(coordinates.end(), histogram.coordinates.begin(),
                       histogram.coordinates.end());
    weights.insert(weights.end(), histogram.weights.begin(), histogram.weights.end());
    offsets.push_back(coordinates.size());
  }
  return {all.vocabulary_size(), Array(std::move(offsets)), Array(std::move(coordinates)),
          Array(std::move(weights))};
}

std::vector<std::uint32_t> counted(std::size_t begin, std::size_t end) {
  std::vector<std::uint32_t> rows(end - begin);
  std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(begin));
  return rows;
}

std::int32_t label_number(const Index& index, const std::string& label) {
  for (std::size_t i = 0; i < index.label_names.size(); ++i) {
    if (index.label_names[i] == label) return static_cast<std::int32_t>(i);
  }
  throw Error(ErrorCode::usage, fmt::format("no row has the label '{}'", label));
}

// Ascending; empty where there is no filter.
std::vector<std::uint32_t> rows_with(const Index& index, std::span<const std::string> labels) {
  std::vector<std::int32_t> wanted;
  for (const std::string& label : labels) wanted.push_back(label_number(index, label));
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; !wanted.empty() && row < index.labels.size(); ++row) {
    if (std::find(wanted.begin(), wanted.end(), index.labels[row]) != wanted.end()) {
      rows.push_back(row);
    }
  }
  return rows;
}

Index restricted(const Index& index, std::span<const std::uint32_t> rows) {
  if (rows.empty()) return index;
  Index part;
  part.kind = index.kind;
  part.vocabulary = index.vocabulary;
  part.rows = select(index.rows, rows);
  part.properties = index.properties;
  return part;
}

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
  Matches matches;
  matches.queries = queries;
  matches.top = top;
  matches.rows.assign(queries * top, Matches::no_row);
  matches.distances.resize(matches.rows.size());
  matches.counters = like.counters;
  if (like.exact.empty()) return matches;
  matches.lower.resize(matches.rows.size());
  matches.upper.resize(matches.rows.size());
  matches.exact.resize(matches.rows.size());
  matches.proofs.resize(queries);
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
  std::size_t target = place * to.top;
  const std::size_t end = target + to.top;
  for (std::size_t i = query * from.top; i < (query + 1) * from.top && target < end; ++i) {
    if (from.rows[i] == Matches::no_row) return;
    const std::uint32_t row = rows.empty() ? from.rows[i] : rows[from.rows[i]];
    if (asked.row == row) continue;
    to.rows[target] = row;
    to.distances[target] = from.distances[i];
    if (!from.exact.empty()) {
      to.lower[target] = from.lower[i];
      to.upper[target] = from.upper[i];
      to.exact[target] = from.exact[i];
    }
    ++target;
  }
}

}  // namespace

Queries row_queries(const Index& index, std::span<const std::string> rows) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& text : rows) {
    RowRange range;
    if (text.find(':') != text.npos) {
      range = parse_range(text, index.rows.size());
    } else {
      range.begin = parse_row(text, index);
      range.end = range.begin + 1;
    }
    const auto more = counted(range.begin, range.end);
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
  Queries queries{.list = {}, .histograms = select(index.rows, numbers)};
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
  // New rows are made as those of the index were.
  const auto is = [&index](const char* key, std::string_view value) {
    const auto place = index.properties.find(key);
    return place != index.properties.end() && place->second == value;
  };
  arrays.normalize = is("normalized_vectors", "yes");
  arrays.keep_zeros = arrays.keep_zeros || is("background", "kept");
  (index.kind == DataKind::images ? arrays.images : arrays.histograms) = file;
  if (index.kind == DataKind::histograms && arrays.coordinates.empty()) {
    throw Error(ErrorCode::usage, "queries that are histograms need --coordinates as well");
  }
  Index extra = read_arrays(arrays);
  for (std::size_t row = 0; row < extra.rows.size(); ++row) {
    queries.list.push_back({.name = extra.id(row)});
    if (is_empty(extra.rows[row]))
      queries.list.back().error = fmt::format("query {} is empty", row);
  }
  const std::size_t rows = index.rows.size();
  Index bare = restricted(index, counted(0, rows));
  extra.ids = {};
  extra.labels = {};
  extra.label_names = {};
  const Index both = merged(bare, extra);
  queries.histograms = select(both.rows, counted(rows, both.rows.size()));
  index.vocabulary = both.vocabulary;
  index.rows = select(both.rows, counted(0, rows));
  return queries;
}

Finder::Finder(const Index& index, std::span<const std::string> labels)
    : rows_(rows_with(index, labels)), searcher_(restricted(index, rows_)) {}

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
  const Matches found = searcher_.search(select(queries.histograms, good), wider);
  Matches matches = no_matches(queries.list.size(), options.top, found);
  for (std::size_t i = 0; i < good.size(); ++i) {
    copy_matches(found, i, queries.list[good[i]], rows_, matches, good[i]);
  }
  return matches;
}

}  // namespace navvy::cli
