// Bounds of exact search from the functions that its solves leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/engine.hpp"
#include "backends/cpu/queries/query_against_rows.hpp"
#include "core/run.hpp"
#include "kernels/kernels.hpp"
#include "navvy/histograms.hpp"

namespace navvy::backends {

/// Lower bounds of EMD from the proofs of exact solves. A solve leaves a function f on all
/// coordinates, f(c) = min over the query's bins j of distance(c, j) - g_j. As a minimum of
/// distances it is 1-Lipschitz whatever the rounding of g, so for every row the mean of f over the
/// row less its mean over the query is at most their EMD (Kantorovich and Rubinstein).
class PotentialBounds {
 public:
  /// Functions that are evaluated together, side by side.
  static constexpr std::size_t lanes = kernels::function_lanes;

  PotentialBounds(const Engine& engine, const ExactTables& tables, const QueryAgainstRows& ground);

  [[nodiscard]] static std::uint64_t memory(std::size_t vocabulary_size) {
    return std::uint64_t{vocabulary_size} * (lanes * sizeof(float) + 3 * sizeof(std::uint32_t));
  }

  /// Most that a query of so many bins takes beside.
  [[nodiscard]] static std::uint64_t memory(std::size_t vocabulary_size, std::size_t bins) {
    return std::uint64_t{vocabulary_size} * bins * sizeof(float);
  }

  /// Forgets everything; the query has no bins without weight.
  void set_query(const Histogram& query);

  /// Takes the functions of at most `lanes` solves, each g by bin of the query, and makes their
  /// values ready at the coordinates of some rows.
  void set_functions(std::span<const std::vector<double>> g, std::span<const std::uint32_t> rows,
                     const core::Run& run);

  /// The largest of the functions' bounds, less all that rounding may have added.
  [[nodiscard]] double lower_bound(std::uint32_t row) const;

 private:
  void evaluate(std::uint32_t coordinate, std::uint32_t first_new);
  void mean_over(const Histogram& histogram, double mass, double (&means)[lanes]) const;

  const Engine& engine_;
  const ExactTables& tables_;
  const QueryAgainstRows& ground_;
  Histogram query_;
  double query_mass_ = 1;
  double slack_ = 0;
  std::vector<float> g_;               // [bin][lane]
  std::vector<float> values_;          // f: [coordinate][lane]
  std::vector<std::uint32_t> round_;   // when a coordinate was last asked for
  std::uint32_t present_ = 0;          // the present round
  std::vector<std::uint32_t> wanted_;  // coordinates of the present round
  // Ground distances to the query's bins are kept from round to round.
  std::vector<std::uint32_t> place_;  // of a coordinate in distances_, or none
  std::vector<float> distances_;      // [place][bin]
  std::uint32_t places_ = 0;
  double query_means_[lanes] = {};
};

}  // namespace navvy::backends
