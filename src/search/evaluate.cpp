// Precision of nearest-neighbour lists against labels.
#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <vector>

#include "navvy/error.hpp"
#include "navvy/search.hpp"
#include "search/row_part.hpp"

namespace navvy {
namespace {

void check_labels(const Index& index) {
  if (index.labels.empty())
    throw Error(ErrorCode::usage, "the index has no labels to evaluate against");
}

// The rows that ask and are found: those that are left and have weight, in order.
std::vector<std::uint32_t> rows_to_evaluate(const Index& index, const Array<std::uint8_t>& among) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < index.rows.size(); ++row)
    if ((among.empty() || among[row] != 0) && !is_empty(index.rows[row])) rows.push_back(row);
  return rows;
}

// How many of them are among the first `queries` rows that are left.
std::size_t first_of(std::span<const std::uint32_t> rows, std::size_t queries,
                     const Array<std::uint8_t>& among) {
  const auto is_left = [&](std::size_t row) { return among.empty() || among[row] != 0; };
  std::size_t end = 0;
  for (std::size_t left = 0; left < queries; ++end) left += is_left(end) ? 1 : 0;
  return static_cast<std::size_t>(std::ranges::lower_bound(rows, end) - rows.begin());
}

// The share of equal labels among the first `top` matches of each query, averaged.
double precision(const Index& index, std::span<const std::uint32_t> queries, const Matches& matches,
                 std::size_t top) {
  // Matches of all rows keep a place for those without weight, which are no queries.
  const bool all = matches.queries == index.rows.size();
  std::uint64_t equal = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Ranked nearest = matches[all ? queries[i] : i];
    for (std::size_t rank = 0; rank < top; ++rank)
      equal += index.labels[static_cast<std::size_t>(nearest.row(rank))] == index.labels[queries[i]]
                   ? 1U
                   : 0U;
  }
  return static_cast<double>(equal) / static_cast<double>(queries.size() * top);
}

void check_counts(std::size_t top, std::size_t rows, std::size_t queries, std::size_t left) {
  if (top == 0 || top >= rows)
    throw Error(ErrorCode::usage, "top " + std::to_string(top) + " asked for, but a row has " +
                                      std::to_string(rows - std::min<std::size_t>(1, rows)) +
                                      " others to find");
  if (queries > left)
    throw Error(ErrorCode::usage, std::to_string(queries) +
                                      " queries asked for, but the index has " +
                                      std::to_string(left) + " rows");
}

}  // namespace

Evaluation Searcher::evaluate(std::span<const std::size_t> tops, std::size_t queries,
                              const Question& question, const RunOptions& run,
                              const Array<std::uint8_t>& among) const {
  const Index& source = index();
  check_labels(source);
  search::check_choice(among, source.rows.size());
  const std::vector<std::uint32_t> rows = rows_to_evaluate(source, among);
  const auto left = static_cast<std::size_t>(
      among.empty() ? source.rows.size()
                    : among.size() - static_cast<std::size_t>(std::ranges::count(among, 0)));
  SearchOptions options;
  options.question = question;
  options.run = run;
  options.among = among;
  options.top = tops.empty() ? 1 : *std::max_element(tops.begin(), tops.end());
  check_counts(options.top, rows.size(), queries, left);
  const bool all = queries == 0 || queries == left;
  const auto chosen = std::span(rows).first(all ? rows.size() : first_of(rows, queries, among));

  prepare(question, run, among);
  const auto start = std::chrono::steady_clock::now();
  Matches matches = all ? knn(options) : search_rows(chosen, options);
  Evaluation evaluation;
  evaluation.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  evaluation.queries = chosen.size();
  evaluation.distances = std::uint64_t{chosen.size()} * (rows.size() - 1);
  for (const std::size_t top : tops)
    evaluation.precision.push_back(precision(source, chosen, matches, top));
  evaluation.counters = std::move(matches.counters);
  return evaluation;
}

}  // namespace navvy
