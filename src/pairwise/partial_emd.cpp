// Balances a pair of unequal masses, and cancels what a pair has in common.
#include "pairwise/partial_emd.hpp"

#include <algorithm>
#include <numeric>

namespace navvy::pairwise {
namespace {

// A weight is one rounded float of a sum: the masses of a bin in two histograms, equal before, are
// off by four units in the last place at most.
constexpr double enough = 1 - 0x1p-20;

}  // namespace

double RoomSolver::solve(std::span<const double> weights, std::span<const double> room,
                         std::span<const double> costs, double price, core::Monitor* monitor) {
  const double wanted = std::accumulate(weights.begin(), weights.end(), 0.0);
  flow_.clear();
  unmoved_ = 0;
  sources_.assign(weights.begin(), weights.end());
  targets_.clear();
  // More than all of the weights is never needed, and would take digits from what is.
  for (const double place : room) targets_.push_back(std::min(place, wanted));
  const double there = std::accumulate(targets_.begin(), targets_.end(), 0.0);
  // Mass for which all room is too dear pays the price wherever the plan puts it.
  costs_.clear();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    for (const double cost : costs.subspan(i * room.size(), room.size()))
      costs_.push_back(std::min(cost, price));
    if (there < wanted) costs_.push_back(price);
  }
  if (there < wanted) targets_.push_back(wanted - there);
  if (there > wanted) {
    sources_.push_back(there - wanted);
    costs_.resize(costs_.size() + targets_.size(), 0.0);
  }
  solver_.solve(sources_, targets_, costs_, monitor);
  double cost = 0;
  for (const Move& move : solver_.flow()) {
    if (move.from >= weights.size()) continue;
    cost += move.mass * move.distance;
    const bool stays = move.to >= room.size() || costs[move.from * room.size() + move.to] > price;
    if (stays)
      unmoved_ += move.mass;
    else
      flow_.push_back(move);
  }
  return cost;
}

void PartialEmd::set_pair(const Histogram& from, std::span<const double> from_weights,
                          const Histogram& to, std::span<const double> to_weights) {
  from_rest_.assign(from_weights.begin(), from_weights.end());
  to_rest_.assign(to_weights.begin(), to_weights.end());
  const double ratio = to.mass / from.mass;
  for (double& room : to_rest_) room = room > 0 ? std::min(room * ratio, 1.0) : 0;
  common_.clear();
  for (std::uint32_t i = 0, j = 0; i < from.size() && j < to.size();) {
    const std::uint32_t a = from.coordinates[i];
    const std::uint32_t b = to.coordinates[j];
    if (a == b) {
      const double wanted = from_rest_[i];
      const double mass = to_rest_[j] >= enough * wanted ? wanted : to_rest_[j];
      from_rest_[i] -= mass;
      to_rest_[j] = std::max(0.0, to_rest_[j] - mass);
      if (mass > 0) common_.push_back({i, j, mass, 0});
    }
    i += a <= b ? 1 : 0;
    j += b <= a ? 1 : 0;
  }
  from_.assign(from, from_rest_);
  to_.assign(to, to_rest_);
  has_distances_ = false;
}

void PartialEmd::fill_distances() {
  if (has_distances_) return;
  ground_.fill(vocabulary_, from_.coordinates, to_.coordinates, distances_);
  has_distances_ = true;
}

double PartialEmd::solve(core::Monitor* monitor) {
  if (from_.bins.empty()) return 0;
  if (to_.bins.empty()) return price_ * unmoved();  // the whole rest
  fill_distances();
  return solver_.solve(from_.weights, to_.weights, distances_, price_, monitor);
}

double PartialEmd::greedy_cost() {
  if (from_.bins.empty()) return 0;
  if (!to_.bins.empty()) fill_distances();
  heaviest_first(from_.weights, order_);
  left_ = to_.weights;
  double cost = 0;
  for (const std::uint32_t i : order_) {
    const double* distances = distances_.data() + i * left_.size();
    for (double mass = from_.weights[i]; mass > 0;) {
      std::size_t nearest = left_.size();
      double distance = price_;
      for (std::size_t j = 0; j < left_.size(); ++j)
        if (distances[j] < distance && left_[j] > 0) distance = distances[nearest = j];
      const double moved = nearest < left_.size() ? std::min(mass, left_[nearest]) : mass;
      cost += moved * distance;
      mass -= moved;
      if (nearest < left_.size()) left_[nearest] -= moved;
    }
  }
  return cost;
}

std::vector<Move> PartialEmd::flow() const {
  std::vector<Move> moves = common_;
  if (from_.bins.empty() || to_.bins.empty()) return moves;
  for (const Move& move : solver_.flow())
    moves.push_back({from_.bins[move.from], to_.bins[move.to], move.mass, move.distance});
  return moves;
}

double PartialEmd::unmoved() const {
  if (from_.bins.empty()) return 0;
  if (!to_.bins.empty()) return solver_.unmoved();
  return std::accumulate(from_.weights.begin(), from_.weights.end(), 0.0);
}

}  // namespace navvy::pairwise
