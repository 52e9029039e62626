// The eigenvectors of a symmetric matrix that belong to its largest eigenvalues.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace navvy::core {

/// The first `count` <= size eigenvectors of a symmetric positive semidefinite matrix of size x
/// size values, largest eigenvalue first, each of length 1 and with a positive value where it is
/// largest in size. From operations that IEEE 754 defines to the bit, in a fixed order: the same
/// matrix gives the same bits everywhere.
std::vector<double> leading_eigenvectors(std::span<const double> matrix, std::size_t size,
                                         std::size_t count);

}  // namespace navvy::core
