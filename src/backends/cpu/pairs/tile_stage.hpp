// All pairs from tiles of the distances themselves.
#pragma once

#include <memory>
#include <vector>

#include "backends/backend.hpp"
#include "backends/cpu/pairs/schedule.hpp"
#include "backends/cpu/pairs/tiles.hpp"
#include "backends/cpu/row_blocks.hpp"

namespace navvy::backends {

/// Offers every pair of rows that have weight to the lists of both, each row's own excluded. Runs
/// in tiles (I, J) together with (J, I), since a symmetric distance is the larger of two costs that
/// both tiles hold.
class TileStage : public PairStage {
 public:
  /// The direction of the task says which of the two directed costs is the distance. `beside`:
  /// bytes that are needed beside the stage.
  TileStage(const RowBlocks& rows, std::unique_ptr<TileSource> source, const Task& task,
            std::uint64_t beside, Run& run);

  /// False where tables are made so often for want of memory that single queries are faster.
  [[nodiscard]] bool pays() const noexcept;

  [[nodiscard]] bool exact() const noexcept override { return true; }
  [[nodiscard]] std::size_t units() const noexcept override { return schedule_.units(); }
  [[nodiscard]] std::uint64_t units_plan() const noexcept override {
    return schedule_.rows_at_once();
  }
  void list(Range units, CandidateLists& lists, Run& run) override;

 private:
  const RowBlocks& rows_;
  std::unique_ptr<TileSource> source_;
  Direction direction_;
  core::Reservation scratch_memory_;  // for the tiles of all threads
  TileSchedule schedule_;
};

}  // namespace navvy::backends
