#pragma once

#include <cstdint>
#include <memory>

#include "core/budget.hpp"
#include "core/parallel.hpp"
#include "navvy/search.hpp"
#include "search/engine.hpp"
#include "search/few_queries.hpp"

namespace navvy::search {

/// The distances of one query at a time to single rows.
class RowDistances {
 public:
  virtual ~RowDistances() = default;

  /// Chooses a query with weight, which must stay alive while it is used.
  virtual void set_query(const Histogram& query, core::ThreadPool& pool) = 0;

  /// The distance to a row with weight.
  virtual double distance(std::uint32_t row, unsigned thread) = 0;

  /// Distances so far whose iterations stopped at their limit.
  [[nodiscard]] virtual std::uint64_t unconverged() const noexcept { return 0; }
};

/// For bow, wcd, sinkhorn and emd, whose solves end early once the monitor says stop.
std::unique_ptr<RowDistances> row_distances(const Engine& engine, const RunOptions& options,
                                            const core::Budget& budget, unsigned threads,
                                            core::Monitor& monitor);

/// The nearest rows under a measure that is computed pair by pair: every row is looked at.
void search_brute_force(const Engine& engine, const Queries& queries, const SearchOptions& options,
                        const core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor,
                        Matches& matches);

}  // namespace navvy::search
