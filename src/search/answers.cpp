// Fills the columns of matches.
#include "search/answers.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace navvy::search {
namespace {

template <class Real>
void put_list(std::span<const core::Candidate<Real>> list, std::size_t query, Matches& matches) {
  for (std::size_t rank = 0; rank < std::min(list.size(), matches.top); ++rank)
    matches.put(query, rank, {list[rank].row, static_cast<double>(list[rank].distance)});
}

}  // namespace

backends::Task task_of(const Question& question, std::size_t batch) {
  return {question.measure, question.direction, question.sinkhorn, batch, question.price};
}

void put(std::span<const core::Candidate<float>> list, std::size_t query, Matches& matches) {
  put_list(list, query, matches);
}

void put(std::span<const core::Candidate<double>> list, std::size_t query, Matches& matches) {
  put_list(list, query, matches);
}

Matches spread(Matches matches, std::span<const std::uint32_t> places, std::size_t queries) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Matches all;
  all.queries = queries;
  all.top = matches.top;
  const auto put_column = [&](auto& from, auto& to, std::size_t width, auto missing) {
    if (from.empty()) return;  // a column that only emd has
    to.assign(queries * width, missing);
    for (std::size_t i = 0; i < places.size(); ++i)
      std::move(from.begin() + static_cast<std::ptrdiff_t>(i * width),
                from.begin() + static_cast<std::ptrdiff_t>((i + 1) * width),
                to.begin() + static_cast<std::ptrdiff_t>(places[i] * width));
  };
  put_column(matches.rows, all.rows, all.top, no_row);
  put_column(matches.distances, all.distances, all.top, nan);
  put_column(matches.lower, all.lower, all.top, nan);
  put_column(matches.upper, all.upper, all.top, nan);
  put_column(matches.exact, all.exact, all.top, std::uint8_t{0});
  put_column(matches.proofs, all.proofs, 1, Proof{});
  all.counters = std::move(matches.counters);
  return all;
}

}  // namespace navvy::search
