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

struct Worker {
  SmallCandidates candidates;
  std::vector<std::uint32_t> rows;
  std::vector<float> costs;
};

}  // namespace

void fill_distances(const Index& index, const backends::RowBlocks& rows,
                    const backends::SmallGround& ground, const Measure& measure,
                    Direction direction, core::ThreadPool& pool, core::Monitor& monitor,
                    PairLists& lists) {
  const bool forward = direction != Direction::query_to_database;
  const bool backward = direction != Direction::database_to_query;
  lists.distances.assign(lists.rows.size(), 0);
  const Reversed reverse = backward ? reversed(lists, rows.rows())
                                    : Reversed{std::vector<std::uint64_t>(rows.rows() + 1, 0), {}};
  // The costs into a pair's first row and into its second are found by different threads.
  std::vector<float> other(backward ? lists.rows.size() : 0);
  // Which list a place belongs to is found by walking the places of one row, which ascend.
  std::vector<Worker> workers;
  for (unsigned thread = 0; thread < pool.threads(); ++thread)
    workers.push_back({SmallCandidates(ground, rows, measure), {}, {}});

  monitor.begin("candidates", rows.rows());
  pool.run(
      rows.rows(),
      [&](std::size_t query, unsigned thread) {
        Worker& worker = workers[thread];
        const auto own =
            std::span(lists.rows)
                .subspan(lists.offsets[query], lists.offsets[query + 1] - lists.offsets[query]);
        const auto places = std::span(reverse.places)
                                .subspan(reverse.offsets[query],
                                         reverse.offsets[query + 1] - reverse.offsets[query]);
        monitor.add(1);
        if ((own.empty() || !forward) && places.empty()) return;
        worker.candidates.set_query(index.rows[query]);
        if (forward)
          worker.candidates.costs(
              own, std::span(lists.distances).subspan(lists.offsets[query], own.size()));
        worker.rows.clear();
        auto list = lists.offsets.begin();
        for (const std::uint64_t place : places) {
          list = std::upper_bound(list, lists.offsets.end(), place) - 1;
          worker.rows.push_back(static_cast<std::uint32_t>(list - lists.offsets.begin()));
        }
        worker.costs.resize(places.size());
        worker.candidates.costs(worker.rows, worker.costs);
        for (std::size_t i = 0; i < places.size(); ++i) other[places[i]] = worker.costs[i];
      },
      &monitor);
  for (std::size_t place = 0; place < other.size(); ++place)
    lists.distances[place] = std::max(lists.distances[place], other[place]);
}

}  // namespace navvy::search
