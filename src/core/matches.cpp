// Answers as values: reading and filling their columns, and merging those over parts of the rows.

#include "navvy/matches.hpp"

#include <algorithm>
#include <tuple>

#include "navvy/error.hpp"

namespace navvy {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool precedes(const Match& a, const Match& b) {
  return std::tie(a.distance, a.row) < std::tie(b.distance, b.row);
}

bool can_precede(const Match& a, const Match& b) {
  const bool tie_is_settled = a.exact && b.exact && a.row > b.row;
  return a.lower < b.upper || (a.lower == b.upper && !tie_is_settled);
}

void check(std::span<const Matches> parts) {
  for (const Matches& part : parts) {
    const Matches& first = parts.front();
    if (part.queries != first.queries || part.top != first.top ||
        part.has_bounds() != first.has_bounds())
      throw Error(ErrorCode::usage, "answers to different questions cannot be merged");
  }
}

// Whether the answer is the true one with its true distances: what is left out comes after it.
bool is_final(const Ranked& answer, const Proof& proof) {
  return proof.certain == proof.matches &&
         std::all_of(answer.begin(), answer.end(), [](const Match& match) { return match.exact; });
}

/// The answers of all parts to one query.
class Merged {
 public:
  Merged(std::span<const Matches> parts, std::size_t query)
      : parts_(parts), query_(query), top_(parts.front().top) {
    for (const Matches& part : parts) {
      const Ranked answer = part[query];
      all_.insert(all_.end(), answer.begin(), answer.end());
    }
    std::sort(all_.begin(), all_.end(), precedes);
  }

  [[nodiscard]] std::span<const Match> answer() const {
    return std::span(all_).first(std::min(top_, all_.size()));
  }

  [[nodiscard]] Proof proof() const {
    Proof proof;
    for (const Matches& part : parts_) {
      const Proof& added = part.proofs[query_];
      for (const SearchCounters::Stage& stage : added.stages) add_stage(stage, proof.stages);
      proof.rows += added.rows;
      proof.solves += added.solves;
      proof.undecided += added.undecided;
      proof.seconds += added.seconds;
      proof.beyond = std::min(proof.beyond, added.beyond);
    }
    for (const Match& left_out : std::span(all_).subspan(answer().size()))
      proof.beyond = std::min(proof.beyond, left_out.lower);
    proof.matches = answer().size();
    proof.certain = count_certain();
    return proof;
  }

 private:
  // Rows that a part has not listed come after whatever is merged where its answer is final: it has
  // `top` nearer ones, and not all of these come before a merged match.
  [[nodiscard]] double least_unlisted() const {
    double least = infinity;
    for (const Matches& part : parts_)
      if (!is_final(part[query_], part.proofs[query_]))
        least = std::min(least, part.proofs[query_].beyond);
    return least;
  }

  [[nodiscard]] std::uint64_t count_certain() const {
    const double unlisted = least_unlisted();
    const auto is_certain = [&](const Match& match) {
      if (unlisted <= match.upper) return false;
      const auto before = std::count_if(all_.begin(), all_.end(), [&](const Match& other) {
        return other.row != match.row && can_precede(other, match);
      });
      return static_cast<std::size_t>(before) < top_;
    };
    const auto nearest = answer();
    return static_cast<std::uint64_t>(std::count_if(nearest.begin(), nearest.end(), is_certain));
  }

  std::span<const Matches> parts_;
  std::size_t query_;
  std::size_t top_;
  std::vector<Match> all_;
};

void add(const SearchCounters& counters, SearchCounters& sum) {
  for (const SearchCounters::Stage& stage : counters.stages) add_stage(stage, sum.stages);
  sum.list_growths += counters.list_growths;
  sum.unconverged += counters.unconverged;
}

}  // namespace

void add_stage(const SearchCounters::Stage& stage, std::vector<SearchCounters::Stage>& stages) {
  auto place = std::ranges::find(stages, stage.measure, &SearchCounters::Stage::measure);
  if (place == stages.end()) place = stages.insert(stages.end(), {stage.measure, 0, 0});
  place->rows += stage.rows;
  place->seconds += stage.seconds;
}

Matches::Matches(std::size_t query_count, std::size_t length)
    : queries(query_count),
      top(length),
      rows(query_count * length, no_row),
      distances(query_count * length, std::numeric_limits<double>::quiet_NaN()) {}

void Matches::add_bounds() {
  lower.assign(rows.size(), std::numeric_limits<double>::quiet_NaN());
  upper = lower;
  exact.assign(rows.size(), 0);
  proofs.assign(queries, {});
}

Ranked Matches::operator[](std::size_t query) const { return {*this, query}; }

void Matches::put(std::size_t query, std::size_t rank, const Match& match) {
  const std::size_t place = query * top + rank;
  rows[place] = match.row;
  distances[place] = match.distance;
  if (!has_bounds()) return;
  lower[place] = match.lower;
  upper[place] = match.upper;
  exact[place] = match.exact ? 1 : 0;
}

Ranked::Ranked(const Matches& matches, std::size_t query)
    : matches_(&matches), first_(query * matches.top) {
  const auto places = std::span(matches.rows).subspan(first_, matches.top);
  const auto end = std::ranges::partition_point(places, [](auto row) { return row != no_row; });
  size_ = static_cast<std::size_t>(end - places.begin());
}

Match Ranked::operator[](std::size_t rank) const {
  const std::size_t place = first_ + rank;
  Match match{row(rank), distance(rank)};
  if (!matches_->has_bounds()) return match;
  match.lower = matches_->lower[place];
  match.upper = matches_->upper[place];
  match.exact = matches_->exact[place] != 0;
  return match;
}

Matches merge(std::span<const Matches> parts) {
  if (parts.empty()) return {};
  check(parts);
  Matches matches(parts.front().queries, parts.front().top);
  if (parts.front().has_bounds()) matches.add_bounds();
  for (std::size_t query = 0; query < matches.queries; ++query) {
    const Merged merged(parts, query);
    std::size_t rank = 0;
    for (const Match& match : merged.answer()) matches.put(query, rank++, match);
    if (matches.has_bounds()) matches.proofs[query] = merged.proof();
  }
  for (const Matches& part : parts) add(part.counters, matches.counters);
  return matches;
}

}  // namespace navvy
