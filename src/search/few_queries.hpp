#pragma once

#include <cstdint>
#include <span>

#include "core/budget.hpp"
#include "core/parallel.hpp"
#include "navvy/search.hpp"
#include "search/engine.hpp"

namespace navvy::search {

/// Queries of one call: given histograms, or rows of the index, which are left out of their own
/// matches.
struct Queries {
  const Histograms* histograms = nullptr;
  std::span<const std::uint32_t> own_rows;  ///< parallel to the queries, or empty

  [[nodiscard]] std::size_t size() const noexcept { return histograms->size(); }
  [[nodiscard]] std::uint32_t own_row(std::size_t query) const noexcept {
    return own_rows.empty() ? Matches::no_row : own_rows[query];
  }
};

/// The nearest rows of each query under a relaxation: the direction database -> query for all rows
/// first, from tables of the queries; the other direction only for rows whose first cost can still
/// enter the list, since the larger of two is at least the first.
void search_relaxation(const Engine& engine, const Queries& queries, const SearchOptions& options,
                       core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor,
                       Matches& matches);

}  // namespace navvy::search
