#pragma once

#include <array>
#include <vector>

#include "backends/lane_tables.hpp"
#include "backends/large_ground.hpp"
#include "backends/row_blocks.hpp"
#include "core/buffer.hpp"
#include "navvy/index.hpp"
#include "search/tiles.hpp"

namespace navvy::search {

/// Directed costs of a relaxation over a large vocabulary: tables exist for one batch of queries at
/// a time, and the costs of all rows into the queries of a range are kept instead.
class LargeTiles : public TileSource {
 public:
  LargeTiles(const Index& index, const backends::RowBlocks& rows,
             const backends::LargeGround& ground, backends::Levels levels, std::size_t batch,
             unsigned threads);

  [[nodiscard]] bool is_symmetric() const noexcept override { return false; }
  [[nodiscard]] std::uint64_t memory_per_query() const noexcept override {
    return std::uint64_t{rows_.rows()} * sizeof(float);
  }
  [[nodiscard]] std::uint64_t memory_fixed() const noexcept override;
  void prepare(int slot, Range queries, core::ThreadPool& pool, core::Monitor& monitor) override;
  void fill(Range rows, int slot, Range queries, unsigned thread, float* tile) override;

 private:
  struct Slot {
    Range queries;
    core::Buffer<float> costs;  // of moving row u into query q, at [u * queries.size() + q]
  };

  void run_batch(Slot& slot, std::size_t first, core::ThreadPool& pool, core::Monitor& monitor);

  const Index& index_;
  const backends::RowBlocks& rows_;
  const backends::LargeGround& ground_;
  backends::Levels levels_;
  std::size_t batch_;
  unsigned threads_;
  std::vector<backends::LaneTables> tables_;
  std::array<Slot, 2> slots_;
};

}  // namespace navvy::search
