// The network simplex in integers, and what its solution says in doubles.
#include "pairwise/network_simplex.hpp"

#include <lemon/network_simplex.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "navvy/error.hpp"
#include "pairwise/asking.hpp"
#include "pairwise/bipartite_graph.hpp"

namespace navvy::pairwise {
namespace {

/// What LEMON moves. Its loop has no hook, yet every pivot asks once whether the mass to be moved
/// is more than 0: the one place where a long solve can be left.
struct Mass {
  std::int64_t units = 0;

  Mass() = default;
  constexpr Mass(std::int64_t value) : units(value) {}
  Mass& operator+=(Mass other) { return units += other.units, *this; }
  Mass& operator-=(Mass other) { return units -= other.units, *this; }
  Mass operator-() const { return -units; }
  friend Mass operator+(Mass a, Mass b) { return a.units + b.units; }
  friend Mass operator-(Mass a, Mass b) { return a.units - b.units; }
  friend Mass operator*(int sign, Mass mass) { return sign * mass.units; }
  friend bool operator==(Mass a, Mass b) { return a.units == b.units; }
  friend bool operator<(Mass a, Mass b) { return a.units < b.units; }
  friend bool operator<=(Mass a, Mass b) { return a.units <= b.units; }
  friend bool operator>=(Mass a, Mass b) { return a.units >= b.units; }
  friend bool operator>(Mass mass, int least) {
    Asking::count();
    return mass.units > least;
  }
};

}  // namespace
}  // namespace navvy::pairwise

template <>
struct std::numeric_limits<navvy::pairwise::Mass> : std::numeric_limits<std::int64_t> {};

namespace navvy::pairwise {
namespace {

using Simplex = lemon::NetworkSimplex<BipartiteGraph, Mass, std::int64_t>;

// Flows never exceed the total, and LEMON takes the largest int64 for infinity.
constexpr std::int64_t total_supply = std::int64_t{1} << 60;

// LEMON prices its artificial arcs at 2^62. Potentials are sums of costs along a path over all n
// nodes plus at most one artificial arc, so n * largest cost <= 2^59 keeps every sum within int64.
constexpr double cost_range = 0x1p59;

/// The bins with weight and their weights in units of about 1 / total_supply of the sum.
struct Side {
  std::vector<std::uint32_t> bins;
  std::vector<std::int64_t> supplies;
  std::int64_t total = 0;

  void assign(std::span<const double> weights) {
    bins.clear();
    supplies.clear();
    total = 0;
    double sum = 0;
    for (const double weight : weights) sum += weight;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const auto supply =
          static_cast<std::int64_t>(weights[i] / sum * static_cast<double>(total_supply));
      if (supply == 0) continue;
      bins.push_back(static_cast<std::uint32_t>(i));
      supplies.push_back(supply);
      total += supply;
    }
  }

  /// The largest bin feels the rounding of the others least.
  void raise(std::int64_t wanted) {
    *std::max_element(supplies.begin(), supplies.end()) += wanted - total;
    total = wanted;
  }
};

}  // namespace

struct EmdSolver::State {
  BipartiteGraph graph;
  std::unique_ptr<Simplex> simplex;
  Side p, q;
  std::size_t rows = 0;
  std::size_t columns = 0;
  double cost_unit = 1;
  std::vector<Move> flow;

  struct Costs {
    const State& state;
    std::span<const double> values;
    double factor;
    double largest;

    // Only a cost of 0 becomes 0: a plan that the integers call free is free.
    std::int64_t operator[](const BipartiteGraph::Arc& arc) const {
      const double cost = values[state.place(arc)];
      const auto units = static_cast<std::int64_t>(cost / largest * factor);
      return units + static_cast<std::int64_t>(units == 0 && cost > 0);
    }
  };

  struct Supplies {
    const State& state;

    std::int64_t operator[](const BipartiteGraph::Node& node) const {
      const auto i = static_cast<std::size_t>(node.id);
      const std::size_t sources = state.p.bins.size();
      return i < sources ? state.p.supplies[i] : -state.q.supplies[i - sources];
    }
  };

  [[nodiscard]] std::size_t place(const BipartiteGraph::Arc& arc) const {
    const std::size_t i = p.bins[static_cast<std::size_t>(arc.from)];
    const std::size_t j = q.bins[static_cast<std::size_t>(arc.to) - p.bins.size()];
    return i * columns + j;
  }

  void prepare(std::span<const double> costs);
  void run(std::span<const double> costs, core::Monitor* monitor);
  void read_flow(std::span<const double> costs, double mass);
};

void EmdSolver::State::prepare(std::span<const double> costs) {
  graph.resize(static_cast<int>(p.bins.size()), static_cast<int>(q.bins.size()));
  if (simplex) {
    simplex->reset();
  } else {
    simplex = std::make_unique<Simplex>(graph);
  }
  double largest = 0;
  for (BipartiteGraph::ArcIt arc(graph); arc != lemon::INVALID; ++arc) {
    largest = std::max(largest, costs[place(arc)]);
  }
  if (largest == 0) largest = 1;
  const double factor = cost_range / static_cast<double>(graph.nodeNum() + 1);
  cost_unit = largest / factor;
  simplex->costMap(Costs{*this, costs, factor, largest}).supplyMap(Supplies{*this});
}

void EmdSolver::State::read_flow(std::span<const double> costs, double mass) {
  flow.clear();
  for (BipartiteGraph::ArcIt arc(graph); arc != lemon::INVALID; ++arc) {
    const std::int64_t units = simplex->flow(arc).units;
    if (units == 0) continue;
    const std::size_t at = place(arc);
    flow.push_back({static_cast<std::uint32_t>(at / columns),
                    static_cast<std::uint32_t>(at % columns),
                    static_cast<double>(units) / static_cast<double>(p.total) * mass, costs[at]});
  }
}

EmdSolver::EmdSolver() : state_(std::make_unique<State>()) {}
EmdSolver::~EmdSolver() = default;
EmdSolver::EmdSolver(EmdSolver&&) noexcept = default;
EmdSolver& EmdSolver::operator=(EmdSolver&&) noexcept = default;

void EmdSolver::State::run(std::span<const double> costs, core::Monitor* monitor) {
  const Asking asking(monitor);
  try {
    prepare(costs);
    if (simplex->run() == Simplex::OPTIMAL) return;
  } catch (...) {
    simplex.reset();  // left in the midst of something
    throw;
  }
  throw Error(ErrorCode::failed, "emd: the network simplex found no plan");
}

namespace {

// LEMON numbers arcs, and two artificial ones per node, with int.
bool can_be_numbered(std::size_t sources, std::size_t targets) {
  return sources * targets + 2 * (sources + targets) <= std::numeric_limits<int>::max();
}

}  // namespace

void EmdSolver::make_room(std::size_t p_bins, std::size_t q_bins) {
  if (!can_be_numbered(p_bins, q_bins)) return;  // what is left of a pair may be smaller
  State& state = *state_;
  state.simplex.reset();
  state.graph.resize(static_cast<int>(p_bins), static_cast<int>(q_bins));
  state.simplex = std::make_unique<Simplex>(state.graph);
  state.flow.reserve(p_bins + q_bins);
}

double EmdSolver::solve(std::span<const double> p, std::span<const double> q,
                        std::span<const double> costs, core::Monitor* monitor) {
  State& state = *state_;
  state.rows = p.size();
  state.columns = q.size();
  state.p.assign(p);
  state.q.assign(q);
  // Only the side that rounding has left short is mended: equal weights stay equal.
  const std::int64_t total = std::max(state.p.total, state.q.total);
  (state.p.total < total ? state.p : state.q).raise(total);
  const std::size_t sources = state.p.bins.size();
  const std::size_t targets = state.q.bins.size();
  if (!can_be_numbered(sources, targets)) {
    throw Error(ErrorCode::limit, "emd of " + std::to_string(sources) + " x " +
                                      std::to_string(targets) +
                                      " bins; expected at most 2^31 pairs of bins");
  }
  state.run(costs, monitor);
  double mass = 0;
  for (const double weight : p) mass += weight;
  state.read_flow(costs, mass);
  double distance = 0;
  for (const Move& move : state.flow) distance += move.mass * move.distance;
  return distance;
}

const std::vector<Move>& EmdSolver::flow() const { return state_->flow; }

Potentials EmdSolver::potentials(std::span<const double> costs) const {
  const State& state = *state_;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Potentials result{std::vector<double>(state.rows, infinity),
                    std::vector<double>(state.columns, infinity)};
  // Bins with weight in q keep the solver's value; everything else follows by one min, which makes
  // the pair feasible for the costs as given and not only for the rounded ones.
  for (std::size_t j = 0; j < state.q.bins.size(); ++j) {
    result.q[state.q.bins[j]] = static_cast<double>(state.simplex->potential(
                                    state.graph.target_node(static_cast<int>(j)))) *
                                state.cost_unit;
  }
  for (std::size_t i = 0; i < state.rows; ++i) {
    for (const std::uint32_t j : state.q.bins) {
      result.p[i] = std::min(result.p[i], costs[i * state.columns + j] - result.q[j]);
    }
  }
  for (std::size_t j = 0; j < state.columns; ++j) {
    if (result.q[j] != infinity) continue;
    for (std::size_t i = 0; i < state.rows; ++i) {
      result.q[j] = std::min(result.q[j], costs[i * state.columns + j] - result.p[i]);
    }
  }
  return result;
}

}  // namespace navvy::pairwise
