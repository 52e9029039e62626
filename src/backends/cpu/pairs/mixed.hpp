// Distances that are a mix of both directed costs, out of two squares of tiles.
#pragma once

#include <cstddef>

#include "backends/cpu/pairs/tiles.hpp"
#include "core/direction.hpp"

namespace navvy::backends {

/// Squares of 64 x 64 pairs: `square` has the costs of moving `rows` rows into `lanes` queries,
/// `other` those of the same pairs the other way round. Each then has the distances of its own
/// queries. No kernel: all pairs under a mix are rare.
inline void mix_with_transposed(const Direction& direction, float* square, std::size_t rows,
                                std::size_t lanes, float* other) {
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      float& into_lane = square[row * panel_lanes + lane];
      float& into_row = other[lane * panel_lanes + row];
      const float of_lane = core::combined(direction, into_lane, into_row);
      into_row = core::combined(direction, into_row, into_lane);
      into_lane = of_lane;
    }
}

}  // namespace navvy::backends
