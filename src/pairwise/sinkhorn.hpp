#pragma once

#include <span>

#include "navvy/pairwise.hpp"

namespace navvy::pairwise {

/// The cost of the entropic plan between p and q, whose weights sum to 1. Bins without weight take
/// no part, not even in the largest cost. Throws Error(usage) on options outside their range.
Transport sinkhorn(std::span<const double> p, std::span<const double> q, const CostMatrix& costs,
                   const SinkhornOptions& options, bool with_flow);

}  // namespace navvy::pairwise
