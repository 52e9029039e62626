// Phase 1 over a small support, from sorted ground distances.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/ground/sorted.hpp"
#include "backends/cpu/tables/lane_tables.hpp"
#include "backends/cpu/tables/levels.hpp"
#include "backends/cpu/tables/table_writer.hpp"
#include "core/buffer.hpp"
#include "navvy/histograms.hpp"

namespace navvy::backends {

/// Phase 1 over a small support: the nearest bins of queries for every coordinate, as tables. Keeps
/// scratch memory, so one per thread.
class SortedWriter {
 public:
  SortedWriter(const SortedGround& ground, const kernels::KernelTable& kernels, Levels levels);

  /// Fills a table with lanes = queries `first` and following, `count` of them. Lanes of queries
  /// without bins get zeros, and so do those beyond the last.
  void write(const Histograms& queries, std::size_t first, std::size_t count, LaneTables& tables);

  /// Fills a table of one query with lanes = levels, see TableWriter.
  void write(const Histogram& query, std::size_t width, float* table, float* last_capacities);

 private:
  const float* spread_weights(const Histogram& query, std::size_t place);
  void pick(const Histogram& query, const float* weights, std::size_t slab, float* planes);

  const SortedGround& ground_;
  const kernels::KernelTable& kernels_;
  Levels levels_;
  TableWriter writer_;
  core::Buffer<float> weights_;  // by coordinate, of a group of queries; set where they have bins
  core::Buffer<std::uint16_t> ranks_;
};

}  // namespace navvy::backends
