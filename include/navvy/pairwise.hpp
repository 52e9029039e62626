// One pair of histograms: distances, bounds and flows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "navvy/histograms.hpp"
#include "navvy/measure.hpp"
#include "navvy/progress.hpp"
#include "navvy/vocabulary.hpp"

/// One pair at a time, in double, as the paper prints it: the reference for everything faster.
namespace navvy {

/// A view of a nonnegative cost matrix C, row-major: one row per bin of p, one column per bin of q.
struct CostMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::span<const double> values;

  [[nodiscard]] double at(std::size_t i, std::size_t j) const noexcept {
    return values[i * columns + j];
  }
};

/// One entry of a flow: `mass` goes from bin `from` of p to bin `to` of q (positions, not ids) at
/// ground distance `distance`.
struct Move {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  double mass = 0;
  double distance = 0;
};

/// Entropic regularisation as in the paper: the kernel is exp(-lambda * C / scale).
struct SinkhornOptions {
  double lambda = 20;
  /// Costs are divided by this before lambda is applied; 0 means: by the largest cost of the pair.
  /// The returned cost is in the units of C either way.
  double cost_scale = 0;
  double tolerance = 1e-9;  ///< on the L1 error of the marginals
  int max_iterations = 10000;
};

/// The outcome for one pair.
struct Transport {
  double distance = 0;
  /// Who sends how much to whom. For the relaxations this is the relaxed flow of Appendix A of the
  /// paper: it leaves p entirely but may overfill bins of q (or the reverse, see `direction`). bow
  /// and wcd move nothing: bow lists the common bins (distance 0), wcd is empty.
  std::vector<Move> flow;
  /// Which side the flow satisfies; for symmetric relaxations the direction that cost more, for a
  /// mix the one of larger share, whose cost alone the flow has.
  Direction direction = Direction::database_to_query;
  /// A value per bin of each side, where a flow was asked for. Of emd over given costs the proof:
  /// p_potentials[i] + q_potentials[j] <= C(i, j) up to one rounding, and their sums, weighted by p
  /// and q scaled to sum 1, give the distance. Of sinkhorn the logarithms of the scalings, minus
  /// infinity for bins without weight. Empty for all else.
  std::vector<double> p_potentials;
  std::vector<double> q_potentials;
  double unmoved = 0;     ///< the share that found no room, of emd and emd_hat one way
  bool converged = true;  ///< false where sinkhorn stopped at its iteration limit
  int iterations = 0;     ///< of sinkhorn
};

struct TransportOptions {
  /// p plays the part of the database row, q of the query.
  Direction direction = Direction::symmetric;
  SinkhornOptions sinkhorn;
  bool with_flow = false;
  /// Asked whether to go on; a pair is one unit.
  ProgressCallback progress = {};
  /// Bytes that emd, emd-hat and sinkhorn may take, which hold the costs of all pairs of bins at
  /// once; 0: half of the machine's memory. What would take more is refused with Error(limit). The
  /// other measures take pairs of any size bin by bin.
  std::uint64_t memory = 0;
  /// What a unit of mass pays that finds no room, under emd one way; no way is dearer. 0: the
  /// largest of given costs, 2 between coordinates of length 1; for others it has to be named. That
  /// of emd_hat is its threshold.
  double price = 0;
};

/// The distance of p and q under `measure` for any nonnegative cost matrix. Weights need not sum to
/// 1 exactly; they are scaled here, but for emd one way, whose masses are their sums. wcd needs
/// coordinates and throws Error(usage); bow treats bin i of p and bin j of q as the same coordinate
/// where C is 0. Throws Error(bad_input) on weights or costs that are negative or not finite, sizes
/// that do not fit, or a histogram without weight, and Error(interrupted) once options.progress
/// says stop.
Transport transport(const Measure& measure, std::span<const double> p, std::span<const double> q,
                    const CostMatrix& costs, const TransportOptions& options = {});

/// The same from coordinates, under the Euclidean ground distance; equal ids are at distance 0.
/// Masses are those of the histograms.
Transport transport(const Measure& measure, const Vocabulary& vocabulary, const Histogram& p,
                    const Histogram& q, const TransportOptions& options = {});

/// The cost of some plan that moves p into q, found greedily: an upper bound of emd at a small part
/// of its price.
double greedy_cost(const Vocabulary& vocabulary, const Histogram& p, const Histogram& q);

/// The Euclidean ground distances between the bins of p and of q, row-major.
std::vector<double> ground_distances(const Vocabulary& vocabulary, const Histogram& p,
                                     const Histogram& q);

}  // namespace navvy
