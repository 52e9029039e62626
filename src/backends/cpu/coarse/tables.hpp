// Rows and tables of the coarse stage, in the units and the order of its plan.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/coarse/units.hpp"
#include "backends/cpu/engine.hpp"
#include "backends/cpu/pairs/tiles.hpp"
#include "backends/cpu/tables/sorted_writer.hpp"

namespace navvy::backends {

/// What of a relaxation the coarse stage looks at, and in which order.
struct CoarsePlan {
  CoarseScale scale;
  Levels levels;                     ///< of the tables that are made coarse
  std::vector<int> overflow_levels;  ///< among them
  float usual_weight;                ///< of a bin, averaged over mass
  std::vector<std::uint32_t> order;  ///< the row at each place: similar rows stand together
};

/// Coarse tables of up to 128 rows of an index, as queries.
class CoarseTableMaker {
 public:
  CoarseTableMaker(const Engine& engine, const CoarsePlan& plan);

  static std::uint64_t memory(const Engine& engine, const CoarsePlan& plan);

  void fill(std::span<const std::uint32_t> rows, CoarseTables& target);

 private:
  const Engine& engine_;
  const CoarsePlan& plan_;
  SortedWriter writer_;
  LaneTables tables_;
};

/// Coarse costs of a relaxation over a small support, as tables and tiles. Rows and queries are
/// numbered by their places in the plan's order.
class CoarseTiles : public QueryTables {
 public:
  CoarseTiles(const Engine& engine, CoarsePlan plan, Run& run);

  [[nodiscard]] std::uint64_t memory_per_query() const noexcept override;
  void prepare(int slot, Range queries, Range rows, Run& run) override;

  [[nodiscard]] const Engine& engine() const noexcept { return engine_; }
  [[nodiscard]] const CoarsePlan& plan() const noexcept { return plan_; }
  [[nodiscard]] const CoarseRows& rows() const noexcept { return rows_; }
  /// The tables from the one of a place on, which is the first of a table.
  [[nodiscard]] const CoarseTables* tables(int slot, std::size_t place) const noexcept {
    const Slot& source = slots_[static_cast<std::size_t>(slot)];
    return source.tables.data() + (place - source.queries.begin) / kernels::coarse_lanes;
  }

 private:
  struct Slot {
    Range queries;
    std::vector<CoarseTables> tables;
  };

  const Engine& engine_;
  CoarsePlan plan_;
  core::Reservation reserved_;  // for the rows and the makers
  CoarseRows rows_;
  std::array<Slot, 2> slots_;
  std::vector<CoarseTableMaker> makers_;  // one per thread
};

}  // namespace navvy::backends
