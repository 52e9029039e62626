#include "search/exact_rows.hpp"

#include <algorithm>
#include <limits>

namespace navvy::search {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

ExactRows::ExactRows(const backends::RowBlocks& rows, const SearchOptions& options)
    : rows_(rows),
      top_(options.top),
      tolerance_(options.tolerance),
      place_(rows.rows(), Matches::no_row) {}

void ExactRows::start(std::uint32_t own_row) {
  for (const ExactMatch& match : known_) place_[match.row] = Matches::no_row;
  known_.clear();
  threshold_ = infinity;
  open_.clear();
  lower_.assign(rows_.rows(), infinity);
  for (std::uint32_t row = 0; row < rows_.rows(); ++row) {
    if (row == own_row || rows_.is_empty(row)) continue;
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
    threshold_ = *last;
  }
  std::erase_if(open_,
                [&](const Open& open) { return open.lower * (1 + tolerance_) > threshold_; });
}

std::vector<ExactMatch> ExactRows::answer() const {
  std::vector<ExactMatch> result = known_;
  for (ExactMatch& match : result) match.lower = std::max(0.0, lower_[match.row]);
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
  std::uint64_t certain = 0;
  for (const ExactMatch& match : answer) {
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

}  // namespace navvy::search
