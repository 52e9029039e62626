// Tiles of a relaxation over a small support, from tables of all queries.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "backends/cpu/engine.hpp"
#include "backends/cpu/ground/sorted.hpp"
#include "backends/cpu/pairs/tiles.hpp"
#include "backends/cpu/row_blocks.hpp"
#include "backends/cpu/tables/lane_tables.hpp"
#include "backends/cpu/tables/sorted_writer.hpp"
#include "core/buffer.hpp"

namespace navvy::backends {

/// Directed costs of a relaxation over a small support: the tables of all queries of a range are
/// kept, and tiles walk them.
class TableTiles : public TileSource {
 public:
  TableTiles(const Engine& engine, Levels levels, unsigned threads);

  [[nodiscard]] bool is_symmetric() const noexcept override { return false; }
  [[nodiscard]] std::uint64_t memory_per_query() const noexcept override;
  void prepare(int slot, Range queries, Range rows, Run& run) override;
  void fill(Range rows, int slot, Range queries, unsigned thread, float* tile) override;

 private:
  struct Slot {
    Range queries;
    std::vector<LaneTables> tables;
  };

  const Histograms& queries_;  // with their bins of no weight
  const RowBlocks& rows_;
  const SortedGround& ground_;
  Levels levels_;
  std::array<Slot, 2> slots_;
  struct Worker {
    core::Buffer<float> scratch;
    SortedNearest nearest;
    SortedWriter writer;
  };

  std::vector<Worker> workers_;  // one per thread
};

}  // namespace navvy::backends
