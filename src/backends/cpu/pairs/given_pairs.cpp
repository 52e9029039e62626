// Costs given pairs by the row that is the destination, so that each table is made once.
#include "backends/cpu/pairs/given_pairs.hpp"

#include <algorithm>

#include "backends/cpu/ground/sorted.hpp"
#include "backends/cpu/relaxation/pair_cost.hpp"
#include "backends/cpu/tables/one_query.hpp"
#include "core/direction.hpp"

namespace navvy::backends {
namespace {

// The same pairs by their second row: for each row, where it stands, and in whose list.
struct Reversed {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint64_t> places;
  std::vector<std::uint32_t> owners;
};

Reversed reversed(const Pairs& pairs, std::size_t rows) {
  Reversed result{std::vector<std::uint64_t>(rows + 1, 0),
                  std::vector<std::uint64_t>(pairs.rows.size()),
                  std::vector<std::uint32_t>(pairs.rows.size())};
  for (const std::uint32_t row : pairs.rows) ++result.offsets[row + 1];
  for (std::size_t row = 0; row < rows; ++row) result.offsets[row + 1] += result.offsets[row];
  std::vector<std::uint64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::uint32_t owner = 0; owner < rows; ++owner)
    for (std::uint64_t place = pairs.offsets[owner]; place < pairs.offsets[owner + 1]; ++place) {
      const std::uint64_t entry = next[pairs.rows[place]]++;
      result.places[entry] = place;
      result.owners[entry] = owner;
    }
  return result;
}

// The costs of one query's pairs. A row that stands in the query's list and has the query in its
// own is costed once.
class QueryPairs {
 public:
  QueryPairs(const Engine& engine, const Measure& measure)
      : engine_(engine),
        levels_(levels_of(measure)),
        candidates_(*engine.sorted, engine.rows, levels_),
        nearest_(*engine.sorted),
        places_(engine.rows.rows(), none) {}

  // `own` rows into the query, then `others`: costs in the same order.
  void run(std::size_t query, std::span<const std::uint32_t> own,
           std::span<const std::uint32_t> others, std::span<float> own_costs,
           std::span<float> other_costs) {
    if (own.empty() && others.empty()) return;
    rows_.assign(own.begin(), own.end());
    for (std::size_t i = 0; i < own.size(); ++i) places_[own[i]] = static_cast<std::uint32_t>(i);
    for (const std::uint32_t row : others)
      if (places_[row] == none) {
        places_[row] = static_cast<std::uint32_t>(rows_.size());
        rows_.push_back(row);
      }
    costs_.resize(rows_.size());
    cost_rows(engine_.index.rows[query]);
    std::copy_n(costs_.begin(), own_costs.size(), own_costs.begin());
    for (std::size_t i = 0; i < others.size(); ++i) other_costs[i] = costs_[places_[others[i]]];
    for (const std::uint32_t row : rows_) places_[row] = none;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  // A table costs as much as some pairs one by one, the more the more levels it has.
  void cost_rows(const Histogram& query) {
    if (rows_.size() > 4 + 2 * static_cast<std::size_t>(levels_.count)) {
      candidates_.set_query(query);
      candidates_.costs(rows_, costs_);
      return;
    }
    nearest_.set_query(query);
    const std::size_t levels =
        levels_.finish ? query.size() : static_cast<std::size_t>(levels_.count);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      costs_[i] = cost_(engine_.rows.sources()[rows_[i]], engine_.rows.piece_ends(rows_[i]), levels,
                        levels_.overflow, nearest_);
  }

  const Engine& engine_;
  Levels levels_;
  OneQueryTable candidates_;
  SortedNearest nearest_;
  PairCost cost_;
  std::vector<std::uint32_t> places_;  // of rows in rows_, or none
  std::vector<std::uint32_t> rows_;
  std::vector<float> costs_;
};

}  // namespace

void cost_pairs(const Engine& engine, const Task& task, std::span<const std::uint32_t> order,
                Pairs& pairs, Run& run) {
  const bool forward = core::moves_rows(task.direction);
  const bool backward = core::moves_query(task.direction);
  pairs.distances.assign(pairs.rows.size(), 0);
  const Reversed reverse = backward ? reversed(pairs, order.size()) : Reversed{};
  // The costs into a pair's first row and into its second are found by different threads.
  std::vector<float> other(backward ? pairs.rows.size() : 0);
  struct Worker {
    QueryPairs pairs;
    std::vector<float> costs;
  };
  std::vector<Worker> workers;
  for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
    workers.push_back({QueryPairs(engine, task.measure), {}});

  run.monitor.begin("candidates", order.size());
  run.pool.run(
      order.size(),
      [&](std::size_t place, unsigned thread) {
        const std::size_t query = order[place];
        Worker& own = workers[thread];
        const std::uint64_t begin = pairs.offsets[query];
        const std::uint64_t count = forward ? pairs.offsets[query + 1] - begin : 0;
        const std::uint64_t other_begin = backward ? reverse.offsets[query] : 0;
        const std::uint64_t other_count = backward ? reverse.offsets[query + 1] - other_begin : 0;
        const auto places = std::span(reverse.places).subspan(other_begin, other_count);
        own.costs.resize(other_count);
        own.pairs.run(query, std::span(pairs.rows).subspan(begin, count),
                      std::span(reverse.owners).subspan(other_begin, other_count),
                      std::span(pairs.distances).subspan(begin, count), own.costs);
        for (std::size_t i = 0; i < places.size(); ++i) other[places[i]] = own.costs[i];
        run.monitor.add(1);
      },
      &run.monitor);
  for (std::size_t place = 0; place < other.size(); ++place)
    pairs.distances[place] = core::combined(task.direction, pairs.distances[place], other[place]);
}

}  // namespace navvy::backends
