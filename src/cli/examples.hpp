// Examples of neighbours for the page of an evaluation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "navvy/search.hpp"
#include "report/items.hpp"

namespace navvy::cli {

/// Queries worth looking at among the first rows of an index with labels, with their neighbours
/// under each of the measures: those where two measures disagree most (rwmd and act-1 where both
/// were asked for, else the first and the last), and some by chance. Searches once per measure.
std::vector<report::Gallery> galleries(Searcher& searcher, std::span<const Measure> measures,
                                       std::size_t queries, const SearchOptions& options);

}  // namespace navvy::cli
