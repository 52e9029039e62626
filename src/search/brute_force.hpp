#pragma once

#include "core/parallel.hpp"
#include "navvy/search.hpp"
#include "search/few_queries.hpp"

namespace navvy::search {

/// The nearest rows under a measure that is computed pair by pair: every row is looked at.
void search_brute_force(const Engine& engine, const Queries& queries, const SearchOptions& options,
                        core::ThreadPool& pool, core::Monitor& monitor, Matches& matches);

/// The distances of one query to the rows [begin, end), pair by pair; NaN for rows without weight.
void pair_distances(const Engine& engine, const Histogram& query, std::size_t begin,
                    const RunOptions& options, std::span<double> distances);

}  // namespace navvy::search
