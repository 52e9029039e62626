// A network simplex over all arcs between two sides that keeps nothing of an arc but a float.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "kernels/kernels.hpp"
#include "pairwise/spanning_tree.hpp"

namespace navvy::pairwise {

/// Some bins of one side: their numbers, rising, and their masses, above 0.
struct Supplies {
  std::vector<std::uint32_t> bins;
  std::vector<std::int64_t> masses;

  [[nodiscard]] std::size_t size() const { return bins.size(); }
};

/// A balanced problem. Costs of all pairs of bins, row by row, are finite and not negative.
struct DenseProblem {
  const Supplies& from;
  const Supplies& to;
  std::span<const double> costs;
  std::size_t columns;

  [[nodiscard]] double cost(std::size_t i, std::size_t j) const {
    return costs[from.bins[i] * columns + to.bins[j]];
  }
};

/// The primal simplex in integers. Arcs are priced as floats, in blocks of rows, and the smallest
/// reduced cost of a block comes in. What floats cannot tell from 0 is decided by integers: a solve
/// ends once these find nothing below 0. Ties go to the first arc and every sum is one rounded
/// addition: which arcs come in, and so the plan, does not depend on the kernels.
class DenseSimplex {
 public:
  /// Mass from one position to another.
  struct Flow {
    std::int64_t mass;
    std::int32_t source, target;
  };

  explicit DenseSimplex(const kernels::KernelTable& kernels) : kernels_(&kernels) {}

  /// Bytes that one holds after solves of no more bins than were made room for, or after a first
  /// solve of so many.
  static std::uint64_t memory(std::size_t sources, std::size_t targets);
  void make_room(std::size_t sources, std::size_t targets);

  /// Finds a best plan. Both sides have a bin, and masses of the same sum, below 2^62. Throws
  /// Error(interrupted) once the monitor, where there is one, says stop: it is asked per pivot.
  void solve(const DenseProblem& problem, core::Monitor* monitor);

  /// After solve: the arcs of the tree by source, then target; some carry nothing.
  [[nodiscard]] std::span<const Flow> flows() const { return flows_; }

  /// After solve: what a unit of mass is worth at a target. With the smallest cost less value of
  /// each source it proves the plan, but for what integers cut off of costs.
  [[nodiscard]] double value(std::size_t target) const;

 private:
  struct Arc {
    std::int32_t source = 0;
    std::int32_t target = 0;   // its node
    std::int64_t reduced = 0;  // below 0 if there is one
  };
  static std::size_t stride_of(std::size_t targets) {
    return (targets + kernels::arc_lanes - 1) / kernels::arc_lanes * kernels::arc_lanes;
  }

  void scale(double largest, std::size_t nodes);
  void read_costs(core::Monitor* monitor);
  void make_plan(core::Monitor* monitor);
  [[nodiscard]] bool send(std::size_t i);
  void link(std::int32_t source, std::int32_t target, std::int64_t mass);
  void make_tree();
  void grow_tree(std::size_t done);
  void hang(std::int32_t node, std::int32_t parent, std::int64_t mass);
  void collect_flows();

  [[nodiscard]] float doubt_of_floats() const;
  template <class Find>
  void pivot_until_none(core::Monitor* monitor, const Find& find);
  [[nodiscard]] Arc likely_arc(std::size_t first, std::size_t count);
  [[nodiscard]] Arc certain_arc(std::size_t first, std::size_t count);

  [[nodiscard]] std::int64_t cost(std::size_t i, std::size_t j) const;
  [[nodiscard]] std::int64_t reduced_cost(std::size_t i, std::size_t j) const;
  [[nodiscard]] kernels::ArcCosts raised_by(const float* raises) const {
    return {floats_.data(), stride_, raises};
  }
  [[nodiscard]] kernels::ArcCosts priced() const {
    return raised_by(tree_.prices() + tree_.sources());
  }

  const kernels::KernelTable* kernels_;
  const DenseProblem* problem_ = nullptr;  // of the present solve
  std::size_t stride_ = 0;                 // targets, in whole groups of lanes
  double factors_[2] = {1, 1};             // a cost times both is below 1
  double units_ = 1;                       // of cost, in that 1
  int unit_exponent_ = 0;                  // of such a unit
  std::size_t row_ = 0;                    // where pricing goes on
  float doubt_ = 0;                        // how far floats may be off, or 0 until it is asked for
  std::vector<float> floats_;              // costs, row by row; infinite beyond the targets
  std::vector<float> raises_;              // of targets while there is no tree
  std::vector<double> line_;               // costs of a row whose bins do not follow each other
  std::vector<std::int64_t> left_;         // mass that is not in the first plan yet, by node
  std::vector<Flow> flows_;                // the first plan, and in the end the last
  std::vector<std::int32_t> heads_;    // of a node's list of the first plan's arcs; later starts
  std::vector<std::int32_t> links_;    // of these lists; 2 k and 2 k + 1 are the ends of arc k
  std::vector<std::int32_t> order_;    // of nodes in the tree
  std::vector<std::uint32_t> places_;  // of a row's arcs that floats cannot tell
  SpanningTree tree_;
};

}  // namespace navvy::pairwise
