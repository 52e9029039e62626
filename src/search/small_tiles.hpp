#pragma once

#include <array>
#include <span>
#include <vector>

#include "backends/lane_tables.hpp"
#include "backends/row_blocks.hpp"
#include "backends/small_ground.hpp"
#include "backends/small_writer.hpp"
#include "core/buffer.hpp"
#include "navvy/index.hpp"
#include "search/tiles.hpp"

namespace navvy::search {

/// Directed costs of a relaxation over a small support: the tables of all queries of a range are
/// kept, and tiles walk them.
class SmallTiles : public TileSource {
 public:
  SmallTiles(const Index& index, const backends::RowBlocks& rows,
             const backends::SmallGround& ground, backends::Levels levels, unsigned threads);

  [[nodiscard]] bool is_symmetric() const noexcept override { return false; }
  [[nodiscard]] std::uint64_t memory_per_query() const noexcept override;
  void prepare(int slot, Range queries, core::ThreadPool& pool, core::Monitor& monitor) override;
  void fill(Range rows, int slot, Range queries, unsigned thread, float* tile) override;

 private:
  struct Slot {
    Range queries;
    std::vector<backends::LaneTables> tables;
  };

  const Index& index_;
  const backends::RowBlocks& rows_;
  const backends::SmallGround& ground_;
  backends::Levels levels_;
  std::array<Slot, 2> slots_;
  struct Worker {
    core::Buffer<float> scratch;
    backends::SmallNearest nearest;
    backends::SmallWriter writer;
  };

  std::vector<Worker> workers_;  // one per thread
};

}  // namespace navvy::search
