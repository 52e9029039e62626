#include "search/few_queries.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "core/top.hpp"
#include "search/query_costs.hpp"

namespace navvy::search {
namespace {

using Candidate = core::Candidate<float>;

// The matches of one query, from the costs of moving every row into it.
class ListOfOne {
 public:
  ListOfOne(const Engine& engine, const SearchOptions& options, core::ThreadPool& pool,
            QueryCosts& costs)
      : engine_(engine),
        pool_(pool),
        costs_(costs),
        top_(options.top),
        finish_(options.measure.kind == MeasureKind::ict),
        forward_(options.direction != Direction::query_to_database),
        backward_(options.direction != Direction::database_to_query) {}

  [[nodiscard]] std::uint64_t refined() const noexcept { return refined_; }

  std::vector<Candidate> run(std::size_t query, std::uint32_t own_row) {
    const QueryCosts::Costs forward = costs_.choose(query);
    candidates_.clear();
    for (std::uint32_t row = 0; row < engine_.rows.rows(); ++row)
      if (row != own_row && !engine_.rows.is_empty(row))
        candidates_.push_back({forward.values[row * forward.stride], row});
    core::TopList<float> list(top_);
    if (!backward_ && !finish_) {
      for (const Candidate& candidate : candidates_) list.offer(candidate.distance, candidate.row);
      return list.sorted();
    }
    const auto at = [&](std::size_t i) {
      return candidates_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::size_t step = std::max<std::size_t>(2 * top_, 64);
    for (std::size_t begin = 0; begin < candidates_.size(); step *= 2) {
      const std::size_t end = std::min(begin + step, candidates_.size());
      if (end < candidates_.size()) std::nth_element(at(begin), at(end), candidates_.end());
      offer_refined({at(begin), at(end)}, list);
      // What is left is at least as far as its nearest in the first direction.
      if (end < candidates_.size() && forward_ && at(end)->distance > list.threshold()) break;
      begin = end;
    }
    return list.sorted();
  }

 private:
  void offer_refined(std::span<const Candidate> candidates, core::TopList<float>& list) {
    wanted_.clear();
    for (const Candidate& candidate : candidates)
      if (!forward_ || candidate.distance <= list.threshold()) wanted_.push_back(candidate);
    constexpr std::size_t block = 16;
    pool_.run((wanted_.size() + block - 1) / block, [&](std::size_t b, unsigned thread) {
      const std::size_t last = std::min((b + 1) * block, wanted_.size());
      for (std::size_t i = b * block; i < last; ++i)
        wanted_[i].distance = refine(wanted_[i], thread);
    });
    for (const Candidate& candidate : wanted_) list.offer(candidate.distance, candidate.row);
    refined_ += wanted_.size();
  }

  // The first cost is already the measure's, but for ict, whose tables end before its levels do.
  [[nodiscard]] float refine(const Candidate& candidate, unsigned thread) const {
    float distance = forward_ ? candidate.distance : 0;
    if (forward_ && finish_) distance = costs_.into_query(candidate.row, thread);
    return backward_ ? std::max(distance, costs_.into_row(candidate.row, thread)) : distance;
  }

  const Engine& engine_;
  core::ThreadPool& pool_;
  QueryCosts& costs_;
  std::size_t top_;
  bool finish_, forward_, backward_;
  std::uint64_t refined_ = 0;
  std::vector<Candidate> candidates_;
  std::vector<Candidate> wanted_;
};

}  // namespace

void search_relaxation(const Engine& engine, const Queries& queries, const SearchOptions& options,
                       core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor,
                       Matches& matches) {
  const auto costs =
      query_costs(engine, options.measure, queries.size(), options.batch, budget, pool);
  ListOfOne lists(engine, options, pool, *costs);
  using Clock = std::chrono::steady_clock;
  Clock::duration into_query{}, refining{};
  monitor.begin("queries", queries.size());
  for (std::size_t first = 0; first < queries.size(); first += costs->block()) {
    const std::size_t last = std::min(first + costs->block(), queries.size());
    const auto start = Clock::now();
    costs->prepare(*queries.histograms, {first, last}, monitor);
    const auto prepared = Clock::now();
    into_query += prepared - start;
    for (std::size_t query = first; query < last; ++query) {
      const auto found = lists.run(query, queries.own_row(query));
      for (std::size_t rank = 0; rank < found.size(); ++rank) {
        matches.rows[query * options.top + rank] = found[rank].row;
        matches.distances[query * options.top + rank] = static_cast<double>(found[rank].distance);
      }
      monitor.add(1);
      monitor.throw_if_stopped();
    }
    refining += Clock::now() - prepared;
  }
  const auto seconds = [](Clock::duration time) {
    return std::chrono::duration<double>(time).count();
  };
  const std::string name = to_string(options.measure);
  matches.counters.stages.push_back({name + " into query",
                                     std::uint64_t{engine.rows.rows()} * queries.size(),
                                     seconds(into_query)});
  if (lists.refined() > 0)
    matches.counters.stages.push_back({name, lists.refined(), seconds(refining)});
}

}  // namespace navvy::search
