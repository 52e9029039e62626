// Sinkhorn distances of one query after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "backends/backend.hpp"
#include "backends/cpu/engine.hpp"

namespace navvy::backends {

/// It offers no bounds. Distances have the same bits when query and row are exchanged. Its calls
/// may use the threads of this run at most.
std::unique_ptr<Solver> make_sinkhorn_solver(const Engine& engine, const SinkhornOptions& options,
                                             const Run& run);

/// Bytes that one takes on one thread, for queries of so many bins.
std::uint64_t sinkhorn_solver_memory(const Engine& engine, std::size_t bins);

}  // namespace navvy::backends
