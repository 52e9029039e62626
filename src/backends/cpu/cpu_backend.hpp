// The backend that computes on the processor's cores.
#pragma once

#include <memory>
#include <span>

#include "backends/backend.hpp"
#include "backends/cpu/queries/query_against_rows.hpp"

namespace navvy::backends {

/// "cpu", with the fastest kernels; "cpu-uncached", the same without the ground distances that are
/// kept sorted for small supports where the budget allows, more slowly; "cpu-unsigned", without the
/// stage of signatures; and one for each set of kernels that runs here, such as "cpu:avx2". All
/// give the same bits.
std::span<const std::unique_ptr<const Backend>> cpu_backends();

/// One query after the other under ict against rows that one of these backends prepared, pair by
/// pair, for who has bounds of another origin. None where choosing a query is the dear part: over
/// large vocabularies.
std::unique_ptr<QueryAgainstRows> ict_pair_by_pair(const PreparedRows& rows, Run& run);

}  // namespace navvy::backends
