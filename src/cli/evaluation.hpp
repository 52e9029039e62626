#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cli/json.hpp"
#include "navvy/search.hpp"

/// Precision of several measures, as `evaluate` and `demo` show it.
namespace navvy::cli {

struct MeasureResult {
  Measure measure;
  Evaluation evaluation;
};

/// Evaluates each measure in turn, with progress. `options.measure` is not looked at.
std::vector<MeasureResult> evaluate_all(Searcher& searcher, std::span<const Measure> measures,
                                        std::span<const std::size_t> tops, std::size_t queries,
                                        RunOptions options);

/// The results for some of the list lengths that were evaluated.
std::vector<MeasureResult> selected(std::vector<MeasureResult> results,
                                    std::span<const std::size_t> all,
                                    std::span<const std::size_t> wanted);

/// A line per measure on stdout; the best precision of each column stands out on a terminal.
void print_precisions(std::span<const MeasureResult> results, std::span<const std::size_t> tops);

/// A list with an entry per measure.
Json evaluation_json(std::span<const MeasureResult> results, std::span<const std::size_t> tops);
Json stages_json(std::span<const SearchCounters::Stage> stages);
Json counters_json(const SearchCounters& counters);

}  // namespace navvy::cli
