#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/directed_cost.hpp"
#include "backends/levels.hpp"
#include "backends/small_ground.hpp"
#include "navvy/measure.hpp"
#include "search/engine.hpp"

namespace navvy::search {

/// The cost of moving a query into single rows: the direction that tables of the query do not give.
/// One per thread.
class ReverseCosts {
 public:
  ReverseCosts(const Engine& engine, const Measure& measure);

  /// Chooses the query, without bins of weight zero; it must stay alive while it is used.
  void set_query(const Histogram& query);

  float operator()(std::size_t row);

 private:
  const Engine& engine_;
  backends::Levels levels_;
  backends::SmallNearest nearest_;
  Histogram query_;
  std::vector<std::uint32_t> ends_;
  backends::DirectedCost cost_;
};

}  // namespace navvy::search
