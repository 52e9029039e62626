// Masses, distances, rows and tables in 16-bit units, rounded so that costs are lower bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/row_blocks.hpp"
#include "backends/cpu/tables/lane_tables.hpp"
#include "core/buffer.hpp"
#include "kernels/kernels.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::backends {

/// How masses and distances become 16-bit integers, rounded such that coarse costs are lower bounds
/// of the costs themselves: what is moved and how far rounded down, capacities rounded up.
class CoarseScale {
 public:
  /// `heaviest`: the largest weight of any bin. Beyond `reach` distances count as `reach`, so that
  /// no cost exceeds it; the smaller it is, the finer are the units.
  CoarseScale(float heaviest, float reach);

  [[nodiscard]] float reach() const noexcept { return reach_; }

  [[nodiscard]] std::uint16_t mass(float weight) const noexcept {
    return static_cast<std::uint16_t>(weight * mass_below_);
  }
  [[nodiscard]] std::uint16_t capacity(float weight) const noexcept {
    const float units = weight * mass_above_ + 1;
    return static_cast<std::uint16_t>(units < most ? units : most);
  }
  [[nodiscard]] std::uint16_t length(float distance) const noexcept {
    return static_cast<std::uint16_t>(distance * length_below_);
  }

  /// A distance of this coarse cost is at least so much, the engine's own rounding considered.
  [[nodiscard]] float lower_bound(std::uint16_t coarse) const noexcept {
    return static_cast<float>(coarse) * unit_;
  }

  /// The largest coarse cost whose lower bound is at most `limit`, which is at least 0.
  [[nodiscard]] std::uint16_t within(float limit) const noexcept;

 private:
  static constexpr float most = 65535;

  float reach_;
  float mass_below_;
  float mass_above_;
  float length_below_;
  float unit_;
};

/// Rows in coarse units, in an order of their own.
class CoarseRows {
 public:
  /// Row order[p] of the source stands at place p. The run pays for what is taken meanwhile.
  CoarseRows(const Vocabulary& vocabulary, const RowBlocks& source,
             std::span<const std::uint32_t> order, const CoarseScale& scale, const core::Run& run);

  /// Bytes of all rows: bins are kept twice.
  static std::uint64_t memory(const RowBlocks& source) {
    return source.sources().weights().size() * 2 * sizeof(kernels::CoarseBin) +
           source.pieces() * sizeof(kernels::Segment) + source.rows() * sizeof(std::uint64_t);
  }

  /// Of a block of RowBlocks::block_rows places.
  [[nodiscard]] kernels::CoarseSegments segments(std::size_t block) const noexcept {
    const Block& source = blocks_[block];
    return {source.segments.data(), source.segments.size(), source.bins.data()};
  }

  /// Row 0 of the result stands at place `first`.
  [[nodiscard]] kernels::CoarseRowBins bins(std::size_t first) const noexcept {
    return {offsets_.data() + first, bins_.data()};
  }

 private:
  struct Block {
    std::vector<kernels::Segment> segments;
    std::vector<kernels::CoarseBin> bins;  // in the order of the segments
  };

  std::vector<Block> blocks_;
  std::vector<std::uint64_t> offsets_{0};
  std::vector<kernels::CoarseBin> bins_;
};

/// The tables of 128 queries in coarse units, with some of their levels of overflow: each level
/// only adds to the cost, so any choice of them gives a lower bound. So does a level with the steps
/// of several and the capacity of the last: what overflows that overflows all of them.
class CoarseTables {
 public:
  CoarseTables(std::size_t vocabulary_size, std::size_t levels)
      : size_(vocabulary_size), levels_(levels), values_(memory(size_, levels) / 2) {}

  /// Bytes of 128 queries.
  static std::uint64_t memory(std::size_t vocabulary_size, std::size_t levels) {
    return std::uint64_t{vocabulary_size} * kernels::coarse_lanes * (2 * levels + 1) *
           sizeof(std::uint16_t);
  }

  /// Lanes `first` and following from the tables of as many queries. `overflow_levels`: as many
  /// levels of overflow as this table has, ascending, each at least 1. The last stands for all
  /// further levels of the tables as well, as far as a bin of the usual weight pays the more for
  /// it.
  void fill(std::size_t first, const LaneTables& tables, std::span<const int> overflow_levels,
            float usual_weight, const CoarseScale& scale);

  [[nodiscard]] const std::uint16_t* nearest() const noexcept { return values_.data(); }
  /// Of the 16 lanes from 16 * group on.
  [[nodiscard]] kernels::CoarseOverflow overflow(std::size_t group) const noexcept {
    return {values_.data() + overflow_place(group), levels_};
  }

 private:
  struct Step {
    float capacity, length;
  };
  static Step merged(const LaneTables& tables, int level, std::size_t place, float usual_weight);

  [[nodiscard]] std::size_t overflow_place(std::size_t group) const noexcept {
    return size_ * (kernels::coarse_lanes + group * levels_ * 2 * kernels::coarse_group);
  }

  std::size_t size_;
  std::size_t levels_;
  core::Buffer<std::uint16_t> values_;  // nearest, then overflow group by group
};

}  // namespace navvy::backends
