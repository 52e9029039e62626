// Precision of nearest-neighbour lists against labels.
#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <vector>

#include "navvy/error.hpp"
#include "navvy/search.hpp"

namespace navvy {
namespace {

void check_labels(const Index& index) {
  if (index.labels.empty())
    throw Error(ErrorCode::usage, "the index has no labels to evaluate against");
}

std::size_t rows_with_weight(const Index& index) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < index.rows.size(); ++row)
    count += is_empty(index.rows[row]) ? 0U : 1U;
  return count;
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

}  // namespace

Evaluation Searcher::evaluate(std::span<const std::size_t> tops, std::size_t queries,
                              const Question& question, const RunOptions& run) const {
  const Index& source = index();
  check_labels(source);
  const std::size_t n = source.rows.size();
  const std::size_t candidates = rows_with_weight(source);
  SearchOptions search_options;
  search_options.question = question;
  search_options.run = run;
  search_options.top = tops.empty() ? 1 : *std::max_element(tops.begin(), tops.end());
  if (search_options.top == 0 || search_options.top >= candidates)
    throw Error(ErrorCode::usage,
                "top " + std::to_string(search_options.top) + " asked for, but a row has " +
                    std::to_string(candidates - std::min<std::size_t>(1, candidates)) +
                    " others to find");
  if (queries > n)
    throw Error(ErrorCode::usage, std::to_string(queries) +
                                      " queries asked for, but the index has " + std::to_string(n) +
                                      " rows");
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t row = 0; row < (queries == 0 ? n : queries); ++row)
    if (!is_empty(source.rows[row])) chosen.push_back(row);

  prepare(question, run);
  const auto start = std::chrono::steady_clock::now();
  Matches matches =
      queries == 0 || queries == n ? knn(search_options) : search_rows(chosen, search_options);
  Evaluation evaluation;
  evaluation.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  evaluation.queries = chosen.size();
  evaluation.distances = std::uint64_t{chosen.size()} * (candidates - 1);
  for (const std::size_t top : tops)
    evaluation.precision.push_back(precision(source, chosen, matches, top));
  evaluation.counters = std::move(matches.counters);
  return evaluation;
}

}  // namespace navvy
