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

}  // namespace navvy::search
