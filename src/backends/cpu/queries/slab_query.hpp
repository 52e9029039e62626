// One query against rows over a large vocabulary, from slabs of ground distances.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/ground/bin_distances.hpp"
#include "backends/cpu/queries/query_against_rows.hpp"
#include "backends/cpu/queries/row_nearest.hpp"
#include "backends/cpu/tables/table_writer.hpp"
#include "core/buffer.hpp"
#include "core/range.hpp"

namespace navvy::backends {

/// The squared distances of the query's bins to all words are computed once: the nearest bins of
/// each word are picked from them at once, and they are kept for the other direction where the
/// budget allows; else those of a pair are computed again (RowNearest).
class SlabQuery : public QueryAgainstRows {
 public:
  SlabQuery(const Engine& engine, Levels levels, Destinations destinations, core::Run& run);

  /// Bytes of the table, and of what a query of so many bins needs beside it.
  [[nodiscard]] static std::uint64_t memory(const Engine& engine, const Levels& levels) noexcept;

  /// Phase 1.
  void set_query(const Histogram& query, core::Run& run) override;

  /// Costs of moving the rows from `first` on into the query.
  void into_query(std::size_t first, std::span<float> costs) const;

  void into_query(std::span<const std::uint32_t> rows, std::span<float> costs,
                  unsigned thread) override;
  float into_query(std::uint32_t row, unsigned thread) override;
  float into_row(std::uint32_t row, unsigned thread) override;
  float ict(std::uint32_t row, unsigned thread) override;
  void distances(std::uint32_t coordinate, std::span<float> out) const override {
    bin_distances_.line(coordinate, out);
  }

 private:
  struct Worker {
    core::Buffer<float> planes;
    TableWriter writer;
    PairWorker<SlabNearest> pairs;
  };

  void pick(std::size_t slab, core::Range bins, const float* squares, TableWriter& writer);
  void costs(std::span<const std::uint32_t> rows, std::span<float> costs) const;

  const Engine& engine_;
  const Histograms& destinations_;
  Levels levels_;
  std::size_t stored_;  // levels in planes: one more than is charged where they are finished
  std::size_t width_;
  core::Buffer<float> table_;
  BinDistances bin_distances_;
  RowNearest row_nearest_;  // where none are kept
  Histogram query_;
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint32_t> places_;  // 0, 1, 2, ...: the query's bins are the words of a slab
  core::Buffer<std::uint32_t> all_rows_;
  std::vector<Worker> workers_;
};

}  // namespace navvy::backends
