#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/coarse.hpp"
#include "backends/small_writer.hpp"
#include "core/budget.hpp"
#include "core/parallel.hpp"
#include "navvy/measure.hpp"
#include "search/all_pairs.hpp"
#include "search/engine.hpp"
#include "search/tiles.hpp"

namespace navvy::search {

/// What of a relaxation the coarse stage looks at, and in which order.
struct CoarsePlan {
  backends::CoarseScale scale;
  backends::Levels levels;           ///< of the tables that are made coarse
  std::vector<int> chosen;           ///< levels of overflow among them
  float usual_weight;                ///< of a bin, averaged over mass
  std::vector<std::uint32_t> order;  ///< the row at each place: similar rows stand together
};

/// Coarse tables of up to 128 rows of an index, as queries.
class CoarseTableMaker {
 public:
  CoarseTableMaker(const Engine& engine, const CoarsePlan& plan);

  static std::uint64_t memory(const Engine& engine, const CoarsePlan& plan);

  void fill(std::span<const std::uint32_t> rows, backends::CoarseTables& target);

 private:
  const Engine& engine_;
  const CoarsePlan& plan_;
  backends::SmallWriter writer_;
  backends::LaneTables tables_;
};

/// Coarse costs of a relaxation over a small support, as tables and tiles. Rows and queries are
/// numbered by their places in the plan's order.
class CoarseTiles : public QueryTables {
 public:
  CoarseTiles(const Engine& engine, CoarsePlan plan, unsigned threads);

  [[nodiscard]] std::uint64_t memory_per_query() const noexcept override;
  [[nodiscard]] std::uint64_t memory_fixed() const noexcept override;
  void prepare(int slot, Range queries, core::ThreadPool& pool, core::Monitor& monitor) override;

  [[nodiscard]] const Engine& engine() const noexcept { return engine_; }
  [[nodiscard]] const CoarsePlan& plan() const noexcept { return plan_; }
  [[nodiscard]] const backends::CoarseRows& rows() const noexcept { return rows_; }
  /// What was prepared last in a slot, 128 queries per table.
  [[nodiscard]] Range prepared(int slot) const noexcept {
    return slots_[static_cast<std::size_t>(slot)].queries;
  }
  /// The tables from the one of a place on, which is the first of a table.
  [[nodiscard]] const backends::CoarseTables* tables(int slot, std::size_t place) const noexcept {
    const Slot& source = slots_[static_cast<std::size_t>(slot)];
    return source.tables.data() + (place - source.queries.begin) / kernels::coarse_lanes;
  }

 private:
  struct Slot {
    Range queries;
    std::vector<backends::CoarseTables> tables;
  };

  const Engine& engine_;
  CoarsePlan plan_;
  backends::CoarseRows rows_;
  std::array<Slot, 2> slots_;
  std::vector<CoarseTableMaker> makers_;  // one per thread
};

/// Offers every pair of rows that have weight to the lists of both with its coarse cost, each row's
/// own excluded. Lists and what is in them are numbered by places.
void offer_coarse_pairs(CoarseTiles& tiles, Direction direction, core::Budget& budget,
                        core::ThreadPool& pool, core::Monitor& monitor, Lists& lists);

}  // namespace navvy::search
