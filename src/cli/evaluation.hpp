// How `evaluate` and `demo` run measures and show their precision.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "app/evaluation.hpp"
#include "navvy/search.hpp"

namespace navvy::cli {

/// Evaluates each measure in turn, with progress. Of `options` the measure, top and exact are not
/// looked at.
std::vector<app::MeasureResult> evaluate_all(Searcher& searcher, std::span<const Measure> measures,
                                             std::span<const std::size_t> tops, std::size_t queries,
                                             SearchOptions options);

/// A line per measure on stdout; the best precision of each column stands out on a terminal.
void print_precisions(std::span<const app::MeasureResult> results,
                      std::span<const std::size_t> tops);

}  // namespace navvy::cli
