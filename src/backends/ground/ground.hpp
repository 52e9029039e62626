// What the distance between two coordinates is: one definition for every vocabulary and device, and
// what bounds may take for granted about it.
#pragma once

#include <cstdint>
#include <limits>

#include "navvy/vocabulary.hpp"

namespace navvy::backends {

/// What holds for a ground distance. A bound that needs more than a nonnegative cost asks here.
struct Promises {
  bool symmetric = false;
  /// The triangle inequality: common mass stays where it is, potentials are 1-Lipschitz.
  bool metric = false;
  /// Distances are lengths of differences: mass has centroids and shadows on lines.
  bool norm = false;
  /// Coordinates at different places are at least this far apart; 0: unknown.
  double spacing = 0;
  /// No distance is larger.
  double diameter = 0;
  /// |distance - exact| is at most relative_error * exact + 2^-40 * diameter. 1: nothing is
  /// promised, since squares of such coordinates leave the range of floats.
  double relative_error = 1;
};

/// Distances between the coordinates of a vocabulary. Devices fill tiles of them in their own way,
/// held to the bits of this class; it keeps nothing but the vocabulary, so it is slow.
class Ground {
 public:
  /// Distances above the threshold count as the threshold.
  static Ground euclidean(const Vocabulary& vocabulary,
                          double threshold = std::numeric_limits<double>::infinity());

  [[nodiscard]] const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  [[nodiscard]] const Promises& promises() const noexcept { return promises_; }

  /// The definition: exactly 0 between a coordinate and itself, and the same bits both ways.
  [[nodiscard]] float distance(std::uint32_t from, std::uint32_t to) const noexcept;

  /// In double, for solvers.
  [[nodiscard]] double exact(std::uint32_t from, std::uint32_t to) const noexcept;

  /// The square that distance() is the root of. Order by squares, where roots may coincide.
  [[nodiscard]] float squared(std::uint32_t from, std::uint32_t to) const noexcept {
    return squared(from, to, squared_norm(from), squared_norm(to));
  }
  /// The same for squared norms that are at hand.
  [[nodiscard]] float squared(std::uint32_t from, std::uint32_t to, float from_norm,
                              float to_norm) const noexcept;
  [[nodiscard]] float squared_norm(std::uint32_t id) const noexcept;

  /// No square is larger.
  [[nodiscard]] float largest_squared() const noexcept { return largest_squared_; }

 private:
  Ground(const Vocabulary& vocabulary, double threshold);

  Vocabulary vocabulary_;
  double threshold_;
  float largest_squared_;
  Promises promises_;
};

}  // namespace navvy::backends
