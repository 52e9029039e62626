#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/budget.hpp"
#include "core/parallel.hpp"
#include "navvy/histograms.hpp"
#include "navvy/measure.hpp"
#include "search/engine.hpp"
#include "search/tiles.hpp"

namespace navvy::search {

/// Costs of a relaxation for a few queries: into the query for all rows at once, and the other
/// direction row by row.
class QueryCosts {
 public:
  virtual ~QueryCosts() = default;

  /// How many queries prepare() takes together.
  [[nodiscard]] virtual std::size_t block() const noexcept = 0;

  /// Computes the costs of moving every row into each query of a range of `queries`, which must
  /// stay alive. `pool` is the one given at construction.
  virtual void prepare(const Histograms& queries, Range range, core::Monitor& monitor) = 0;

  /// The costs of all rows into one of the prepared queries; row u is at [u * stride]. For ict they
  /// are lower bounds. Chooses the query for what follows.
  struct Costs {
    const float* values;
    std::size_t stride;
  };
  virtual Costs choose(std::size_t query) = 0;

  /// The exact cost of moving a row into the chosen query.
  virtual float into_query(std::uint32_t row, unsigned thread) = 0;
  /// The cost of moving the chosen query into a row.
  virtual float into_row(std::uint32_t row, unsigned thread) = 0;
};

/// `batch`: queries together, 0 for as many as is good. Takes its memory from the budget.
std::unique_ptr<QueryCosts> query_costs(const Engine& engine, const Measure& measure,
                                        std::size_t queries, std::size_t batch,
                                        core::Budget& budget, core::ThreadPool& pool);

}  // namespace navvy::search
