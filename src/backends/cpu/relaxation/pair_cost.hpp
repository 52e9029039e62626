// The cost of one pair in one direction: the arithmetic of the kernels, bin by bin.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/relaxation/nearest.hpp"
#include "navvy/histograms.hpp"

namespace navvy::backends {

/// The cost of moving one histogram into another, bin by bin: what the kernels compute, to the bit,
/// for pairs that come one at a time. One per thread.
class PairCost {
 public:
  /// `find(bin, capacities, steps)` fills at most `levels` levels for a bin of the source and
  /// returns how many; levels that its weight does not reach may be left out.
  template <class Find>
  float operator()(const Histogram& source, std::span<const std::uint32_t> ends, std::size_t levels,
                   const Find& find) {
    capacities_.resize(levels);
    steps_.resize(levels);
    sums_.assign(levels, 0);
    std::size_t bin = 0;
    for (const std::uint32_t end : ends) {
      piece_sums_.assign(levels, 0);
      for (; bin < end; ++bin) {
        const std::size_t found = find(bin, std::span(capacities_), std::span(steps_));
        const float weight = source.weights[bin];
        for (std::size_t level = 0; level < found; ++level) {
          const float overflow = weight - capacities_[level];
          if (overflow <= 0) break;  // capacities ascend: no later level overflows either
          piece_sums_[level] = std::fma(steps_[level], overflow, piece_sums_[level]);
        }
      }
      for (std::size_t level = 0; level < levels; ++level) sums_[level] += piece_sums_[level];
    }
    float cost = 0;
    for (const float sum : sums_) cost += sum;
    return cost;
  }

  /// The same with the levels that `nearest` finds for its query.
  float operator()(const Histogram& source, std::span<const std::uint32_t> ends, std::size_t levels,
                   kernels::Overflow overflow, Nearest& nearest) {
    return (*this)(source, ends, levels,
                   [&](std::size_t bin, std::span<float> capacities, std::span<float> steps) {
                     return nearest.find_for(source.weights[bin], source.coordinates[bin], overflow,
                                             {capacities, steps});
                   });
  }

 private:
  std::vector<float> capacities_, steps_, piece_sums_, sums_;
};

}  // namespace navvy::backends
