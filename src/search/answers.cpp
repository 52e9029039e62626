// Fills the columns of matches.
#include "search/answers.hpp"

#include <algorithm>

namespace navvy::search {
namespace {

template <class Real>
void put_list(std::span<const core::Candidate<Real>> list, std::size_t query, Matches& matches) {
  for (std::size_t rank = 0; rank < std::min(list.size(), matches.top); ++rank)
    matches.put(query, rank, {list[rank].row, static_cast<double>(list[rank].distance)});
}

}  // namespace

backends::Task task_of(const Question& question, std::size_t batch) {
  return {question.measure, question.direction, question.sinkhorn, batch};
}

void put(std::span<const core::Candidate<float>> list, std::size_t query, Matches& matches) {
  put_list(list, query, matches);
}

void put(std::span<const core::Candidate<double>> list, std::size_t query, Matches& matches) {
  put_list(list, query, matches);
}

}  // namespace navvy::search
