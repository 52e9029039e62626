// What a device keeps of a set of rows: their bins, the coordinates, and what measures need of
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "backends/backend.hpp"
#include "backends/device/on_device.hpp"
#include "backends/ground/ground.hpp"
#include "core/lazy.hpp"
#include "core/range.hpp"

namespace navvy::backends {

/// A bin as the kernels have it: the highest bit of the coordinate marks the last of a piece.
struct DeviceBin {
  std::uint32_t coordinate;
  float weight;
};
struct DeviceNeighbour {
  std::uint32_t coordinate;
  float distance;
};

/// Histograms as kernels walk them.
struct DeviceHistograms {
  DeviceBuffer<std::uint64_t> offsets;
  DeviceBuffer<DeviceBin> bins;
  std::vector<std::uint64_t> counted;  ///< the offsets once more, here

  [[nodiscard]] std::uint64_t bins_of(std::size_t first, std::size_t count) const noexcept {
    return counted[first + count] - counted[first];
  }
};

/// Copies a range of histograms, cut into pieces by the numbers of the vocabulary. `with_weight`:
/// bins without weight are left out.
DeviceHistograms copy_histograms(OnDevice& device, const Vocabulary& vocabulary,
                                 const Histograms& histograms, core::Range range, bool with_weight);

/// Rows on one device. Parts that only some measures need are made when first asked for.
class DeviceRows {
 public:
  /// Throws Error(limit) where the rows do not fit. `device` outlives this.
  DeviceRows(devices::Device& device, const RowSet& set, double threshold,
             std::uint64_t device_memory);

  [[nodiscard]] devices::Device& device() const noexcept { return device_; }
  [[nodiscard]] const RowSet& set() const noexcept { return set_; }
  [[nodiscard]] std::size_t size() const noexcept { return set_.rows.size(); }
  [[nodiscard]] std::size_t coordinates() const noexcept { return set_.vocabulary.size(); }
  [[nodiscard]] std::size_t dimensions() const noexcept { return set_.vocabulary.dimensions(); }
  /// What the work of kernels depends on, but for levels.
  [[nodiscard]] WorkSizes work_sizes() const noexcept { return {coordinates(), dimensions()}; }
  [[nodiscard]] float largest_squared() const noexcept { return ground_.largest_squared(); }

  /// A call's work on this device, within so many bytes; 0: what the device allows.
  [[nodiscard]] OnDevice work(std::uint64_t device_memory) const;

  /// Rows as sources, bins without weight left out, and as destinations, all bins.
  [[nodiscard]] const DeviceHistograms& sources() const noexcept { return sources_; }
  [[nodiscard]] const DeviceHistograms& destinations() const noexcept {
    return destinations_ ? *destinations_ : sources_;
  }

  [[nodiscard]] const DeviceBuffer<float>& values() const noexcept { return values_; }
  [[nodiscard]] const DeviceBuffer<float>& norms() const noexcept { return norms_; }
  /// 0, 1, 2, ...: all coordinates as a list of numbers.
  [[nodiscard]] const DeviceBuffer<std::uint32_t>& all_ids() const noexcept { return ids_; }

  /// Every coordinate's neighbours in order, for small supports where they fit; null elsewhere.
  [[nodiscard]] const DeviceBuffer<DeviceNeighbour>* neighbours(OnDevice& device) const;
  /// Squared lengths and centroids of all rows, in double.
  [[nodiscard]] const DeviceBuffer<double>& squared_lengths(OnDevice& device) const;
  [[nodiscard]] const DeviceBuffer<double>& centroids(OnDevice& device) const;

  /// out[b * stride + a]: squared distances of the coordinates in two lists.
  struct Ids {
    const DeviceBuffer<std::uint32_t>& ids;
    std::size_t first, count;
  };
  void squares(OnDevice& device, const Ids& a, const Ids& b, const DeviceBuffer<float>& out,
               std::size_t stride) const;

 private:
  [[nodiscard]] core::Budget budget(std::uint64_t device_memory) const;
  [[nodiscard]] DeviceBuffer<DeviceNeighbour> sorted_neighbours(OnDevice& device) const;
  [[nodiscard]] OnDevice keeping(OnDevice& device) const {
    return {device_, device.budget().for_kept()};
  }

  devices::Device& device_;
  RowSet set_;
  Ground ground_;
  core::Ledger ledger_;
  DeviceHistograms sources_;
  std::unique_ptr<DeviceHistograms> destinations_;  // where some bins have no weight
  DeviceBuffer<float> values_;
  DeviceBuffer<float> norms_;
  DeviceBuffer<std::uint32_t> ids_;
  core::Lazy<DeviceBuffer<DeviceNeighbour>> neighbours_;
  core::Lazy<DeviceBuffer<double>> lengths_;
  core::Lazy<DeviceBuffer<double>> centroids_;
};

}  // namespace navvy::backends
