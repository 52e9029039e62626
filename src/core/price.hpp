// What mass pays that finds no room in a histogram of less mass.
#pragma once

#include <span>

namespace navvy::core {

/// Lengths of coordinates that were scaled to 1 differ from it by less.
inline constexpr double length_tolerance = 0x1p-20;

/// No two coordinates of length 1 are farther apart.
inline constexpr double unit_price = 2;

/// Whether a coordinate was scaled to length 1, or has nothing to scale.
bool is_unit(std::span<const float> coordinate) noexcept;

}  // namespace navvy::core
