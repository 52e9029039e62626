// Examples of neighbours for the page of an evaluation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/queries.hpp"
#include "navvy/search.hpp"
#include "report/items.hpp"

namespace navvy::cli {

/// What examples are chosen from.
struct ExampleRequest {
  const Searcher& searcher;
  std::span<const Measure> measures;
  std::span<const std::uint32_t> asked;  ///< rows, or numbers of queries of the test set
  const app::Queries* test = nullptr;    ///< null: rows ask
  const SearchOptions& options;
};

/// Queries worth looking at among those that asked: those where two measures disagree most, under
/// these two (rwmd and act-1 where both were asked for, else the first and the last), and some by
/// chance, under all. Searches once per measure.
std::vector<report::Gallery> galleries(const ExampleRequest& request);

}  // namespace navvy::cli
