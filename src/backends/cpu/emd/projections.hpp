// Tables of exact search that are made once: one-dimensional shadows of all rows, and their masses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backends/ground/ground.hpp"
#include "core/buffer.hpp"
#include "core/run.hpp"
#include "navvy/histograms.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::backends {

/// Lower bounds of EMD from one-dimensional shadows: the Wasserstein distance of two histograms
/// projected on a line is at most their EMD.
///
/// On the line the distance is the integral of |F_p - F_q| over the cumulative weights F. The line
/// is cut into intervals; what is kept of a row are the integrals of F over each, and the sum of
/// their absolute differences is at most the integral of the absolute difference.
class Projections {
 public:
  /// Beyond this many dimensions a line shows too little of a histogram.
  static constexpr std::size_t max_dimensions = 8;
  /// Enough that few rows are left to dearer bounds.
  static constexpr std::size_t max_lines = 8;

  /// Adds up the weights of each row on the way.
  Projections(const Vocabulary& vocabulary, const Histograms& rows, std::span<double> masses,
              const core::Run& run);

  /// Bytes that they take for so many rows.
  [[nodiscard]] static std::uint64_t memory(const Vocabulary& vocabulary,
                                            std::size_t rows) noexcept;

  /// The shadow of any histogram, as floats side by side.
  [[nodiscard]] std::vector<float> shadow(const Histogram& histogram) const;

  /// The largest of the bounds of all lines, as computed; see Slack.
  [[nodiscard]] float distance(std::span<const float> shadow, std::size_t row) const noexcept;

  /// Floating point may make the distance larger than its true value by this much, absolutely: two
  /// roundings per interval, and a sum.
  [[nodiscard]] double error() const noexcept { return 0x1p-20 * longest_; }

 private:
  static constexpr std::size_t intervals = 32;  // per line; a multiple of the lanes of the loop
  static constexpr std::size_t lanes = 8;

  struct Place {
    double filled = 0;  // the part of its interval that lies behind it
    std::uint32_t interval = 0;
  };

  /// Finds the places of all coordinates on one of so many lines, and the length of its intervals.
  void place_all(const Vocabulary& vocabulary, std::span<const double> direction, std::size_t line,
                 std::size_t lines);
  /// Returns the sum of the weights.
  double fill_shadow(const Histogram& histogram, float* out) const;
  [[nodiscard]] std::size_t width() const noexcept { return lengths_.size() * intervals; }

  std::vector<double> lengths_;  // of the intervals of each line
  std::vector<Place> places_;    // [coordinate][line]
  double longest_ = 0;
  core::Buffer<float> shadows_;  // [row][line][interval]
};

/// What exact search needs of an index beside its rows.
struct ExactTables {
  /// Where the ground is no norm there are no projections: they bound what is moved over whole
  /// ways.
  ExactTables(const Ground& ground, const Histograms& rows, const core::Run& run);

  [[nodiscard]] static bool has_projections(const Ground& ground) noexcept;

  core::Reservation reserved;  ///< for all that follows
  std::vector<double> masses;  ///< the sum of each row's weights: 1 but for rounding
  std::optional<Projections> projections;
};

}  // namespace navvy::backends
