// Costs as floats and units, a first plan, and the search for arcs that come in.
#include "pairwise/dense_simplex.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace navvy::pairwise {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::size_t most_rows = 16;  // of a block

// Enough arcs in a block for a good one among them, few enough not to cost more than a pivot.
std::size_t rows_of_block(std::size_t stride) {
  return std::clamp<std::size_t>(768 / stride, 2, most_rows);
}

}  // namespace

std::uint64_t DenseSimplex::memory(std::size_t sources, std::size_t targets) {
  const std::uint64_t stride = stride_of(targets);
  const std::uint64_t nodes = std::uint64_t{sources} + targets;
  return sizeof(float) * stride * (sources + 1) + sizeof(double) * targets +
         sizeof(std::uint32_t) * stride +
         (sizeof(std::int64_t) + sizeof(Flow) + 4 * sizeof(std::int32_t)) * nodes +
         SpanningTree::memory(nodes);
}

void DenseSimplex::make_room(std::size_t sources, std::size_t targets) {
  const std::size_t nodes = sources + targets;
  floats_.reserve(sources * stride_of(targets));
  raises_.reserve(stride_of(targets));
  places_.reserve(stride_of(targets));
  left_.reserve(nodes);
  flows_.reserve(nodes);
  heads_.reserve(nodes);
  links_.reserve(2 * nodes);
  order_.reserve(nodes);
  tree_.reserve(nodes);
}

// Units are 2^-50 of the power of two above the largest cost. A potential is a sum of costs of
// alternating sign along a path, which meets every bin of the smaller side at most once: beyond
// 2^10 bins units are larger, so that sums stay within 2^62.
void DenseSimplex::scale(double largest, std::size_t nodes) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  const int half = exponent / 2;
  factors_[0] = std::ldexp(1, -half);
  factors_[1] = std::ldexp(1, half - exponent);
  const int bits = std::min(50, 60 - static_cast<int>(std::bit_width(nodes)));
  units_ = std::ldexp(1, bits);
  unit_exponent_ = exponent - bits;
}

// Only a cost of 0 becomes 0: a plan that the integers call free is free.
std::int64_t DenseSimplex::cost(std::size_t i, std::size_t j) const {
  const double cost = problem_->cost(i, j);
  const auto units = static_cast<std::int64_t>(cost * factors_[0] * factors_[1] * units_);
  return units + static_cast<std::int64_t>(units == 0 && cost > 0);
}

std::int64_t DenseSimplex::reduced_cost(std::size_t i, std::size_t j) const {
  const auto source = static_cast<std::int32_t>(i);
  const auto target = static_cast<std::int32_t>(tree_.sources() + j);
  return cost(i, j) - tree_.at(source).potential + tree_.at(target).potential;
}

void DenseSimplex::read_costs(core::Monitor* monitor) {
  const std::size_t sources = problem_->from.size();
  const std::size_t targets = problem_->to.size();
  const auto row = [&](std::size_t i) {
    if (monitor != nullptr) monitor->throw_if_stopped();
    const double* costs = problem_->costs.data() + problem_->from.bins[i] * problem_->columns;
    if (targets == problem_->columns) return costs;
    for (std::size_t j = 0; j < targets; ++j) line_[j] = costs[problem_->to.bins[j]];
    return static_cast<const double*>(line_.data());
  };
  if (targets < problem_->columns) line_.resize(targets);
  double largest = 0;
  for (std::size_t i = 0; i < sources; ++i)
    largest = std::max(largest, kernels_->largest_double(row(i), targets));
  scale(largest, std::min(sources, targets));
  stride_ = stride_of(targets);
  floats_.resize(sources * stride_);
  for (std::size_t i = 0; i < sources; ++i) {
    float* floats = floats_.data() + i * stride_;
    kernels_->scaled_floats(row(i), targets, factors_, floats);
    std::fill(floats + targets, floats + stride_, infinity);
  }
}

// In rounds: every source that has mass sends some to the nearest target that has room.
void DenseSimplex::make_plan(core::Monitor* monitor) {
  const std::size_t sources = problem_->from.size();
  const std::size_t nodes = sources + problem_->to.size();
  left_.assign(problem_->from.masses.begin(), problem_->from.masses.end());
  left_.insert(left_.end(), problem_->to.masses.begin(), problem_->to.masses.end());
  raises_.assign(stride_, 0);
  flows_.clear();
  heads_.assign(nodes, -1);
  links_.clear();
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < sources; ++i) {
      if (left_[i] == 0) continue;
      if (monitor != nullptr) monitor->throw_if_stopped();
      more = send(i) || more;
    }
  }
}

// Returns whether the source keeps mass.
bool DenseSimplex::send(std::size_t i) {
  float cost = 0;
  kernels_->smallest_in_rows(raised_by(raises_.data()), i, 1, &cost);
  const std::size_t j = kernels_->place_in_row(raised_by(raises_.data()), i, cost);
  std::int64_t& mass = left_[i];
  std::int64_t& room = left_[problem_->from.size() + j];
  const std::int64_t sent = std::min(mass, room);
  link(static_cast<std::int32_t>(i), static_cast<std::int32_t>(problem_->from.size() + j), sent);
  mass -= sent;
  room -= sent;
  if (room == 0) raises_[j] = infinity;
  return mass > 0;
}

void DenseSimplex::link(std::int32_t source, std::int32_t target, std::int64_t mass) {
  const auto arc = static_cast<std::int32_t>(flows_.size());
  flows_.push_back({mass, source, target});
  links_.push_back(heads_[static_cast<std::size_t>(source)]);
  links_.push_back(heads_[static_cast<std::size_t>(target)]);
  heads_[static_cast<std::size_t>(source)] = 2 * arc;
  heads_[static_cast<std::size_t>(target)] = 2 * arc + 1;
}

void DenseSimplex::hang(std::int32_t node, std::int32_t parent, std::int64_t mass) {
  const auto source = static_cast<std::size_t>(std::min(node, parent));
  const std::size_t target = static_cast<std::size_t>(std::max(node, parent)) - tree_.sources();
  tree_.hang(node, parent, mass, cost(source, target));
  order_.push_back(node);
  if (static_cast<std::size_t>(node) >= tree_.sources()) raises_[target] = 0;
}

// Everything that arcs of the first plan lead to from the nodes hung last.
void DenseSimplex::grow_tree(std::size_t done) {
  for (; done < order_.size(); ++done) {
    const std::int32_t node = order_[done];
    for (std::int32_t end = heads_[static_cast<std::size_t>(node)]; end >= 0;
         end = links_[static_cast<std::size_t>(end)]) {
      const Flow& arc = flows_[static_cast<std::size_t>(end / 2)];
      const std::int32_t other = end % 2 == 0 ? arc.target : arc.source;
      if (!tree_.has(other)) hang(other, node, arc.mass);
    }
  }
}

// The plan is a forest. The trees of it are hung by sources, to the nearest targets that are in the
// tree already, so that arcs without flow lead upwards.
void DenseSimplex::make_tree() {
  const std::size_t sources = problem_->from.size();
  tree_.begin(sources, problem_->to.size(), static_cast<float>(1 / units_));
  std::ranges::fill(raises_, infinity);
  raises_[0] = 0;
  order_.assign(1, tree_.root());
  grow_tree(0);
  for (std::size_t i = 0; i < sources; ++i) {
    const auto source = static_cast<std::int32_t>(i);
    if (tree_.has(source)) continue;
    float least = 0;
    kernels_->smallest_in_rows(raised_by(raises_.data()), i, 1, &least);
    const std::size_t j = kernels_->place_in_row(raised_by(raises_.data()), i, least);
    const std::size_t done = order_.size();
    hang(source, static_cast<std::int32_t>(sources + j), 0);
    grow_tree(done);
  }
  tree_.finish(order_);
}

// The smallest reduced cost of a block in floats, where it is clearly below 0.
DenseSimplex::Arc DenseSimplex::likely_arc(std::size_t first, std::size_t count) {
  float smallest[most_rows];
  kernels_->smallest_in_rows(priced(), first, count, smallest);
  const float* prices = tree_.prices() + first;
  float least = -0x1p-20F;
  std::size_t best = count;
  for (std::size_t i = 0; i < count; ++i)
    if (smallest[i] - prices[i] < least) least = smallest[best = i] - prices[i];
  if (best == count) return {};
  const std::size_t j = kernels_->place_in_row(priced(), first + best, smallest[best]);
  return {static_cast<std::int32_t>(first + best), static_cast<std::int32_t>(tree_.sources() + j),
          reduced_cost(first + best, j)};
}

// How far floats may be off. A cost, two potentials and the two sums of them
// are each rounded by at most 2^-24 of what they are: that makes at most 2 + 4 m of 2^-24 where
// potentials are at most m, which is at least 1. Twice as much is safe.
float DenseSimplex::doubt_of_floats() const {
  const double largest = static_cast<double>(tree_.largest_potential()) / units_;
  return static_cast<float>(0x1p-20 * std::max(largest, 1.0));
}

// The smallest reduced cost of a block in integers.
DenseSimplex::Arc DenseSimplex::certain_arc(std::size_t first, std::size_t count) {
  if (doubt_ == 0) doubt_ = doubt_of_floats();
  Arc best;
  for (std::size_t i = first; i < first + count; ++i) {
    const float limit = tree_.prices()[i] + doubt_;
    const std::size_t found = kernels_->places_below(priced(), i, limit, places_.data());
    for (std::size_t k = 0; k < found; ++k) {
      const std::int64_t reduced = reduced_cost(i, places_[k]);
      if (reduced >= best.reduced) continue;
      best = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(tree_.sources() + places_[k]),
              reduced};
    }
  }
  return best;
}

// Block after block, round and round, until a whole round has found no arc.
template <class Find>
void DenseSimplex::pivot_until_none(core::Monitor* monitor, const Find& find) {
  const std::size_t sources = tree_.sources();
  const std::size_t block = rows_of_block(stride_);
  for (std::size_t idle = 0; idle < sources;) {
    if (monitor != nullptr) monitor->throw_if_stopped();
    const std::size_t count = std::min(block, sources - row_);
    const Arc arc = find(row_, count);
    row_ = row_ + count < sources ? row_ + count : 0;
    idle += count;
    if (arc.reduced >= 0) continue;
    tree_.pivot(arc.source, arc.target, arc.reduced);
    idle = 0;
    doubt_ = 0;
  }
}

void DenseSimplex::solve(const DenseProblem& problem, core::Monitor* monitor) {
  problem_ = &problem;
  read_costs(monitor);
  make_plan(monitor);
  make_tree();
  places_.resize(stride_);
  row_ = 0;
  doubt_ = 0;
  pivot_until_none(monitor,
                   [&](std::size_t first, std::size_t count) { return likely_arc(first, count); });
  pivot_until_none(monitor,
                   [&](std::size_t first, std::size_t count) { return certain_arc(first, count); });
  collect_flows();
}

// Every source has an arc to its parent and one to each child. Children come in order; the arc to
// the parent is put where it belongs among them.
void DenseSimplex::collect_flows() {
  const std::size_t sources = tree_.sources();
  const auto node_at = [&](std::size_t node) { return tree_.at(static_cast<std::int32_t>(node)); };
  heads_.assign(sources + 1, 1);
  heads_[0] = 0;
  for (std::size_t node = sources + 1; node < tree_.nodes(); ++node)
    ++heads_[static_cast<std::size_t>(node_at(node).parent) + 1];
  for (std::size_t i = 0; i < sources; ++i) heads_[i + 1] += heads_[i];
  flows_.resize(tree_.nodes() - 1);
  const auto flow_of = [&](std::size_t node, std::int32_t source, std::int32_t target) {
    return Flow{node_at(node).flow, source, target - tree_.root()};
  };
  for (std::size_t node = sources + 1; node < tree_.nodes(); ++node) {
    const std::int32_t parent = node_at(node).parent;
    std::int32_t& place = heads_[static_cast<std::size_t>(parent)];
    flows_[static_cast<std::size_t>(place++)] =
        flow_of(node, parent, static_cast<std::int32_t>(node));
  }
  for (std::size_t i = 0; i < sources; ++i) {
    const Flow own = flow_of(i, static_cast<std::int32_t>(i), node_at(i).parent);
    const auto begin = static_cast<std::size_t>(i == 0 ? 0 : heads_[i - 1] + 1);
    auto place = static_cast<std::size_t>(heads_[i]);
    for (; place > begin && flows_[place - 1].target > own.target; --place)
      flows_[place] = flows_[place - 1];
    flows_[place] = own;
  }
}

double DenseSimplex::value(std::size_t target) const {
  const auto node = static_cast<std::int32_t>(tree_.sources() + target);
  return std::ldexp(-static_cast<double>(tree_.at(node).potential), unit_exponent_);
}

}  // namespace navvy::pairwise
