// Where the bins of an index stand on a page, if it has places for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "navvy/index.hpp"

namespace navvy::cli {

/// A plane of cells: the pixels of images, or, for histograms over two dimensions, cells as wide as
/// their coordinates are apart, the first dimension to the right and the second upwards.
class Plane {
 public:
  /// Nothing for other indexes, and for images too large for a page.
  static std::optional<Plane> of(const Index& index);

  [[nodiscard]] std::size_t width() const noexcept { return width_; }
  [[nodiscard]] std::size_t height() const noexcept { return height_; }
  /// Whether coordinates may lie anywhere in their cells.
  [[nodiscard]] bool of_points() const noexcept { return of_points_; }

  /// The upper left corner of a bin as wide as a cell, in cells from the upper left of the plane.
  [[nodiscard]] double x(std::uint32_t coordinate) const;
  [[nodiscard]] double y(std::uint32_t coordinate) const;

  /// The number of the cell that it stands in, line by line.
  [[nodiscard]] std::size_t cell(std::uint32_t coordinate) const;

 private:
  explicit Plane(const Index& index) : index_(&index) {}
  void fit_pixels();
  void fit_points();

  const Index* index_;
  bool of_points_ = false;
  std::size_t width_ = 1;
  std::size_t height_ = 1;
  double left_ = 0;
  double low_ = 0;
  double step_ = 1;  ///< of coordinates per cell
};

}  // namespace navvy::cli
