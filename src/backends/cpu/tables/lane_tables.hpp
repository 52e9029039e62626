// Tables of a block of queries, side by side in lanes: what Phase 1 leaves to Phases 2 and 3.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/tables/levels.hpp"
#include "core/buffer.hpp"
#include "kernels/kernels.hpp"

namespace navvy::backends {

/// Phase 1's result for one block of queries, side by side in lanes: the nearest distance per
/// coordinate, and for each further level the capacity of the bins before it and the step to it.
class LaneTables {
 public:
  LaneTables(std::size_t vocabulary_size, std::size_t lanes, Levels levels)
      : size_(vocabulary_size),
        lanes_(lanes),
        levels_(levels),
        values_(size_ * lanes_ * planes(stored(levels))) {}

  /// Bytes of one block of queries.
  static std::uint64_t memory(std::size_t vocabulary_size, std::size_t lanes, Levels levels) {
    return std::uint64_t{vocabulary_size} * lanes * planes(stored(levels)) * sizeof(float);
  }

  [[nodiscard]] std::size_t lanes() const noexcept { return lanes_; }
  [[nodiscard]] Levels levels() const noexcept { return levels_; }

  /// Level 0: entry (coordinate, lane) of the nearest distances is [coordinate * lanes() + lane].
  [[nodiscard]] float* nearest() noexcept { return values_.data(); }
  [[nodiscard]] kernels::LaneTable nearest() const noexcept {
    return {values_.data(), lanes_, lanes_};
  }

  /// Level l > 0: capacities at [coordinate * 2 * lanes() + lane], steps lanes() further.
  [[nodiscard]] float* overflow(int level) noexcept { return values_.data() + place(level); }
  [[nodiscard]] kernels::OverflowTable overflow(int level) const noexcept {
    const float* level_values = values_.data() + place(level);
    return {level_values, level_values + lanes_, 2 * lanes_, lanes_};
  }

 private:
  // Where levels are to be finished there is one more than is charged, with step 1: a row that pays
  // anything there overflows the last level.
  static int stored(Levels levels) noexcept { return levels.count + (levels.finish ? 1 : 0); }
  static std::size_t planes(int levels) noexcept {
    return 2 * static_cast<std::size_t>(levels) - 1;
  }
  [[nodiscard]] std::size_t place(int level) const noexcept {
    return size_ * lanes_ * planes(level);
  }

  std::size_t size_;
  std::size_t lanes_;
  Levels levels_;
  core::Buffer<float> values_;
};

}  // namespace navvy::backends
