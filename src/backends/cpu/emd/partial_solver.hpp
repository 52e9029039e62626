// Emd and emd-hat one way of one query after the other: masses as they are, room that may be more
// or less, and a price for what finds none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "backends/backend.hpp"
#include "backends/cpu/engine.hpp"

namespace navvy::backends {

/// Its calls may use the threads of this run at most.
std::unique_ptr<Solver> make_partial_solver(const Engine& engine, const Task& task, const Run& run);

/// Bytes that one with its bounds takes on one thread, for queries of so many bins.
std::uint64_t partial_solver_memory(const Engine& engine, std::size_t bins);

}  // namespace navvy::backends
