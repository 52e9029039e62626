#pragma once

#include <vector>

#include "backends/row_blocks.hpp"
#include "core/buffer.hpp"
#include "navvy/index.hpp"
#include "search/tiles.hpp"

namespace navvy::search {

/// What bow needs of a row besides its bins: the squared length of its weights, in double and in
/// the order in which the kernels sum, so that a row has cosine 1 with itself exactly.
double squared_length(const backends::RowBlocks& rows, std::size_t row);

/// 1 - cosine from a dot product and two squared lengths; exactly 0 for equal histograms.
double bow_distance(double dot, double squared_a, double squared_b) noexcept;

/// The weighted mean of a histogram's coordinates, in double (bins without weight add nothing).
void centroid(const Vocabulary& vocabulary, const Histogram& histogram, std::span<double> out);

/// BoW cosine distances: a dot product of sparse histograms with lanes = queries.
class BowTiles : public TileSource {
 public:
  BowTiles(const backends::RowBlocks& rows, std::size_t vocabulary_size, unsigned threads);

  [[nodiscard]] bool is_symmetric() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t memory_per_query() const noexcept override { return 0; }
  void prepare(int, Range, core::ThreadPool&, core::Monitor&) override {}
  void fill(Range rows, int slot, Range queries, unsigned thread, float* tile) override;

 private:
  struct Scratch {
    core::Buffer<float> table;  // weights of 64 queries by coordinate; zeros between uses
    core::Buffer<double> dots;
  };

  const backends::RowBlocks& rows_;
  std::vector<double> squared_lengths_;
  std::vector<Scratch> scratch_;
};

/// Distances between centroids, in double: near centroids would cancel in float.
class WcdTiles : public TileSource {
 public:
  WcdTiles(const Index& index, const backends::RowBlocks& rows);

  [[nodiscard]] bool is_symmetric() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t memory_per_query() const noexcept override { return 0; }
  void prepare(int, Range, core::ThreadPool&, core::Monitor&) override {}
  void fill(Range rows, int slot, Range queries, unsigned thread, float* tile) override;

  [[nodiscard]] std::span<const double> centroid_of(std::size_t row) const noexcept {
    return std::span(centroids_).subspan(row * dimensions_, dimensions_);
  }

 private:
  std::size_t dimensions_;
  std::vector<double> centroids_;
};

}  // namespace navvy::search
