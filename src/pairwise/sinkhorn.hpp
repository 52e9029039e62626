// Entropic transport of one pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/parallel.hpp"
#include "navvy/pairwise.hpp"

namespace navvy::pairwise {

/// Up to here kernels of at least exp(-limit) and scalings of at most about exp(2 * limit) stay far
/// from the ends of double, and logarithms are not needed.
inline constexpr double plain_limit = 100;

/// Bytes for a pair of so many bins: costs, and the kernel by rows and by columns, before and after
/// exponentiation.
constexpr std::uint64_t sinkhorn_memory(std::size_t p_bins, std::size_t q_bins) noexcept {
  return 5 * sizeof(double) * std::uint64_t{p_bins} * q_bins;
}

/// Throws Error(usage) on options outside their range.
void validate(const SinkhornOptions& options);

/// The cost of the entropic plan between p and q, whose weights sum to 1. Bins without weight take
/// no part, not even in the largest cost. Throws Error(usage) on options outside their range and
/// Error(interrupted) once the monitor says stop.
Transport sinkhorn(std::span<const double> p, std::span<const double> q, const CostMatrix& costs,
                   const TransportOptions& options, core::Monitor& monitor);

}  // namespace navvy::pairwise
