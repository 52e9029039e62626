// Lists of all rows at once, where what is listed is the distance itself.
#include "search/all_pairs/knn.hpp"

#include <utility>
#include <vector>

#include "core/clock.hpp"
#include "search/all_pairs/listing.hpp"
#include "search/answers.hpp"
#include "search/queries/queries.hpp"

namespace navvy::search {
namespace {

backends::ListsWanted lists_wanted(std::size_t rows, std::size_t top) {
  const std::size_t length = bounds_length(rows, top);
  return {
      top, backends::CandidateLists::least_memory(rows, top),
      backends::CandidateLists::least_memory(rows, length) + rows * refining_memory(length, top)};
}

}  // namespace

bool knn(const backends::PreparedRows& rows, const SearchOptions& options, const Saving& saving,
         core::Run& run, Matches& matches) {
  const auto start = core::Clock::now();
  const std::size_t n = rows.rows();
  backends::Task task = task_of(options);
  task.border = options.border;
  const auto stage = rows.pairs(task, lists_wanted(n, options.top), run);
  if (!stage) return false;
  if (!stage->exact()) {
    refine_bounds(*stage, options, saving, run, matches);
    return true;
  }
  backends::CandidateLists lists(n, options.top, run);
  if (has_limits(options))
    for (std::size_t row = 0; row < n; ++row) lists.start(row, float_limit(options, row));
  if (!options.among.empty()) lists.restrict_to({options.among.begin(), options.among.end()});
  if (options.border) lists.separate(*options.border);
  list_pairs(*stage, lists, saving, run);
  for (std::size_t row = 0; row < n; ++row) put(lists.sorted(row), row, matches);
  matches.counters.stages.push_back(
      {to_string(options.question.measure), pairs_of(options, n), core::seconds_since(start)});
  return true;
}

}  // namespace navvy::search
