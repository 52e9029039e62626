#include "search/few_queries.hpp"

#include <algorithm>
#include <vector>

#include "backends/costs.hpp"
#include "backends/level_table.hpp"
#include "core/buffer.hpp"
#include "core/top.hpp"
#include "search/reverse_costs.hpp"
#include "search/small_tiles.hpp"

namespace navvy::search {
namespace {

using backends::LaneTables;
using backends::RowBlocks;
using Candidate = core::Candidate<float>;

// The matches of one query, from the costs of moving every row into it.
class ListOfOne {
 public:
  ListOfOne(const Engine& engine, const SearchOptions& options, core::ThreadPool& pool)
      : engine_(engine),
        options_(options),
        pool_(pool),
        finish_(options.measure.kind == MeasureKind::ict),
        forward_(options.direction != Direction::query_to_database),
        backward_(options.direction != Direction::database_to_query) {
    for (unsigned thread = 0; thread < pool.threads(); ++thread)
      workers_.push_back({ReverseCosts(engine, options.measure),
                          backends::SmallCandidates(*engine.small, engine.rows, options.measure)});
  }

  // `forward[row * lanes + lane]`; returns the sorted list. Counts the rows costed backwards.
  std::vector<Candidate> run(const Histogram& query, std::uint32_t own_row, const float* forward,
                             std::size_t lanes, std::uint64_t& reversed) {
    candidates_.clear();
    for (std::uint32_t row = 0; row < engine_.rows.rows(); ++row)
      if (row != own_row && !engine_.rows.is_empty(row))
        candidates_.push_back({forward[row * lanes], row});
    core::TopList<float> list(options_.top);
    if (!backward_ && !finish_) {
      for (const Candidate& candidate : candidates_) list.offer(candidate.distance, candidate.row);
      return list.sorted();
    }
    for (Worker& worker : workers_) {
      if (backward_) worker.reverse.set_query(query);
      if (finish_) worker.candidates.set_query(query);
    }
    std::size_t begin = 0;
    std::size_t step = std::max<std::size_t>(2 * options_.top, 64);
    while (begin < candidates_.size()) {
      const std::size_t end = std::min(begin + step, candidates_.size());
      const auto at = [&](std::size_t i) {
        return candidates_.begin() + static_cast<std::ptrdiff_t>(i);
      };
      if (end < candidates_.size()) std::nth_element(at(begin), at(end), candidates_.end());
      reversed += offer_exact({at(begin), at(end)}, list);
      begin = end;
      step *= 2;
      // Everything behind is at least as far forwards as the nearest of what is left.
      if (begin < candidates_.size() && forward_ &&
          std::min_element(at(begin), candidates_.end())->distance > list.threshold())
        break;
    }
    return list.sorted();
  }

 private:
  struct Worker {
    ReverseCosts reverse;
    backends::SmallCandidates candidates;
  };

  std::size_t offer_exact(std::span<const Candidate> candidates, core::TopList<float>& list) {
    wanted_.clear();
    for (const Candidate& candidate : candidates)
      if (!forward_ || candidate.distance <= list.threshold()) wanted_.push_back(candidate);
    constexpr std::size_t block = 16;
    pool_.run((wanted_.size() + block - 1) / block, [&](std::size_t b, unsigned thread) {
      const std::size_t last = std::min((b + 1) * block, wanted_.size());
      for (std::size_t i = b * block; i < last; ++i)
        wanted_[i].distance = exact(wanted_[i], workers_[thread]);
    });
    for (const Candidate& candidate : wanted_) list.offer(candidate.distance, candidate.row);
    return wanted_.size();
  }

  // The first cost is already the measure's, but for ict, whose tables end before its levels do.
  [[nodiscard]] float exact(const Candidate& candidate, Worker& worker) const {
    float distance = forward_ ? candidate.distance : 0;
    if (forward_ && finish_) worker.candidates.costs({&candidate.row, 1}, {&distance, 1});
    return backward_ ? std::max(distance, worker.reverse(candidate.row)) : distance;
  }

  const Engine& engine_;
  const SearchOptions& options_;
  core::ThreadPool& pool_;
  bool finish_, forward_, backward_;
  std::vector<Worker> workers_;
  std::vector<Candidate> candidates_;
  std::vector<Candidate> wanted_;
};

}  // namespace

void search_relaxation(const Engine& engine, const Queries& queries, const SearchOptions& options,
                       core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor,
                       Matches& matches) {
  const backends::Levels levels = backends::levels_of(options.measure);
  const std::size_t most = options.batch != 0 ? options.batch : panel_lanes;
  const std::size_t lanes = std::min(queries.size(), most) <= 16 ? 16 : panel_lanes;
  const std::size_t n = engine.rows.rows();
  budget.take(LaneTables::memory(engine.small->size(), lanes, levels),
              "the table of a query block");
  budget.take(std::uint64_t{n} * lanes * sizeof(float), "costs of a query block");
  LaneTables tables(engine.small->size(), lanes, levels);
  core::Buffer<float> costs(n * lanes);
  std::vector<core::Buffer<float>> scratch;
  for (unsigned thread = 0; thread < pool.threads(); ++thread)
    scratch.emplace_back(RowBlocks::block_rows * lanes);
  backends::SmallNearest nearest(*engine.small);
  ListOfOne lists(engine, options, pool);
  std::uint64_t reversed = 0;
  const std::size_t per_block = std::min(lanes, most);
  monitor.begin("queries", queries.size());
  for (std::size_t first = 0; first < queries.size(); first += per_block) {
    const std::size_t last = std::min(first + per_block, queries.size());
    fill_tables(nearest, *queries.histograms, {first, last}, tables);
    pool.run(
        engine.rows.blocks(),
        [&](std::size_t block, unsigned thread) {
          backends::block_costs(engine.rows, block, tables,
                                costs.data() + block * RowBlocks::block_rows * lanes,
                                scratch[thread].data());
        },
        &monitor);
    for (std::size_t query = first; query < last; ++query) {
      const auto found = lists.run((*queries.histograms)[query], queries.own_row(query),
                                   costs.data() + (query - first), lanes, reversed);
      for (std::size_t rank = 0; rank < found.size(); ++rank) {
        matches.rows[query * options.top + rank] = found[rank].row;
        matches.distances[query * options.top + rank] = static_cast<double>(found[rank].distance);
      }
      monitor.add(1);
      monitor.throw_if_stopped();
    }
  }
  matches.counters.stages.push_back(
      {to_string(options.measure) + " database-to-query", std::uint64_t{n} * queries.size(), 0});
  if (reversed > 0)
    matches.counters.stages.push_back(
        {to_string(options.measure) + " query-to-database", reversed, 0});
}

}  // namespace navvy::search
