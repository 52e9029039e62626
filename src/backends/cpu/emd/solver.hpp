// Emd and emd-hat of one query after the other, with bounds from below and above that are much
// cheaper than a solve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "backends/backend.hpp"
#include "backends/cpu/engine.hpp"

namespace navvy::backends {

/// Tables of an index that all emd solvers share, made when first asked for.
const ExactTables& exact_tables(const Engine& engine, const Run& run);

/// Its calls may use the threads of this run at most. What bounds need is made, and charged, when
/// one is first asked for: who only solves does without.
std::unique_ptr<Solver> make_emd_solver(const Engine& engine, const SolverOptions& options,
                                        const Run& run);

/// Bytes that one with all its bounds takes on one thread, for queries of so many bins.
std::uint64_t emd_solver_memory(const Engine& engine, const SolverOptions& options,
                                std::size_t bins);

}  // namespace navvy::backends
