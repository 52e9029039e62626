// Which rows are open, known and left out.
#include "search/exact/rows.hpp"

#include <algorithm>
#include <limits>

namespace navvy::search {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

ExactRows::ExactRows(std::size_t rows, std::span<const std::uint32_t> may_match,
                     const SearchOptions& options)
    : may_match_(may_match),
      top_(options.top),
      tolerance_(options.exact.tolerance),
      lower_(rows),
      place_(rows, row_limit) {}

void ExactRows::start(std::uint32_t own_row, double limit) {
  for (const ExactMatch& match : known_) place_[match.row] = row_limit;
  known_.clear();
  limit_ = limit;
  last_ = infinity;
  open_.clear();
  std::ranges::fill(lower_, infinity);
  for (const std::uint32_t row : may_match_) {
    if (row == own_row) continue;
    lower_[row] = 0;
    open_.push_back({0, row, false});
  }
}

void ExactRows::raise(Open& open, double lower) {
  open.lower = std::max(open.lower, lower);
  lower_[open.row] = open.lower;
}

void ExactRows::set_upper(std::uint32_t row, double upper, bool exact) {
  if (!has_upper(row)) {
    place_[row] = static_cast<std::uint32_t>(known_.size());
    known_.push_back({row, 0, infinity, false});
  }
  ExactMatch& match = known_[place_[row]];
  match.upper = upper;
  match.exact = exact;
  if (exact) lower_[row] = upper;
}

std::span<ExactRows::Open> ExactRows::nearest(std::size_t count) {
  if (count < open_.size())
    std::nth_element(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(count),
                     open_.end());
  return std::span(open_).first(std::min(count, open_.size()));
}

std::span<ExactRows::Open> ExactRows::nearest_sorted(std::size_t count) {
  const std::span<Open> rows = nearest(count);
  std::sort(rows.begin(), rows.end());
  return rows;
}

void ExactRows::close_first(std::size_t count) {
  open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(count));
}

void ExactRows::drop_hopeless() {
  if (known_.size() >= top_) {
    std::vector<double> uppers;
    for (const ExactMatch& match : known_) uppers.push_back(match.upper);
    const auto last = uppers.begin() + static_cast<std::ptrdiff_t>(top_ - 1);
    std::nth_element(uppers.begin(), last, uppers.end());
    last_ = *last;
  }
  // The tolerance is one of the order: a limit is a limit.
  std::erase_if(open_, [&](const Open& open) {
    return open.lower > limit_ || open.lower * (1 + tolerance_) > last_;
  });
}

std::vector<ExactMatch> ExactRows::answer() const {
  std::vector<ExactMatch> result = known_;
  for (ExactMatch& match : result) match.lower = std::max(0.0, lower_[match.row]);
  std::erase_if(result, [&](const ExactMatch& match) { return match.lower > limit_; });
  const auto end = result.begin() + static_cast<std::ptrdiff_t>(std::min(top_, result.size()));
  std::partial_sort(result.begin(), end, result.end());
  result.erase(end, result.end());
  return result;
}

std::uint64_t ExactRows::count_certain(std::span<const ExactMatch> answer) const {
  std::vector<ExactMatch> others;  // that can come before the last of the answer
  if (answer.empty()) return 0;
  const double last = answer.back().upper;
  for (std::uint32_t row = 0; row < lower_.size(); ++row) {
    if (lower_[row] > last) continue;
    const bool exact = has_upper(row) && known_[place_[row]].exact;
    others.push_back({row, lower_[row], 0, exact});
  }
  // Where there is room for all, none need be counted: lists that are not cut are long.
  if (others.size() <= top_) others.clear();
  std::uint64_t certain = 0;
  for (const ExactMatch& match : answer) {
    if (match.upper > limit_) continue;
    std::size_t before = 0;
    for (const ExactMatch& other : others) {
      if (other.row == match.row) continue;
      const bool tie_is_settled = other.exact && match.exact && other.row > match.row;
      before += other.lower < match.upper || (other.lower == match.upper && !tie_is_settled);
    }
    certain += before < top_;
  }
  return certain;
}

double ExactRows::least_outside(std::span<const ExactMatch> answer) const {
  std::vector<std::uint32_t> listed;
  for (const ExactMatch& match : answer) listed.push_back(match.row);
  std::ranges::sort(listed);
  double least = infinity;
  for (std::uint32_t row = 0; row < lower_.size(); ++row)
    if (lower_[row] < least && !std::ranges::binary_search(listed, row)) least = lower_[row];
  return least;
}

}  // namespace navvy::search
