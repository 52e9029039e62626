// Which way each measure goes, and lists of any length.
#include "search/queries/answer.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/chosen_rows.hpp"
#include "core/top.hpp"
#include "search/exact/search.hpp"
#include "search/queries/every_row.hpp"
#include "search/queries/nearest.hpp"

namespace navvy::search {
namespace {

Matches cut_lists(const backends::PreparedRows& rows, const Queries& queries,
                  const SearchOptions& options, core::Run& run) {
  Matches matches(queries.size(), options.top);
  if (is_exact(options.question.measure))
    search_exact(rows, queries, {options}, run, matches);
  else if (options.question.measure.kind == MeasureKind::sinkhorn)
    search_every_row(rows, queries, options, run, matches);
  else
    search_nearest(rows, queries, options, run, matches);
  return matches;
}

// Some of many queries, with what belongs to each.
struct SomeQueries {
  Histograms histograms;
  std::vector<double> limits;

  SomeQueries(const Queries& all, core::Range range, const SearchOptions& options) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t query = range.begin; query < range.end; ++query) {
      numbers.push_back(static_cast<std::uint32_t>(query));
      limits.push_back(start_limit(options, query));
    }
    histograms = core::chosen_rows(*all.histograms, numbers);
  }
};

// Lists as long as they are, one after the other.
class UncutLists {
 public:
  UncutLists(const SearchOptions& options, core::Run& run)
      : exact_(is_exact(options.question.measure)), run_(run) {}

  void take(Matches part) {
    std::size_t count = 0;
    for (std::size_t query = 0; query < part.queries; ++query) count += part[query].size();
    reserved_.merge(run_.budget.reserve(count * sizeof(Match), what));
    for (std::size_t query = 0; query < part.queries; ++query) {
      const Ranked list = part[query];
      found_.insert(found_.end(), list.begin(), list.end());
      ends_.push_back(found_.size());
      longest_ = std::max(longest_, list.size());
    }
    std::ranges::move(part.proofs, std::back_inserter(proofs_));
    for (const SearchCounters::Stage& stage : part.counters.stages)
      add_stage(stage, counters_.stages);
    counters_.unconverged += part.counters.unconverged;
  }

  /// Bytes of a place for a match.
  [[nodiscard]] std::uint64_t bytes_per_match() const {
    return sizeof(std::int64_t) + sizeof(double) +
           (exact_ ? 2 * sizeof(double) + sizeof(std::uint8_t) : 0);
  }

  Matches matches() && {
    const core::Reservation room =
        run_.budget.reserve(ends_.size() * longest_ * bytes_per_match(), what);
    Matches matches(ends_.size(), longest_);
    if (exact_) matches.add_bounds();
    std::size_t begin = 0;
    for (std::size_t query = 0; query < ends_.size(); ++query) {
      for (std::size_t i = begin; i < ends_[query]; ++i) matches.put(query, i - begin, found_[i]);
      begin = ends_[query];
    }
    matches.proofs = std::move(proofs_);
    matches.counters = std::move(counters_);
    return matches;
  }

 private:
  static constexpr const char* what = "the matches of all queries";

  bool exact_;
  core::Run& run_;
  core::Reservation reserved_;
  std::vector<Match> found_;
  std::vector<std::size_t> ends_;  // in found_, by query
  std::size_t longest_ = 0;
  std::vector<Proof> proofs_;
  SearchCounters counters_;
};

// Queries that are answered together: each may match every row.
std::size_t queries_at_once(std::uint64_t bytes_per_query, const core::Budget& budget) {
  constexpr std::uint64_t most = std::uint64_t{64} << 20U;
  const std::uint64_t share = std::min(most, budget.left() / 4);
  return static_cast<std::size_t>(
      std::max<std::uint64_t>(share / std::max<std::uint64_t>(bytes_per_query, 1), 1));
}

Matches uncut_lists(const backends::PreparedRows& rows, const Queries& queries,
                    SearchOptions options, core::Run& run) {
  UncutLists lists(options, run);
  options.top = rows.rows();
  const SearchOptions asked = options;
  const std::uint64_t per_query = options.top * lists.bytes_per_match();
  const std::size_t block = queries_at_once(per_query, run.budget);
  for (std::size_t begin = 0; begin < queries.size(); begin += block) {
    const core::Range range{begin, std::min(begin + block, queries.size())};
    SomeQueries some(queries, range, asked);
    options.limits = Array(std::move(some.limits));
    const std::span<const std::uint32_t> own_rows =
        queries.own_rows.empty() ? queries.own_rows : queries.own_rows.subspan(begin, range.size());
    // The list that a query fills while it runs has some more room than its matches need.
    const core::Reservation reserved = run.budget.reserve(
        range.size() * per_query +
            core::TopList<double>::memory(core::TopList<double>::usual_room(options.top)),
        "the matches of some queries");
    lists.take(cut_lists(rows, {&some.histograms, own_rows, begin, queries.size()}, options, run));
  }
  return std::move(lists).matches();
}

}  // namespace

Matches answer(const backends::PreparedRows& rows, const Queries& queries,
               const SearchOptions& options, core::Run& run) {
  return options.top == uncut ? uncut_lists(rows, queries, options, run)
                              : cut_lists(rows, queries, options, run);
}

}  // namespace navvy::search
