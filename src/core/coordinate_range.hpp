// How large and how small coordinates may be, so that floats hold the squares of their distances.
#pragma once

#include "navvy/vocabulary.hpp"

namespace navvy::core {

struct Extent {
  double component = 0;  ///< no component is larger, whatever its sign
  double farthest = 0;   ///< the largest distance from the first coordinate
};

Extent extent_of(const Vocabulary& vocabulary);

/// No |a|^2 + |b|^2 of coordinates with these components is larger.
double largest_norms(std::size_t dimensions, double component);

/// Norms up to here, and the sums that distances are made of, are finite floats.
inline constexpr double norms_limit = 0x1p126;

/// Squares below the range of floats take at most this from a distance: 2^-149 per dimension, the
/// root of the sum.
double lost_below(std::size_t dimensions);

/// Throws Error(bad_input) where distances could be infinite, or where what is lost below the range
/// of floats is more than a rounding of the largest distance. All coordinates may be the same.
void check_range(const Vocabulary& vocabulary);

}  // namespace navvy::core
