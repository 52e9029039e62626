#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/lane_tables.hpp"
#include "backends/row_blocks.hpp"
#include "core/buffer.hpp"
#include "kernels/kernels.hpp"

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
  [[nodiscard]] float lower_bound(float coarse) const noexcept { return coarse * unit_; }

 private:
  static constexpr float most = 65535;

  float reach_;
  float mass_below_;
  float mass_above_;
  float length_below_;
  float unit_;
};

/// The rows of RowBlocks in coarse units.
class CoarseRows {
 public:
  CoarseRows(const RowBlocks& rows, const CoarseScale& scale);

  /// Bytes that the bins of these rows take.
  static std::uint64_t memory(const RowBlocks& rows) {
    return rows.sources().weights().size() * sizeof(kernels::CoarseBin);
  }

  [[nodiscard]] kernels::CoarseSegments segments(std::size_t block) const noexcept {
    const kernels::Segments source = rows_.segments(block);
    return {source.segments, source.count, bins_.data() + offsets_[block]};
  }

 private:
  const RowBlocks& rows_;
  std::vector<std::size_t> offsets_;  // of a block's bins
  core::Buffer<kernels::CoarseBin> bins_;
};

/// The tables of 64 queries in coarse units, with some of their levels of overflow: each level only
/// adds to the cost, so any choice of them gives a lower bound.
class CoarseTables {
 public:
  CoarseTables(std::size_t vocabulary_size, std::size_t levels)
      : size_(vocabulary_size), levels_(levels), values_(memory(size_, levels) / 2) {}

  /// Bytes of 64 queries.
  static std::uint64_t memory(std::size_t vocabulary_size, std::size_t levels) {
    return std::uint64_t{vocabulary_size} * stride(levels) * sizeof(std::uint16_t);
  }

  /// `chosen`: as many levels of overflow as this table has, ascending, each at least 1.
  void fill(const LaneTables& tables, std::span<const int> chosen, const CoarseScale& scale);

  [[nodiscard]] kernels::CoarseTable table() const noexcept { return {values_.data(), levels_}; }

 private:
  static std::size_t stride(std::size_t levels) { return (2 * levels + 1) * kernels::coarse_lanes; }

  std::size_t size_;
  std::size_t levels_;
  core::Buffer<std::uint16_t> values_;
};

}  // namespace navvy::backends
