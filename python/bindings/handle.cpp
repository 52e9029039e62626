#include "handle.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "navvy/error.hpp"

namespace navvy::python {
namespace {

constexpr std::uint32_t missing = 0xffffffff;

// For every coordinate its place in `to`, by number; `missing` where there is none.
std::vector<std::uint32_t> places(std::span<const std::uint32_t> numbers,
                                  std::span<const std::uint32_t> to) {
  std::vector<std::uint32_t> result;
  result.reserve(numbers.size());
  std::size_t place = 0;
  for (const std::uint32_t number : numbers) {
    while (place < to.size() && to[place] < number) ++place;
    const bool found = place < to.size() && to[place] == number;
    result.push_back(found ? static_cast<std::uint32_t>(place) : missing);
  }
  return result;
}

Histograms with_ids(const Histograms& rows, std::span<const std::uint32_t> ids,
                    std::size_t vocabulary_size) {
  std::vector<std::uint32_t> coordinates;
  coordinates.reserve(rows.bins());
  for (const std::uint32_t id : rows.coordinates()) coordinates.push_back(ids[id]);
  return {vocabulary_size, rows.offsets(), Array(std::move(coordinates)), rows.weights()};
}

void require_same_place(const Vocabulary& a, std::size_t a_id, const Vocabulary& b,
                        std::size_t b_id) {
  if (!std::ranges::equal(a.coordinate(a_id), b.coordinate(b_id)))
    throw Error(ErrorCode::bad_input, "coordinate " + std::to_string(b.number(b_id)) +
                                          " of the queries has other values than in the index");
}

// The coordinates of `a` with those of `b` that it lacks, by number; without words.
Vocabulary united(const Vocabulary& a, const Vocabulary& b) {
  std::vector<float> values;
  std::vector<std::uint32_t> numbers;
  const auto take = [&](const Vocabulary& from, std::size_t id) {
    const auto coordinate = from.coordinate(id);
    values.insert(values.end(), coordinate.begin(), coordinate.end());
    numbers.push_back(from.number(id));
  };
  std::size_t i = 0;
  for (std::size_t j = 0; j < b.size(); ++j) {
    while (i < a.size() && a.number(i) < b.number(j)) take(a, i++);
    if (i == a.size() || a.number(i) != b.number(j)) take(b, j);
  }
  while (i < a.size()) take(a, i++);
  return {a.dimensions(), Array(std::move(values)), Array(std::move(numbers))};
}

}  // namespace

Histograms over_vocabulary(const Histograms& rows, const Vocabulary& vocabulary) {
  std::vector<std::uint32_t> columns(rows.vocabulary_size());
  for (std::uint32_t i = 0; i < columns.size(); ++i) columns[i] = i;
  const std::vector<std::uint32_t> ids = places(columns, vocabulary.numbers().span());
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (const std::uint32_t column : rows[row].coordinates)
      if (ids[column] == missing)
        throw Error(ErrorCode::bad_input,
                    "query " + std::to_string(row) + " has weight at coordinate " +
                        std::to_string(column) +
                        ", which no row of the index uses; pass coordinates as well");
  return with_ids(rows, ids, vocabulary.size());
}

bool extend(Index& index, const Vocabulary& more) {
  const Vocabulary& known = index.vocabulary;
  if (more.dimensions() != known.dimensions())
    throw Error(ErrorCode::bad_input, "queries in " + std::to_string(more.dimensions()) +
                                          " dimensions, but the index has " +
                                          std::to_string(known.dimensions()));
  const auto ids = places(more.numbers().span(), known.numbers().span());
  for (std::size_t id = 0; id < ids.size(); ++id)
    if (ids[id] != missing) require_same_place(known, ids[id], more, id);
  if (std::ranges::find(ids, missing) == ids.end()) return false;
  Vocabulary both = united(known, more);
  index.rows = renumbered(index.rows, known, both);
  index.vocabulary = std::move(both);
  return true;
}

Histograms renumbered(const Histograms& rows, const Vocabulary& from, const Vocabulary& to) {
  return with_ids(rows, places(from.numbers().span(), to.numbers().span()), to.size());
}

Searcher& Handle::searcher() {
  if (!searcher_) searcher_.emplace(wide_);
  return *searcher_;
}

Searcher& Handle::searcher_for(const Vocabulary& vocabulary) {
  if (extend(wide_, vocabulary)) searcher_.reset();
  return searcher();
}

Matches Handle::search(const Index& queries, const SearchOptions& options) {
  const std::scoped_lock lock(mutex_);
  Searcher& ready = searcher_for(queries.vocabulary);
  return ready.search(renumbered(queries.rows, queries.vocabulary, wide_.vocabulary), options);
}

Matches Handle::search_rows(std::span<const std::uint32_t> rows, const SearchOptions& options) {
  const std::scoped_lock lock(mutex_);
  return searcher().search_rows(rows, options);
}

Matches Handle::knn(const SearchOptions& options) {
  const std::scoped_lock lock(mutex_);
  return searcher().knn(options);
}

std::vector<float> Handle::distances(const MatrixRange& range, const RunOptions& options) {
  const std::scoped_lock lock(mutex_);
  const std::size_t width = range.row_end - range.row_begin;
  std::vector<float> matrix((range.query_end - range.query_begin) * width);
  searcher().distances(
      range, options, [&](std::size_t first, std::size_t, std::span<const float> values) {
        std::ranges::copy(values, matrix.begin() + static_cast<std::ptrdiff_t>(first * width));
      });
  return matrix;
}

Evaluation Handle::evaluate(std::span<const std::size_t> tops, std::size_t queries,
                            const RunOptions& options) {
  const std::scoped_lock lock(mutex_);
  return searcher().evaluate(tops, queries, options);
}

}  // namespace navvy::python
