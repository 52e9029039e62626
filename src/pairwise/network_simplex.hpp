// Exact transport by the network simplex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"
#include "navvy/pairwise.hpp"
#include "pairwise/dense_simplex.hpp"

namespace navvy::core {
class Monitor;
}

namespace navvy::pairwise {

/// A solution of the dual problem: p[i] + q[j] <= C(i, j) up to one rounding, and
/// sum p[i] * weight_p[i] + sum q[j] * weight_q[j] equals the distance up to rounding.
struct Potentials {
  std::vector<double> p;
  std::vector<double> q;
};

/// Exact EMD of one pair after the other, by network simplex. Keeps its memory between solves; one
/// per thread.
///
/// The simplex runs on integers, where it cannot cycle or call a pair infeasible for a rounding
/// error: weights in units of 2^-60 of the total, costs in units of about 2^-50 of the largest
/// (2^-60 x the bins of the smaller side, where these are more than 2^10). The plan it finds is
/// then priced with the costs as given, so that the distance is exact to about one such unit and
/// the rounding of a sum over bins.
class EmdSolver {
 public:
  /// The distance and the plan are the same bits with any kernels.
  explicit EmdSolver(const kernels::KernelTable& kernels = kernels::best_kernels())
      : simplex_(kernels) {}

  /// Bytes that one holds after solves of no more bins than were made room for, or after a first
  /// solve of so many.
  static std::uint64_t memory(std::size_t p_bins, std::size_t q_bins) {
    const std::uint64_t nodes = std::uint64_t{p_bins} + q_bins;
    constexpr std::uint64_t per_node = sizeof(std::uint32_t) + sizeof(std::int64_t) + sizeof(Move);
    return DenseSimplex::memory(p_bins, q_bins) + per_node * nodes;
  }

  /// Makes room for pairs of up to so many bins, so that growing to them takes no more.
  void make_room(std::size_t p_bins, std::size_t q_bins);

  /// The least cost of moving p into q. Weights are finite, not negative and have a positive sum on
  /// both sides; q is moved as if scaled to the sum of p. Costs are finite, not negative,
  /// row-major. Throws Error(limit) where there are more bins than the solver can number (2^30),
  /// and Error(interrupted) once the monitor, where there is one, says stop.
  double solve(std::span<const double> p, std::span<const double> q, std::span<const double> costs,
               core::Monitor* monitor = nullptr);

  /// The plan of the last solve, by position in p, then q.
  [[nodiscard]] const std::vector<Move>& flow() const { return flow_; }

  /// The proof of the last solve, for every bin; `costs` as given then.
  [[nodiscard]] Potentials potentials(std::span<const double> costs) const;

 private:
  DenseSimplex simplex_;
  Supplies p_, q_;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<Move> flow_;
};

}  // namespace navvy::pairwise
