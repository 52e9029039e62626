// All pairs of the rows on devices: lists that stay there until the work is done, and matrices.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backends/backend.hpp"
#include "backends/device/device_rows.hpp"

namespace navvy::backends {

/// The rows on each of the devices that share the work.
using DeviceRowsList = std::span<const std::unique_ptr<const DeviceRows>>;

/// By row, whether it has no weight.
using EmptyRows = std::span<const std::uint8_t>;

/// The stage of a measure that devices compute. None where there is no room for it.
std::unique_ptr<PairStage> device_pairs(DeviceRowsList devices, EmptyRows empty, const Task& task,
                                        std::size_t top, Run& run);

/// PreparedRows::matrix.
struct MatrixAsked {
  Range queries, rows;
};
void device_matrix(DeviceRowsList devices, EmptyRows empty, const Task& task,
                   const MatrixAsked& asked, Run& run, const StripeSink& sink);

}  // namespace navvy::backends
