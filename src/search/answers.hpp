// From options to what a backend is asked, and from lists to matches.
#pragma once

#include <cstdint>
#include <span>

#include "backends/backend.hpp"
#include "core/top.hpp"
#include "navvy/search.hpp"

namespace navvy::search {

/// What is asked of a backend.
backends::Task task_of(const Question& question, std::size_t batch);
inline backends::Task task_of(const SearchOptions& options) {
  return task_of(options.question, options.run.batch);
}

/// Writes a sorted list as the matches of a query.
void put(std::span<const core::Candidate<float>> list, std::size_t query, Matches& matches);
void put(std::span<const core::Candidate<double>> list, std::size_t query, Matches& matches);

/// The matches of some queries as those of so many, at the places given; the others have none.
Matches spread(Matches matches, std::span<const std::uint32_t> places, std::size_t queries);

}  // namespace navvy::search
