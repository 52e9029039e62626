// Brings rows over coordinates of their own onto the vocabulary of an index, by number.
#include "navvy/align.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "navvy/error.hpp"

namespace navvy {
namespace {

constexpr std::uint32_t missing = 0xffffffff;

// For every number its place in `to`; both ascend. `missing` where there is none.
std::vector<std::uint32_t> places(std::span<const std::uint32_t> numbers,
                                  std::span<const std::uint32_t> to) {
  std::vector<std::uint32_t> result;
  result.reserve(numbers.size());
  std::size_t place = 0;
  for (const std::uint32_t number : numbers) {
    // In growing steps: a few words of a query must not cost all words of an index.
    std::size_t step = 1;
    while (place + step < to.size() && to[place + step] < number) step *= 2;
    const auto* const end = to.data() + std::min(place + step, to.size());
    place = static_cast<std::size_t>(std::lower_bound(to.data() + place, end, number) - to.data());
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
  return {vocabulary_size, rows.offsets(), Array(std::move(coordinates)), rows.weights(),
          rows.masses()};
}

void require_same_place(const Vocabulary& known, std::size_t known_id, const Vocabulary& more,
                        std::size_t id) {
  if (!std::ranges::equal(known.coordinate(known_id), more.coordinate(id)))
    throw Error(ErrorCode::bad_input, "coordinate " + std::to_string(more.number(id)) +
                                          " of the queries has other values than in the index");
}

// The coordinates of `a` with those of `b` that it lacks, by number.
Vocabulary united(const Vocabulary& a, const Vocabulary& b) {
  const bool with_words = a.has_words() && b.has_words();
  std::vector<float> values;
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> words;
  const auto take = [&](const Vocabulary& from, std::size_t id) {
    const auto coordinate = from.coordinate(id);
    values.insert(values.end(), coordinate.begin(), coordinate.end());
    numbers.push_back(from.number(id));
    if (with_words) words.emplace_back(from.word(id));
  };
  std::size_t i = 0;
  for (std::size_t j = 0; j < b.size(); ++j) {
    while (i < a.size() && a.number(i) < b.number(j)) take(a, i++);
    if (i == a.size() || a.number(i) != b.number(j)) take(b, j);
  }
  while (i < a.size()) take(a, i++);
  return {a.dimensions(), Array(std::move(values)), Array(std::move(numbers)), Strings(words)};
}

}  // namespace

bool extend(Index& index, const Vocabulary& more) {
  const Vocabulary& known = index.vocabulary;
  if (more.dimensions() != known.dimensions())
    throw Error(ErrorCode::bad_input, "queries in " + std::to_string(more.dimensions()) +
                                          " dimensions, but the index has " +
                                          std::to_string(known.dimensions()));
  if (more.coordinates().data() == known.coordinates().data() && more.size() == known.size())
    return false;  // the same, shared
  const auto ids = places(more.numbers().span(), known.numbers().span());
  for (std::size_t id = 0; id < ids.size(); ++id)
    if (ids[id] != missing) require_same_place(known, ids[id], more, id);
  if (std::ranges::find(ids, missing) == ids.end()) return false;
  Vocabulary both = united(known, more);
  if (!index.frequencies.empty()) {
    // Words from elsewhere were in none of the documents.
    std::vector<std::uint32_t> frequencies(both.size());
    const auto new_ids = places(known.numbers().span(), both.numbers().span());
    for (std::size_t id = 0; id < new_ids.size(); ++id)
      frequencies[new_ids[id]] = index.frequencies[id];
    index.frequencies = Array(std::move(frequencies));
  }
  index.rows = renumbered(index.rows, known, both);
  index.vocabulary = std::move(both);
  return true;
}

Histograms renumbered(const Histograms& rows, const Vocabulary& from, const Vocabulary& to) {
  if (from.numbers().data() == to.numbers().data() && from.size() == to.size()) return rows;
  return with_ids(rows, places(from.numbers().span(), to.numbers().span()), to.size());
}

Histograms over_vocabulary(const Histograms& rows, const Vocabulary& vocabulary) {
  std::vector<std::uint32_t> columns(rows.vocabulary_size());
  std::iota(columns.begin(), columns.end(), 0U);
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

}  // namespace navvy
