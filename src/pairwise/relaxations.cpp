// Algorithms 1 to 3 of the paper, bin by bin, in double.
#include "pairwise/relaxations.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>

namespace navvy::pairwise {
namespace {

struct Destination {
  double distance;
  std::uint32_t bin;
};

/// The order s[1], s[2], ... of the paper's argmin and argsort, backwards for std heaps: by
/// distance, then by position.
bool farther(const Destination& a, const Destination& b) {
  return a.distance != b.distance ? a.distance > b.distance : a.bin > b.bin;
}

/// Hands out the destinations of one source bin, nearest first.
class Nearest {
 public:
  /// At most `wanted` of them will be asked for.
  void start(std::span<const double> costs, std::size_t wanted) {
    heap_.clear();
    const std::size_t room = 2 * wanted + 64;
    double limit = std::numeric_limits<double>::infinity();
    for (std::size_t to = 0; to < costs.size(); ++to) {
      if (!(costs[to] < limit)) continue;  // of equals the earlier comes first
      heap_.push_back({costs[to], static_cast<std::uint32_t>(to)});
      if (heap_.size() == room) limit = keep(wanted);
    }
    std::make_heap(heap_.begin(), heap_.end(), farther);
  }

  [[nodiscard]] std::size_t left() const { return heap_.size(); }

  Destination next() {
    std::pop_heap(heap_.begin(), heap_.end(), farther);
    const Destination nearest = heap_.back();
    heap_.pop_back();
    return nearest;
  }

 private:
  /// Keeps so many of the nearest and returns the largest of their distances.
  double keep(std::size_t wanted) {
    const auto last = heap_.begin() + static_cast<std::ptrdiff_t>(wanted) - 1;
    std::nth_element(heap_.begin(), last, heap_.end(),
                     [](const Destination& a, const Destination& b) { return farther(b, a); });
    heap_.resize(wanted);
    return heap_.back().distance;
  }

  std::vector<Destination> heap_;
};

/// Adds up the transportation cost t and, where wanted, the flow.
class Transfers {
 public:
  Transfers(const DirectedPair& pair, std::vector<Move>* flow) : pair_(pair), flow_(flow) {}

  void move(std::size_t from, const Destination& to, double mass) {
    cost_ += mass * to.distance;
    if (flow_ == nullptr || mass == 0) return;
    const auto source = static_cast<std::uint32_t>(from);
    flow_->push_back(
        {pair_.reversed ? to.bin : source, pair_.reversed ? source : to.bin, mass, to.distance});
  }

  [[nodiscard]] double cost() const { return cost_; }

 private:
  const DirectedPair& pair_;
  std::vector<Move>* flow_;
  double cost_ = 0;
};

/// Algorithm 1. With a single destination the second nearest is the nearest again.
double omr(const DirectedPair& pair, std::vector<Move>* flow, core::Monitor& monitor) {
  Transfers transfers(pair, flow);
  Nearest nearest;
  for (std::size_t i = 0; i < pair.source.size(); ++i) {
    monitor.throw_if_stopped();
    double mass = pair.source[i];
    nearest.start(pair.costs.line(i), 2);
    const Destination first = nearest.next();
    if (first.distance == 0) {
      const double r = std::min(mass, pair.destination[first.bin]);
      mass -= r;
      transfers.move(i, first, r);
      transfers.move(i, nearest.left() > 0 ? nearest.next() : first, mass);
    } else {
      transfers.move(i, first, mass);
    }
  }
  return transfers.cost();
}

/// Algorithm 3, whose cost is C_{i,s[l]}. k = 1 is RWMD. k = all destinations is Algorithm 2, whose
/// last destination then takes what rounding leaves: the weights of q may fall short of p_i.
double act(const DirectedPair& pair, std::size_t k, std::vector<Move>* flow,
           core::Monitor& monitor) {
  Transfers transfers(pair, flow);
  Nearest nearest;
  const std::size_t last = std::min(k, pair.destination.size());
  for (std::size_t i = 0; i < pair.source.size(); ++i) {
    monitor.throw_if_stopped();
    double mass = pair.source[i];
    nearest.start(pair.costs.line(i), last);
    for (std::size_t l = 1; l < last && mass > 0; ++l) {
      const Destination to = nearest.next();
      const double r = std::min(mass, pair.destination[to.bin]);
      mass -= r;
      transfers.move(i, to, r);
    }
    if (mass > 0) transfers.move(i, nearest.next(), mass);
  }
  return transfers.cost();
}

}  // namespace

std::span<const double> MatrixLines::line(std::size_t from) {
  if (!reversed_) return costs_.values.subspan(from * costs_.columns, costs_.columns);
  column_.clear();
  for (std::size_t i = 0; i < costs_.rows; ++i) column_.push_back(costs_.at(i, from));
  return column_;
}

double relaxed_cost(const Measure& measure, const DirectedPair& pair, std::vector<Move>* flow,
                    core::Monitor& monitor) {
  assert(is_relaxation(measure));
  switch (measure.kind) {
    case MeasureKind::rwmd:
      return act(pair, 1, flow, monitor);
    case MeasureKind::omr:
      return omr(pair, flow, monitor);
    case MeasureKind::act:
      return act(pair, static_cast<std::size_t>(measure.iterations) + 1, flow, monitor);
    case MeasureKind::ict:
    case MeasureKind::bow:
    case MeasureKind::wcd:
    case MeasureKind::sinkhorn:
    case MeasureKind::emd:
    case MeasureKind::emd_hat:
      break;
  }
  return act(pair, pair.destination.size(), flow, monitor);
}

}  // namespace navvy::pairwise
