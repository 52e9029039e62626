// Sinkhorn distances of one query after the other to many rows at once, on devices.
#pragma once

#include <functional>
#include <memory>

#include "backends/backend.hpp"
#include "backends/device/device_pairs.hpp"

namespace navvy::backends {

/// Whether devices with these facts can: the iterations are in double.
bool serves_sinkhorn(const devices::Facts& facts) noexcept;

/// It offers no bounds. Sums are in another order than the processor's, so that distances are
/// within 1e-6 of the largest cost of its, not of the same bits; they do not depend on what else is
/// solved, and are the same when query and row are exchanged. Pairs that need logarithms are left
/// to a solver of the processor, made when the first of them is met. The devices, which all serve,
/// share the rows of a call.
std::unique_ptr<Solver> device_sinkhorn(
    DeviceRowsList devices, const SinkhornOptions& options, const Run& run,
    std::function<std::unique_ptr<Solver>(Run& run)> make_processor);

}  // namespace navvy::backends
