// All pairs of rows over a small support by lower bounds in 16-bit integers, as a stage in front of
// the relaxation itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backends/backend.hpp"
#include "backends/cpu/coarse/growth.hpp"
#include "backends/cpu/coarse/tables.hpp"
#include "backends/cpu/pairs/given_pairs.hpp"
#include "backends/cpu/pairs/schedule.hpp"

namespace navvy::backends {

class CoarseStage : public PairStage {
 public:
  /// `beside`: bytes that are needed beside the stage.
  CoarseStage(const Engine& engine, CoarsePlan plan, const Task& task, std::uint64_t beside,
              Run& run);

  [[nodiscard]] bool exact() const noexcept override { return false; }
  [[nodiscard]] std::span<const std::uint32_t> order() const noexcept override {
    return tiles_.plan().order;
  }
  [[nodiscard]] std::size_t units() const noexcept override { return schedule_.units(); }
  [[nodiscard]] std::uint64_t units_plan() const noexcept override {
    return schedule_.rows_at_once();
  }
  void list(Range units, CandidateLists& lists, Run& run) override;
  void list_below(std::span<const std::uint32_t> places, std::span<const float> limits,
                  std::vector<FoundRows>& found, Run& run) override;
  void cost(Pairs& pairs, Run& run) override {
    cost_pairs(tiles_.engine(), task_, order(), pairs, run);
  }
  [[nodiscard]] std::uint64_t bytes_per_pair() const noexcept override { return given_pair_bytes; }

 private:
  void take_below(const CoarseRange& costs, std::uint32_t own, std::uint16_t limit,
                  FoundRows& found, const Run& run) const;

  CoarseTiles tiles_;
  Task task_;
  core::Reservation scratch_memory_;  // for the tiles of all threads
  TileSchedule schedule_;
};

}  // namespace navvy::backends
