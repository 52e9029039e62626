// Exact EMD of one pair under a metric, with greedy plans and potentials.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"
#include "navvy/histograms.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/vocabulary.hpp"
#include "pairwise/network_simplex.hpp"

namespace navvy::pairwise {

/// A fixed order of histograms, so that measures that work on a pair as a whole give the same bits
/// for (p, q) and (q, p).
bool precedes(const Histogram& a, const Histogram& b);

/// Weights with a positive sum, scaled to 1.
void normalize(std::span<const float> weights, std::vector<double>& result);

/// Positions of weights, the heaviest first; of equals the earlier.
void heaviest_first(std::span<const double> weights, std::vector<std::uint32_t>& order);

/// Euclidean ground distances between two lists of coordinates, row by row of `from`: the bits of
/// ground_distance. Keeps scratch memory; one per thread.
class GroundDistances {
 public:
  explicit GroundDistances(const kernels::KernelTable& kernels = kernels::best_kernels())
      : kernels_(&kernels) {}

  /// Chooses the list that distances go to.
  void set_targets(const Vocabulary& vocabulary, std::span<const std::uint32_t> to);

  /// The distances from one coordinate to the list.
  void line(std::span<const float> point, std::span<double> distances) const;

  void fill(const Vocabulary& vocabulary, std::span<const std::uint32_t> from,
            std::span<const std::uint32_t> to, std::vector<double>& distances);

 private:
  const kernels::KernelTable* kernels_;
  std::vector<double> columns_;  // component d of to[j] at [d * to.size() + j]
};

/// What is left of one histogram after common mass has been cancelled.
struct HistogramRest {
  std::vector<std::uint32_t> bins;  // positions in the histogram
  std::vector<std::uint32_t> coordinates;
  std::vector<double> weights;

  void assign(const Histogram& histogram, std::span<const double> rest);
};

/// Exact EMD of one pair of histograms after the other under the Euclidean ground distance. Keeps
/// its memory between pairs; one per thread.
///
/// In a metric some best plan leaves common mass where it is, by the triangle inequality. Only the
/// rest is solved for, which makes the problem smaller and equal histograms cost exactly 0. A pair
/// is solved in a fixed order of its histograms, so that (p, q) and (q, p) give the same bits.
class MetricEmd {
 public:
  /// Marks bins of q for which the last solve has no potential: their mass was all common.
  static constexpr double no_potential = -std::numeric_limits<double>::infinity();
  static constexpr double no_threshold = std::numeric_limits<double>::infinity();

  /// Ground distances above the threshold count as the threshold: still a metric.
  explicit MetricEmd(const Vocabulary& vocabulary, double threshold = no_threshold,
                     const kernels::KernelTable& kernels = kernels::best_kernels())
      : vocabulary_(vocabulary), threshold_(threshold), ground_(kernels), solver_(kernels) {}

  /// Bytes that one holds after pairs of no more bins than were made room for, or after a first
  /// pair of so many.
  static std::uint64_t memory(std::size_t p_bins, std::size_t q_bins, std::size_t dimensions) {
    const std::uint64_t arcs = std::uint64_t{p_bins} * q_bins;
    const std::uint64_t nodes = std::uint64_t{p_bins} + q_bins;
    constexpr std::uint64_t per_node = 6 * sizeof(double);  // what is left of a side, and its bins
    return sizeof(double) * (arcs + 2 * dimensions * std::max(p_bins, q_bins)) + per_node * nodes +
           EmdSolver::memory(p_bins, q_bins);
  }

  /// Makes room for pairs of up to so many bins, so that growing to them takes no more.
  void make_room(std::size_t p_bins, std::size_t q_bins) {
    solver_.make_room(p_bins, q_bins);
    costs_.reserve(p_bins * q_bins);
  }

  /// Chooses a pair. Weights are per bin, sum to 1 each; histograms give the coordinates.
  void set_pair(const Histogram& p, std::span<const double> p_weights, const Histogram& q,
                std::span<const double> q_weights);

  /// The least cost of moving p into q; the monitor is that of EmdSolver::solve.
  double solve(core::Monitor* monitor = nullptr);

  /// The cost of some plan that moves p into q: heavy bins first, each to the nearest room that is
  /// left. At least the least cost. Ground distances are kept for solve(), or, for pairs of any
  /// size, computed bin by bin as they are asked for.
  enum class Costs { kept, passing };
  double greedy_cost(Costs costs = Costs::kept);

  /// Bytes that solve() takes for the pair, whose common mass is no part of the problem.
  [[nodiscard]] std::uint64_t pair_memory() const {
    return memory(from_.bins.size(), to_.bins.size(), vocabulary_.dimensions());
  }

  /// After solve: the plan by positions in p and q, common mass included, in no order.
  [[nodiscard]] std::vector<Move> flow() const;

  /// After solve: g per bin of q such that f(c) = min over j of distance(c, q_j) - g_j is
  /// 1-Lipschitz by its form, and the mean of f over p less that over q is the distance.
  void potentials(std::vector<double>& g) const;

 private:
  [[nodiscard]] bool nothing_moves() const { return from_.bins.empty() || to_.bins.empty(); }
  void fill_costs();
  /// The costs of a bin that is left of one side to those of the other; valid until the next call.
  [[nodiscard]] std::span<const double> costs_of(std::size_t from);
  [[nodiscard]] double largest_cost();

  const Vocabulary& vocabulary_;
  double threshold_;
  GroundDistances ground_;
  EmdSolver solver_;
  std::vector<double> p_rest_, q_rest_;
  std::vector<Move> common_;
  std::size_t q_size_ = 0;
  bool swapped_ = false;  // `from_` is the rest of q
  HistogramRest from_, to_;
  bool has_costs_ = false;
  std::vector<double> costs_;
  std::vector<double> line_;
  std::vector<std::uint32_t> order_;
  std::vector<double> room_;
};

}  // namespace navvy::pairwise
