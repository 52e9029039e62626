// Finds the extent of coordinates, and how far they are apart.
#include "cli/plane.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace navvy::cli {
namespace {

constexpr std::size_t largest = 512;    // pixels of an image: a page should stay a page
constexpr std::size_t most_cells = 32;  // along the longer side of a plane of points

struct Axis {
  double low = 0;
  double extent = 0;
  double least_gap = 0;  ///< between different places; 0: all are one
};

Axis axis_of(const Vocabulary& vocabulary, std::size_t dimension) {
  std::vector<double> places;
  for (std::uint32_t i = 0; i < vocabulary.size(); ++i)
    places.push_back(vocabulary.coordinate(i)[dimension]);
  std::ranges::sort(places);
  Axis axis{places.front(), places.back() - places.front(), 0};
  for (std::size_t i = 1; i < places.size(); ++i) {
    const double gap = places[i] - places[i - 1];
    // What rounding leaves is no gap.
    if (gap <= 1e-6 * axis.extent) continue;
    axis.least_gap = axis.least_gap > 0 ? std::min(axis.least_gap, gap) : gap;
  }
  return axis;
}

std::size_t cell_at(double place, std::size_t cells) {
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(cells - 1)));
}

}  // namespace

std::optional<Plane> Plane::of(const Index& index) {
  const std::size_t dimensions = index.vocabulary.dimensions();
  // The third of images is the channel: those of a pixel share its cell.
  const bool flat = dimensions == 2 || (dimensions == 3 && index.kind == DataKind::images);
  if (!flat || index.vocabulary.size() == 0 || index.kind == DataKind::text) return {};
  Plane plane(index);
  if (index.kind == DataKind::images) {
    plane.fit_pixels();
  } else {
    plane.fit_points();
  }
  if (std::max(plane.width_, plane.height_) > largest) return {};
  return plane;
}

void Plane::fit_pixels() {
  // Clamped first: what a file says need not fit a size.
  const auto place = [&](std::uint32_t coordinate, std::size_t axis) {
    const float value = index_->vocabulary.coordinate(coordinate)[axis];
    return static_cast<std::size_t>(std::clamp(value, 0.0F, static_cast<float>(largest)));
  };
  for (std::uint32_t i = 0; i < index_->vocabulary.size(); ++i) {
    height_ = std::max(height_, place(i, 0) + 1);
    width_ = std::max(width_, place(i, 1) + 1);
  }
}

void Plane::fit_points() {
  of_points_ = true;
  const Axis across = axis_of(index_->vocabulary, 0);
  const Axis up = axis_of(index_->vocabulary, 1);
  const double extent = std::max(across.extent, up.extent);
  left_ = across.low;
  low_ = up.low;
  if (!(extent > 0)) return;
  double gap = extent;
  for (const double least : {across.least_gap, up.least_gap})
    if (least > 0) gap = std::min(gap, least);
  step_ = std::max(gap, extent / static_cast<double>(most_cells - 1));
  const auto cells = [&](double length) {
    return static_cast<std::size_t>(std::lround(length / step_)) + 1;
  };
  width_ = cells(across.extent);
  height_ = cells(up.extent);
}

double Plane::x(std::uint32_t coordinate) const {
  const auto place = index_->vocabulary.coordinate(coordinate);
  return of_points_ ? (place[0] - left_) / step_ : place[1];
}

double Plane::y(std::uint32_t coordinate) const {
  const auto place = index_->vocabulary.coordinate(coordinate);
  return of_points_ ? static_cast<double>(height_ - 1) - (place[1] - low_) / step_ : place[0];
}

std::size_t Plane::cell(std::uint32_t coordinate) const {
  const double half = of_points_ ? 0.5 : 0;
  return cell_at(y(coordinate) + half, height_) * width_ + cell_at(x(coordinate) + half, width_);
}

}  // namespace navvy::cli
