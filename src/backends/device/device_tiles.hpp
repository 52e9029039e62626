// Tiles of distances between ranges of rows on one device: both directions, and who they are for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "backends/backend.hpp"
#include "backends/device/device_measure.hpp"

namespace navvy::backends {

/// How much is at hand at a time: rows of a tile, and ranges of rows whose tables are kept.
struct TilePlan {
  std::size_t tile = 0;
  std::size_t slots = 0;

  [[nodiscard]] std::size_t tiles(std::size_t rows) const noexcept {
    return (rows + tile - 1) / tile;
  }
  [[nodiscard]] core::Range range(std::size_t number, core::Range within) const noexcept {
    const std::size_t begin = within.begin + number * tile;
    return {begin, std::min(begin + tile, within.end)};
  }
};

/// The largest tiles that fit, beside so many bytes for all rows and so many per row of a tile.
/// None where not even small ones do, or where tables would be made too often.
struct BesideTiles {
  std::uint64_t fixed = 0;
  std::uint64_t keys_per_row = 0;  ///< of 8 bytes, in one piece, beside those of a tile's columns
};
std::optional<TilePlan> plan_tiles(const DeviceMeasure& measure, std::size_t rows,
                                   const BesideTiles& beside, OnDevice& device);

/// Distances of rows to rows under a task, tile by tile. For one thread.
class DeviceTiles {
 public:
  DeviceTiles(const DeviceMeasure& measure, Direction direction, const TilePlan& plan,
              OnDevice& device);

  /// Leaves in ours() the distances of queries i to rows j and, with `both`, in theirs() those of
  /// queries j to rows i: [query][row], columns() apart.
  void compute(core::Range i, core::Range j, bool both);

  [[nodiscard]] const DeviceBuffer<float>& ours() const noexcept { return ours_; }
  [[nodiscard]] const DeviceBuffer<float>& theirs() const noexcept { return theirs_; }
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }

 private:
  struct Slot {
    core::Range range;
    DeviceTables tables;
    std::uint64_t used = 0;
  };

  // The tables of a range that is computed with another. Those that stay, since the next tiles want
  // them too, are kept before those that only pass by: otherwise each that passes by would take the
  // place of the one that is wanted next.
  const DeviceTables& tables(core::Range range, core::Range beside, bool stays);
  void combine(core::Range i, core::Range j, std::uint32_t how);

  const DeviceMeasure& measure_;
  Direction direction_;
  OnDevice& device_;
  std::size_t columns_;
  DeviceBuffer<float> ours_, theirs_;
  std::vector<Slot> slots_;
  std::uint64_t clock_ = 0;
};

}  // namespace navvy::backends
