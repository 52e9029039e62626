// One query against all rows over a large vocabulary, in both directions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/backend.hpp"
#include "backends/cpu/ground/slabs.hpp"
#include "backends/cpu/relaxation/pair_cost.hpp"
#include "backends/cpu/row_blocks.hpp"
#include "backends/cpu/tables/levels.hpp"
#include "backends/cpu/tables/table_writer.hpp"
#include "core/buffer.hpp"

namespace navvy::backends {

/// One query against the rows of an index with a large vocabulary, in both directions. The squared
/// distances of its bins to all words are computed once: the nearest bins of each word are picked
/// from them at once, and they are kept for the other direction where the budget allows; else the
/// few that a pair needs are computed again. Takes its memory from the run's budget.
class SlabQuery {
 public:
  SlabQuery(const SlabGround& ground, const RowBlocks& rows, const RowSet& index, Levels levels,
            Run& run);

  /// Bytes of the table, and of what a query of so many bins needs beside it.
  [[nodiscard]] static std::uint64_t memory(const SlabGround& ground, const RowBlocks& rows,
                                            const Levels& levels) noexcept;
  [[nodiscard]] static std::uint64_t memory_for(const SlabGround& ground, std::size_t bins,
                                                unsigned threads) noexcept;

  /// Phase 1. The query must stay alive while it is used.
  void set_query(const Histogram& query, Run& run);

  /// Costs of moving the rows from `first` on into the query; for ict lower bounds.
  void costs(std::size_t first, std::span<float> costs) const;

  /// The same for chosen rows.
  void costs(std::span<const std::uint32_t> rows, std::span<float> costs) const;

  /// The ground distances from a coordinate to the query's bins.
  void distances_to_bins(std::uint32_t coordinate, std::span<float> out) const;

  /// The exact cost of moving one row into the query, all levels included.
  float into_query(std::uint32_t row, unsigned thread);
  /// The cost of moving the query into one row.
  float into_row(std::uint32_t row, unsigned thread);

 private:
  struct Worker {
    core::Buffer<float> slab;
    core::Buffer<float> planes;
    TableWriter writer;
    SlabNearest nearest;
    PairCost cost;
  };

  void fill_slab(std::size_t slab, Worker& worker);
  [[nodiscard]] const float* distances(std::size_t bundle) const noexcept;
  float into_row_by_pairs(const Histogram& target, Worker& worker);

  const SlabGround& ground_;
  const RowBlocks& rows_;
  const RowSet& index_;
  Levels levels_;
  std::size_t stored_;  // levels in planes: one more than is charged where they are finished
  std::size_t width_;
  core::Buffer<float> table_;
  core::Buffer<float> distances_;  // [bundle of 32 bins][coordinate][32], squared
  bool keeps_distances_ = false;
  Histogram query_;
  PackedWords words_;  // its bins
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint32_t> places_;  // 0, 1, 2, ...: the query's bins are the words of a slab
  core::Buffer<std::uint32_t> all_rows_;
  std::vector<Worker> workers_;
};

}  // namespace navvy::backends
