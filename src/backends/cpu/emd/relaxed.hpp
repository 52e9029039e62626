// Relaxations as lower bounds of exact search.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "backends/cpu/engine.hpp"
#include "core/run.hpp"
#include "navvy/histograms.hpp"

namespace navvy::backends {

/// The relaxations as lower bounds of EMD for one query at a time, and the ground distances that
/// they come from.
class RelaxedBounds {
 public:
  virtual ~RelaxedBounds() = default;

  /// Phase 1 for a query, which must stay alive while it is used.
  virtual void set_query(const Histogram& query, core::Run& run) = 0;

  /// Costs of moving some rows into the query.
  virtual void into_query(std::span<const std::uint32_t> rows, std::span<float> costs,
                          unsigned thread) = 0;

  /// The cost of moving the query into a row.
  virtual float into_row(std::uint32_t row, unsigned thread) = 0;

  /// The larger of the costs of moving a row into the query and back, all levels charged.
  virtual float ict(std::uint32_t row, unsigned thread) = 0;

  /// Ground distances from a coordinate to the query's bins.
  virtual void distances(std::uint32_t coordinate, std::span<float> out) const = 0;
};

/// The relaxation is act of that many iterations, or rwmd for 0. They take their memory from the
/// run's budget.
std::unique_ptr<RelaxedBounds> relaxed_bounds(const Engine& engine, int iterations, core::Run& run);

/// Bytes that they take, and that a query of so many bins takes beside where there is room.
std::uint64_t relaxed_bounds_memory(const Engine& engine, int iterations, unsigned threads);
std::uint64_t relaxed_query_memory(const Engine& engine, std::size_t bins, unsigned threads);

}  // namespace navvy::backends
