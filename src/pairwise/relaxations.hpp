// The relaxations of one pair as the paper prints them: the oracle of everything.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "navvy/pairwise.hpp"

namespace navvy::pairwise {

/// The costs of a pair, one bin after the other: a matrix of them need not exist.
class CostLines {
 public:
  virtual ~CostLines() = default;

  /// From one bin of the source to all bins of the destination; valid until the next call.
  [[nodiscard]] virtual std::span<const double> line(std::size_t from) = 0;
};

/// Those of a matrix: its rows, or its columns where the source is q.
class MatrixLines : public CostLines {
 public:
  MatrixLines(const CostMatrix& costs, bool reversed) : costs_(costs), reversed_(reversed) {}

  [[nodiscard]] std::span<const double> line(std::size_t from) override;

 private:
  CostMatrix costs_;
  bool reversed_;
  std::vector<double> column_;
};

/// A pair seen from one side: the mass of `source` moves into `destination`. Where `reversed`, the
/// source is q, so that moves are written the other way round.
struct DirectedPair {
  std::span<const double> source;
  std::span<const double> destination;
  CostLines& costs;
  bool reversed = false;
};

/// The cost of moving source into destination under rwmd, omr, act or ict, by Algorithms 1 to 3 of
/// the paper. Appends the relaxed flow of Appendix A to `flow` unless that is null. Throws
/// Error(interrupted) once the monitor says stop.
double relaxed_cost(const Measure& measure, const DirectedPair& pair, std::vector<Move>* flow,
                    core::Monitor& monitor);

}  // namespace navvy::pairwise
