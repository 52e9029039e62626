// The relaxations of one pair as the paper prints them: the oracle of everything.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "navvy/pairwise.hpp"

namespace navvy::pairwise {

/// A pair seen from one side: the mass of `source` moves into `destination`. Where `reversed`, the
/// source is q, so that costs are read, and moves written, the other way round.
struct DirectedPair {
  std::span<const double> source;
  std::span<const double> destination;
  CostMatrix costs;
  bool reversed = false;

  [[nodiscard]] double cost(std::size_t from, std::size_t to) const noexcept {
    return reversed ? costs.at(to, from) : costs.at(from, to);
  }
};

/// The two ways to see one pair.
DirectedPair forward(std::span<const double> p, std::span<const double> q, const CostMatrix& costs);
DirectedPair backward(std::span<const double> p, std::span<const double> q,
                      const CostMatrix& costs);

/// The cost of moving source into destination under rwmd, omr, act or ict, by Algorithms 1 to 3 of
/// the paper. Appends the relaxed flow of Appendix A to `flow` unless that is null. Throws
/// Error(interrupted) once the monitor says stop.
double relaxed_cost(const Measure& measure, const DirectedPair& pair, std::vector<Move>* flow,
                    core::Monitor& monitor);

}  // namespace navvy::pairwise
