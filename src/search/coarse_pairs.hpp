#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/coarse.hpp"
#include "backends/table_writer.hpp"
#include "core/budget.hpp"
#include "core/parallel.hpp"
#include "navvy/measure.hpp"
#include "search/all_pairs.hpp"
#include "search/engine.hpp"
#include "search/tiles.hpp"

namespace navvy::search {

/// What of a relaxation the coarse stage looks at.
struct CoarsePlan {
  backends::CoarseScale scale;
  backends::Levels levels;  ///< of the tables that are made coarse
  std::vector<int> chosen;  ///< levels of overflow among them
};

/// Coarse costs of a relaxation over a small support, as tables and tiles.
class CoarseTiles : public QueryTables {
 public:
  CoarseTiles(const Engine& engine, CoarsePlan plan, unsigned threads);

  [[nodiscard]] std::uint64_t memory_per_query() const noexcept override;
  [[nodiscard]] std::uint64_t memory_fixed() const noexcept override;
  void prepare(int slot, Range queries, core::ThreadPool& pool, core::Monitor& monitor) override;

  /// Like TileSource::fill, in coarse units.
  void fill(Range rows, int slot, Range queries, std::uint16_t* tile) const;

  [[nodiscard]] const CoarsePlan& plan() const noexcept { return plan_; }
  [[nodiscard]] const backends::CoarseRows& rows() const noexcept { return rows_; }
  /// What was prepared last in a slot, 64 queries per table.
  [[nodiscard]] Range prepared(int slot) const noexcept {
    return slots_[static_cast<std::size_t>(slot)].queries;
  }
  [[nodiscard]] std::span<const backends::CoarseTables> tables(int slot) const noexcept {
    return slots_[static_cast<std::size_t>(slot)].tables;
  }

 private:
  struct Slot {
    Range queries;
    std::vector<backends::CoarseTables> tables;
  };
  struct Worker {
    backends::TableWriter writer;
    backends::LaneTables tables;
  };

  const Engine& engine_;
  CoarsePlan plan_;
  backends::CoarseRows rows_;
  std::array<Slot, 2> slots_;
  std::vector<Worker> workers_;  // one per thread
};

/// Offers every pair of rows that have weight to the lists of both with its coarse cost, each row's
/// own excluded.
void offer_coarse_pairs(CoarseTiles& tiles, const backends::RowBlocks& rows, Direction direction,
                        core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor,
                        Lists& lists);

}  // namespace navvy::search
