// How a measure is computed on a device: tables of queries, and rows that walk through them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/backend.hpp"
#include "backends/device/device_rows.hpp"

namespace navvy::backends {

/// Some histograms that rows are moved into, here and on the device.
struct DeviceQueries {
  const Histograms& histograms;
  std::size_t first;  ///< in `histograms`
  const DeviceHistograms& on_device;
  std::size_t first_on_device;
  std::size_t count;

  [[nodiscard]] std::uint64_t bins() const noexcept {
    return on_device.bins_of(first_on_device, count);
  }
};

/// What Phase 1 leaves of some queries, side by side in blocks of lanes.
struct DeviceTables {
  std::size_t lanes = 0;
  std::size_t queries = 0;
  DeviceBuffer<float> values;    ///< levels, or under bow weights by coordinate
  DeviceBuffer<double> doubles;  ///< under bow lengths, under wcd centroids

  [[nodiscard]] std::size_t blocks() const noexcept { return (queries + lanes - 1) / lanes; }
};

/// A measure over the rows of one device. Kept with what is computed; for any number of threads.
class DeviceMeasure {
 public:
  /// Queries in a block of tables.
  static constexpr std::size_t block = 64;

  DeviceMeasure(const DeviceRows& rows, const Measure& measure);

  /// Whether devices with these facts compute the measure.
  static bool serves(const Measure& measure, const devices::Facts& facts) noexcept;

  [[nodiscard]] const DeviceRows& rows() const noexcept { return rows_; }
  /// Whether the distance of (i, j) is that of (j, i).
  [[nodiscard]] bool is_symmetric() const noexcept { return kind_ != Kind::relaxation; }
  /// Whether making tables is the dear part of the work.
  [[nodiscard]] bool is_dear(OnDevice& device) const;
  /// Bytes of the tables of one query.
  [[nodiscard]] std::uint64_t table_bytes() const noexcept;
  /// Bytes that making tables takes beside them, for so many queries at a time.
  [[nodiscard]] std::uint64_t making_bytes(std::size_t queries, bool dear) const noexcept;

  /// Phase 1, in blocks of so many lanes: 1 for a single query.
  void make_tables(OnDevice& device, const DeviceQueries& queries, std::size_t lanes,
                   DeviceTables& tables) const;

  /// Phases 2 and 3: costs[(row - rows.begin) * columns + query] of moving rows into queries. A
  /// table of one lane is for all rows.
  void costs(OnDevice& device, core::Range rows, const DeviceTables& tables,
             const DeviceBuffer<float>& costs, std::size_t columns) const;

  /// What kernels are compiled for and told about levels; of relaxations.
  [[nodiscard]] int kernel_levels() const noexcept { return kernel_levels_; }
  [[nodiscard]] std::uint32_t levels() const noexcept { return levels_; }
  [[nodiscard]] std::uint32_t only_at_zero() const noexcept { return only_at_zero_; }
  /// What the work of kernels depends on.
  [[nodiscard]] WorkSizes work_sizes() const noexcept {
    return {rows_.coordinates(), rows_.dimensions(), static_cast<std::size_t>(kernel_levels_),
            levels_};
  }
  [[nodiscard]] std::size_t planes() const noexcept {
    return 2 * static_cast<std::size_t>(kernel_levels_) - 1;
  }

 private:
  enum class Kind { relaxation, bow, wcd };

  void spread(OnDevice& device, const DeviceQueries& queries, std::size_t lanes,
              std::uint32_t absent, const DeviceBuffer<float>& weights) const;
  void pick_sorted(OnDevice& device, const DeviceQueries& queries,
                   const DeviceBuffer<DeviceNeighbour>& neighbours,
                   const DeviceTables& tables) const;
  void pick_in_stripes(OnDevice& device, const DeviceQueries& queries,
                       const DeviceTables& tables) const;
  void pick_fused(OnDevice& device, const DeviceQueries& queries, const DeviceTables& tables) const;

  const DeviceRows& rows_;
  Kind kind_;
  int kernel_levels_ = 0;
  std::uint32_t levels_ = 0;
  std::uint32_t only_at_zero_ = 0;
};

}  // namespace navvy::backends
