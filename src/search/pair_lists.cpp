#include "search/pair_lists.hpp"

#include <algorithm>

#include "backends/level_table.hpp"

namespace navvy::search {
namespace {

using backends::SmallCandidates;

// The same pairs by their second row: for each row, where it stands in the lists.
struct Reversed {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint64_t> places;
};

Reversed reversed(const PairLists& lists, std::size_t rows) {
  Reversed result{std::vector<std::uint64_t>(rows + 1, 0),
                  std::vector<std::uint64_t>(lists.rows.size())};
  for (const std::uint32_t row : lists.rows) ++result.offsets[row + 1];
  for (std::size_t row = 0; row < rows; ++row) result.offsets[row + 1] += result.offsets[row];
  std::vector<std::uint64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::uint64_t place = 0; place < lists.rows.size(); ++place)
    result.places[next[lists.rows[place]]++] = place;
  return result;
}

// The costs of one query's pairs. A row that stands in the query's list and has the query in its
// own is costed once.
class Worker {
 public:
  Worker(const Index& index, const backends::RowBlocks& rows, const backends::SmallGround& ground,
         const Measure& measure)
      : index_(index), candidates_(ground, rows, measure), places_(rows.rows(), none) {}

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
    candidates_.set_query(index_.rows[query]);
    candidates_.costs(rows_, costs_);
    std::copy_n(costs_.begin(), own_costs.size(), own_costs.begin());
    for (std::size_t i = 0; i < others.size(); ++i) other_costs[i] = costs_[places_[others[i]]];
    for (const std::uint32_t row : rows_) places_[row] = none;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  const Index& index_;
  SmallCandidates candidates_;
  std::vector<std::uint32_t> places_;  // of rows in rows_, or none
  std::vector<std::uint32_t> rows_;
  std::vector<float> costs_;
};

}  // namespace

void fill_distances(const Index& index, const backends::RowBlocks& rows,
                    const backends::SmallGround& ground, const Measure& measure,
                    Direction direction, core::ThreadPool& pool, core::Monitor& monitor,
                    PairLists& lists) {
  const bool forward = direction != Direction::query_to_database;
  const bool backward = direction != Direction::database_to_query;
  lists.distances.assign(lists.rows.size(), 0);
  const Reversed reverse = backward ? reversed(lists, rows.rows()) : Reversed{};
  // The costs into a pair's first row and into its second are found by different threads.
  std::vector<float> other(backward ? lists.rows.size() : 0);
  struct Scratch {
    Worker worker;
    std::vector<std::uint32_t> others;
    std::vector<float> costs;
  };
  std::vector<Scratch> scratch;
  for (unsigned thread = 0; thread < pool.threads(); ++thread)
    scratch.push_back({Worker(index, rows, ground, measure), {}, {}});

  monitor.begin("candidates", rows.rows());
  pool.run(
      rows.rows(),
      [&](std::size_t query, unsigned thread) {
        Scratch& own = scratch[thread];
        const std::uint64_t begin = lists.offsets[query];
        const std::uint64_t count = forward ? lists.offsets[query + 1] - begin : 0;
        own.others.clear();
        std::span<const std::uint64_t> places;
        if (backward)
          places = std::span(reverse.places)
                       .subspan(reverse.offsets[query],
                                reverse.offsets[query + 1] - reverse.offsets[query]);
        auto list = lists.offsets.begin();
        for (const std::uint64_t place : places) {
          // Places ascend, and so do the lists that they belong to.
          list = std::upper_bound(list, lists.offsets.end(), place) - 1;
          own.others.push_back(static_cast<std::uint32_t>(list - lists.offsets.begin()));
        }
        own.costs.resize(places.size());
        own.worker.run(query, std::span(lists.rows).subspan(begin, count), own.others,
                       std::span(lists.distances).subspan(begin, count), own.costs);
        for (std::size_t i = 0; i < places.size(); ++i) other[places[i]] = own.costs[i];
        monitor.add(1);
      },
      &monitor);
  for (std::size_t place = 0; place < other.size(); ++place)
    lists.distances[place] = std::max(lists.distances[place], other[place]);
}

}  // namespace navvy::search
