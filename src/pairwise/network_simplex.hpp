// Exact transport by the network simplex of LEMON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "navvy/pairwise.hpp"

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
/// error: weights in units of 2^-60 of the total, costs in units of 2^-59 x (bins of p and q) of
/// the largest. The plan it finds is then priced with the costs as given, so that with n bins on
/// both sides together the distance is exact to about n * 2^-53 of the largest cost.
class EmdSolver {
 public:
  EmdSolver();
  ~EmdSolver();
  EmdSolver(EmdSolver&&) noexcept;
  EmdSolver& operator=(EmdSolver&&) noexcept;

  /// Bytes that one holds after solves of no more bins than were made room for, or after a first
  /// solve of so many: what LEMON keeps of every arc and node, and the plan.
  static std::uint64_t memory(std::size_t p_bins, std::size_t q_bins) {
    const std::uint64_t nodes = std::uint64_t{p_bins} + q_bins;
    const std::uint64_t arcs = std::uint64_t{p_bins} * q_bins + 2 * nodes;
    constexpr std::uint64_t per_arc = 5 * sizeof(std::int64_t) + 3 * sizeof(std::int32_t) + 1;
    constexpr std::uint64_t per_node =
        2 * sizeof(std::int64_t) + 8 * sizeof(std::int32_t) + 2 * sizeof(Move) + 4 * sizeof(double);
    return per_arc * arcs + per_node * nodes;
  }

  /// Makes room for pairs of up to so many bins. LEMON's arrays grow by doubling: without it, pairs
  /// that become larger and larger take up to twice what the largest takes.
  void make_room(std::size_t p_bins, std::size_t q_bins);

  /// The least cost of moving p into q. Weights are finite, not negative and have a positive sum on
  /// both sides; q is moved as if scaled to the sum of p. Costs are finite, not negative,
  /// row-major. Throws Error(limit) where there are more pairs of bins than the solver can number
  /// (2^31), and Error(interrupted) once the monitor, where there is one, says stop.
  double solve(std::span<const double> p, std::span<const double> q, std::span<const double> costs,
               core::Monitor* monitor = nullptr);

  /// The plan of the last solve, by position in p, then q.
  [[nodiscard]] const std::vector<Move>& flow() const;

  /// The proof of the last solve, for every bin; `costs` as given then.
  [[nodiscard]] Potentials potentials(std::span<const double> costs) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace navvy::pairwise
