// Tiles of a relaxation over a large vocabulary, from costs that are kept.
#pragma once

#include <array>
#include <vector>

#include "backends/cpu/engine.hpp"
#include "backends/cpu/ground/slabs.hpp"
#include "backends/cpu/pairs/tiles.hpp"
#include "backends/cpu/row_blocks.hpp"
#include "backends/cpu/tables/lane_tables.hpp"
#include "core/buffer.hpp"

namespace navvy::backends {

/// Directed costs of a relaxation over a large vocabulary: tables exist for one batch of queries at
/// a time, and the costs of all rows into the queries of a range are kept instead.
class KeptTiles : public TileSource {
 public:
  KeptTiles(const Engine& engine, Levels levels, std::size_t batch, const Run& run);

  [[nodiscard]] bool is_symmetric() const noexcept override { return false; }
  [[nodiscard]] bool is_dear() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t memory_per_query() const noexcept override {
    return std::uint64_t{rows_.rows()} * sizeof(float);
  }
  [[nodiscard]] std::uint64_t memory_fixed() const noexcept override;
  void prepare(int slot, Range queries, Range rows, Run& run) override;
  void fill(Range rows, int slot, Range queries, unsigned thread, float* tile) override;

 private:
  struct Slot {
    Range queries;
    core::Buffer<float> costs;  // of moving row u into query q, at [u * queries.size() + q]
  };

  void run_batch(Slot& slot, std::size_t first, Range rows, Run& run);

  const Histograms& queries_;  // with their bins of no weight
  const RowBlocks& rows_;
  const SlabGround& ground_;
  Levels levels_;
  std::size_t batch_;
  unsigned threads_;
  std::vector<LaneTables> tables_;
  std::array<Slot, 2> slots_;
};

}  // namespace navvy::backends
