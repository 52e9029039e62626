// Mean and covariance of vectors that come one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "navvy/conditioning.hpp"

namespace navvy::core {

/// Sums over vectors, in double and in the order in which they come, so that the same vectors give
/// the same bits. It holds the square of the dimensions, and no vectors but the last few.
class Moments {
 public:
  explicit Moments(std::size_t dimensions);

  void add(std::span<const float> vector);

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  /// The mean and the directions of most variance, largest first; nothing for 0 components. Throws
  /// Error(usage) unless there are fewer components than dimensions, and two vectors more than
  /// components, so that something is left of them.
  [[nodiscard]] Conditioning conditioning(std::uint32_t components);

 private:
  void flush();

  std::size_t dimensions_;
  std::uint64_t count_ = 0;
  std::vector<double> sums_;
  std::vector<double> products_;  // of values i and j at i * dimensions + j, where i <= j
  std::vector<double> waiting_;   // vectors that are not yet in the sums
};

}  // namespace navvy::core
