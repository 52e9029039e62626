// The nearest bins of one query, looked up one coordinate at a time.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/kernels.hpp"
#include "navvy/histograms.hpp"

namespace navvy::backends {

/// The nearest bins of one query for one coordinate, in the overflow form: level 0 has capacity 0
/// and the nearest distance as step.
struct NearestLevels {
  std::span<float> capacities;
  std::span<float> steps;
};

/// Looks up the nearest bins of one query at a time, one coordinate after the other. Keeps scratch
/// memory, so one per thread.
class Nearest {
 public:
  virtual ~Nearest() = default;

  /// Chooses the query. It must stay alive until the next call; it may have bins of weight zero.
  virtual void set_query(const Histogram& query) = 0;

  /// Fills levels until the bins found can take `weight`, since no later level is charged then, or
  /// until `levels` are full. Returns how many were filled.
  virtual std::size_t find_for(float weight, std::size_t coordinate, kernels::Overflow overflow,
                               const NearestLevels& levels) = 0;
};

}  // namespace navvy::backends
