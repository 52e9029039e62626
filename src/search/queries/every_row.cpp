// Solves every row for every query.
#include "search/queries/every_row.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "core/clock.hpp"
#include "core/top.hpp"
#include "search/answers.hpp"

namespace navvy::search {

// Rows between two reports of progress.
constexpr std::size_t step = 256;

void search_every_row(const backends::PreparedRows& rows, const Queries& queries,
                      const SearchOptions& options, core::Run& run, Matches& matches) {
  const auto start = core::Clock::now();
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t row = 0; row < rows.rows(); ++row)
    if (!rows.is_empty(row) && is_among(options, row)) wanted.push_back(row);
  const core::Reservation reserved = run.budget.reserve(
      wanted.size() * (sizeof(std::uint32_t) + sizeof(double)), "the distances of a query");
  std::vector<double> distances(wanted.size());
  const auto solver = rows.solver(task_of(options), {}, run);
  queries.begin(run.monitor, wanted.size());
  for (std::size_t query = 0; query < queries.size(); ++query) {
    solver->set_query((*queries.histograms)[query], run);
    for (std::size_t first = 0; first < wanted.size(); first += step) {
      const std::size_t count = std::min(step, wanted.size() - first);
      solver->solve(std::span(wanted).subspan(first, count),
                    std::span(distances).subspan(first, count), run);
      run.monitor.add(count);
    }
    core::TopList<double> list(options.top, start_limit(options, query));
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i] != queries.own_row(query)) list.offer(distances[i], wanted[i]);
    put(list.sorted(), query, matches);
  }
  matches.counters.unconverged = solver->unconverged();
  matches.counters.stages.push_back({to_string(options.question.measure),
                                     std::uint64_t{wanted.size()} * queries.size(),
                                     core::seconds_since(start)});
}

}  // namespace navvy::search
