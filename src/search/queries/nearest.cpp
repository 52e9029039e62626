// Refines candidates in the order of their bounds until the next one lets none in.
#include "search/queries/nearest.hpp"

#include <algorithm>
#include <vector>

#include "core/clock.hpp"
#include "core/top.hpp"
#include "search/answers.hpp"
#include "search/queries/with_bow.hpp"

namespace navvy::search {
namespace {

using Candidate = core::Candidate<float>;

// The matches of one query after the other.
class NearestRows {
 public:
  NearestRows(const backends::PreparedRows& rows, backends::QueryBlock& block,
              const SearchOptions& options, core::Run& run)
      : rows_(rows),
        block_(block),
        options_(options),
        run_(run),
        reserved_(run.budget.reserve(std::uint64_t{rows.rows()} * sizeof(Candidate),
                                     "the candidates of a query")) {
    candidates_.reserve(rows.rows());
  }

  /// Rows so far whose bound did not settle them.
  [[nodiscard]] std::uint64_t refined() const noexcept { return refined_; }

  std::vector<Candidate> run(std::size_t query, std::uint32_t own_row) {
    const backends::QueryBlock::Bounds bounds = block_.bounds(query);
    candidates_.clear();
    for (std::uint32_t row = 0; row < rows_.rows(); ++row)
      if (row != own_row && !rows_.is_empty(row) && is_among(options_, row))
        candidates_.push_back({bounds.of(row), row});
    core::TopList<float> list(options_.top, float_limit(options_, query));
    if (bounds.exact)
      for (const Candidate& candidate : candidates_) list.offer(candidate.distance, candidate.row);
    else
      refine(list);
    return list.sorted();
  }

 private:
  // Ever more of the rows with the least bounds, until the next bound lets none in.
  void refine(core::TopList<float>& list) {
    const auto at = [&](std::size_t i) {
      return candidates_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::size_t step = std::max<std::size_t>(2 * options_.top, 64);
    for (std::size_t begin = 0; begin < candidates_.size(); step *= 2) {
      const std::size_t end = std::min(begin + step, candidates_.size());
      if (end < candidates_.size()) std::nth_element(at(begin), at(end), candidates_.end());
      offer_refined({at(begin), at(end)}, list);
      begin = end;
      drop_beyond(list.threshold(), begin);
    }
  }

  // Of the candidates from `begin` on those that cannot enter any more.
  void drop_beyond(float threshold, std::size_t begin) {
    const auto left =
        std::remove_if(candidates_.begin() + static_cast<std::ptrdiff_t>(begin), candidates_.end(),
                       [&](const Candidate& candidate) { return candidate.distance > threshold; });
    candidates_.erase(left, candidates_.end());
  }

  void offer_refined(std::span<Candidate> candidates, core::TopList<float>& list) {
    raise(candidates);
    std::ranges::sort(candidates, {}, &Candidate::distance);
    // Few at a time: each may rule out those after it.
    const std::size_t step = std::max<std::size_t>(2 * options_.top, 64);
    for (std::size_t begin = 0; begin < candidates.size(); begin += step) {
      wanted_.clear();
      for (const Candidate& candidate :
           candidates.subspan(begin, std::min(step, candidates.size() - begin)))
        if (candidate.distance <= list.threshold()) wanted_.push_back(candidate.row);
      if (wanted_.empty()) return;
      distances_.resize(wanted_.size());
      block_.distances(wanted_, distances_, run_);
      for (std::size_t i = 0; i < wanted_.size(); ++i) list.offer(distances_[i], wanted_[i]);
      refined_ += wanted_.size();
    }
  }

  void raise(std::span<Candidate> candidates) {
    wanted_.resize(candidates.size());
    distances_.resize(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      wanted_[i] = candidates[i].row;
      distances_[i] = candidates[i].distance;
    }
    block_.raise(wanted_, distances_, run_);
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].distance = distances_[i];
  }

  const backends::PreparedRows& rows_;
  backends::QueryBlock& block_;
  const SearchOptions& options_;
  core::Run& run_;
  core::Reservation reserved_;
  std::uint64_t refined_ = 0;
  std::vector<Candidate> candidates_;
  std::vector<std::uint32_t> wanted_;
  std::vector<float> distances_;
};

}  // namespace

void search_nearest(const backends::PreparedRows& rows, const Queries& queries,
                    const SearchOptions& options, core::Run& run, Matches& matches) {
  const auto block = query_block(rows, options.question, options.run.batch, queries.size(), run);
  NearestRows nearest(rows, *block, options, run);
  double bounding = 0;
  double refining = 0;
  queries.begin(run.monitor, 1);
  for (std::size_t first = 0; first < queries.size(); first += block->block()) {
    const std::size_t last = std::min(first + block->block(), queries.size());
    const auto start = core::Clock::now();
    block->prepare(*queries.histograms, {first, last}, run);
    bounding += core::seconds_since(start);
    const auto prepared = core::Clock::now();
    for (std::size_t query = first; query < last; ++query) {
      put(nearest.run(query, queries.own_row(query)), query, matches);
      run.monitor.add(1);
      run.monitor.throw_if_stopped();
    }
    refining += core::seconds_since(prepared);
  }
  const std::string name = to_string(options.question.measure);
  const std::uint64_t pairs = std::uint64_t{rows.rows()} * queries.size();
  const bool moves_mass = is_relaxation(options.question.measure);
  matches.counters.stages.push_back({moves_mass ? name + " into query" : name, pairs, bounding});
  if (nearest.refined() > 0) matches.counters.stages.push_back({name, nearest.refined(), refining});
}

}  // namespace navvy::search
