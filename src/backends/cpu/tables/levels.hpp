// How many levels of nearest bins a relaxation charges, and where.
#pragma once

#include <cstddef>

#include "kernels/kernels.hpp"
#include "navvy/measure.hpp"

namespace navvy::backends {

/// What a relaxation asks of Phases 1 to 3: how many of the nearest bins (the paper's k), and where
/// their capacities count.
struct Levels {
  int count = 1;
  kernels::Overflow overflow = kernels::Overflow::everywhere;
  /// ict: what overflows the last level is found and charged as well, pair by pair.
  bool finish = false;
};

/// The levels that tables hold for ict; what overflows even these is finished pair by pair.
inline constexpr int ict_levels = 16;

inline Levels levels_of(const Measure& measure) {
  switch (measure.kind) {
    case MeasureKind::omr:
      return {2, kernels::Overflow::at_distance_zero};
    case MeasureKind::act:
      return {measure.iterations + 1, kernels::Overflow::everywhere};
    case MeasureKind::ict:
      return {ict_levels, kernels::Overflow::everywhere, true};
    case MeasureKind::rwmd:
    case MeasureKind::bow:
    case MeasureKind::wcd:
    case MeasureKind::sinkhorn:
    case MeasureKind::emd:
    case MeasureKind::emd_hat:
      break;
  }
  return {1, kernels::Overflow::everywhere};
}

/// Levels that are charged against a destination of so many bins.
inline std::size_t charged(const Levels& levels, std::size_t bins) noexcept {
  return levels.finish ? bins : static_cast<std::size_t>(levels.count);
}

/// Levels side by side in the table of one query, in the groups that candidate_costs walks.
inline std::size_t table_width(const Levels& levels) noexcept {
  return levels.count <= 4 ? 4 : (static_cast<std::size_t>(levels.count) + 7) / 8 * 8;
}

}  // namespace navvy::backends
