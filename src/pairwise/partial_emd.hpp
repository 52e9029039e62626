// Rubner's EMD of a pair of unequal masses, with a price for what finds no room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"
#include "navvy/histograms.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/vocabulary.hpp"
#include "pairwise/metric_emd.hpp"
#include "pairwise/network_simplex.hpp"

namespace navvy::pairwise {

/// Moves weights into room, under any costs: what is not needed of the room stays empty for
/// nothing, what finds none, or only at more than the price, pays the price. Keeps its memory
/// between solves; one per thread.
class RoomSolver {
 public:
  explicit RoomSolver(const kernels::KernelTable& kernels = kernels::best_kernels())
      : solver_(kernels) {}

  static std::uint64_t memory(std::size_t from_bins, std::size_t to_bins) {
    const std::uint64_t arcs = (std::uint64_t{from_bins} + 1) * (std::uint64_t{to_bins} + 1);
    const std::uint64_t nodes = std::uint64_t{from_bins} + to_bins + 2;
    return sizeof(double) * arcs + (sizeof(double) + sizeof(Move)) * nodes +
           EmdSolver::memory(from_bins + 1, to_bins + 1);
  }

  void make_room(std::size_t from_bins, std::size_t to_bins) {
    solver_.make_room(from_bins + 1, to_bins + 1);
    costs_.reserve((from_bins + 1) * (to_bins + 1));
  }

  /// The least cost. Weights are not negative and have a positive sum, room is not negative; costs
  /// are row-major. Throws as EmdSolver::solve does.
  double solve(std::span<const double> weights, std::span<const double> room,
               std::span<const double> costs, double price, core::Monitor* monitor);

  /// After solve: what moved, by positions.
  [[nodiscard]] const std::vector<Move>& flow() const noexcept { return flow_; }
  /// After solve: how much paid the price.
  [[nodiscard]] double unmoved() const noexcept { return unmoved_; }

 private:
  EmdSolver solver_;
  // The balanced problem: a last source fills what is too much of room for nothing, a last target
  // takes what is too little of it, at the price.
  std::vector<double> sources_, targets_, costs_;
  std::vector<Move> flow_;
  double unmoved_ = 0;
};

/// The same for one pair of histograms after the other under the Euclidean ground distance.
///
/// The weights of what is moved sum to 1; room is counted in the same unit. min(distance, price) is
/// a metric, so some best plan leaves common mass where it is: let some at c move elsewhere, to b,
/// while room at c is taken by mass from a, which may as well go to b for at most the sum of both;
/// or while it is empty, and then staying is free. Only the rest is solved for, and what the other
/// histogram contains costs exactly 0: room that falls short by no more than what rounding weights
/// to floats can do is enough.
class PartialEmd {
 public:
  PartialEmd(const Vocabulary& vocabulary, double price,
             const kernels::KernelTable& kernels = kernels::best_kernels())
      : vocabulary_(vocabulary), price_(price), ground_(kernels), solver_(kernels) {}

  /// Bytes that one holds after pairs of no more bins than were made room for, or after a first
  /// pair of so many.
  static std::uint64_t memory(std::size_t from_bins, std::size_t to_bins, std::size_t dimensions) {
    const std::uint64_t arcs = std::uint64_t{from_bins} * to_bins;
    const std::uint64_t nodes = std::uint64_t{from_bins} + to_bins;
    constexpr std::uint64_t per_node = 6 * sizeof(double);  // the rest of a side, room, common mass
    return sizeof(double) * (arcs + dimensions * to_bins) + per_node * nodes +
           RoomSolver::memory(from_bins, to_bins);
  }

  /// Makes room for pairs of up to so many bins, so that growing to them takes no more.
  void make_room(std::size_t from_bins, std::size_t to_bins) {
    solver_.make_room(from_bins, to_bins);
    distances_.reserve(from_bins * to_bins);
  }

  /// Chooses a pair. Weights are per bin and sum to 1 each; histograms give coordinates and masses.
  void set_pair(const Histogram& from, std::span<const double> from_weights, const Histogram& to,
                std::span<const double> to_weights);

  /// The least cost; the monitor is that of EmdSolver::solve.
  double solve(core::Monitor* monitor = nullptr);

  /// The cost of some plan, at least the least: heavy bins first, each to the nearest room that is
  /// left.
  double greedy_cost();

  /// After solve: what moved, by positions in `from` and `to`, in no order, and what did not.
  [[nodiscard]] std::vector<Move> flow() const;
  [[nodiscard]] double unmoved() const;

  /// Bytes that solve() takes for the pair, whose common mass is no part of the problem.
  [[nodiscard]] std::uint64_t pair_memory() const {
    return memory(from_.bins.size(), to_.bins.size(), vocabulary_.dimensions());
  }

 private:
  void fill_distances();

  const Vocabulary& vocabulary_;
  double price_;
  GroundDistances ground_;
  RoomSolver solver_;
  std::vector<double> from_rest_, to_rest_;
  std::vector<Move> common_;
  HistogramRest from_, to_;
  bool has_distances_ = false;
  std::vector<double> distances_;
  std::vector<std::uint32_t> order_;
  std::vector<double> left_;
};

}  // namespace navvy::pairwise
