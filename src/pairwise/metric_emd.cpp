// Cancels common mass and solves what is left of a pair.
#include "pairwise/metric_emd.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace navvy::pairwise {

bool precedes(const Histogram& a, const Histogram& b) {
  if (!std::ranges::equal(a.coordinates, b.coordinates))
    return std::ranges::lexicographical_compare(a.coordinates, b.coordinates);
  return std::ranges::lexicographical_compare(a.weights, b.weights);
}

void normalize(std::span<const float> weights, std::vector<double>& result) {
  double sum = 0;
  for (const float weight : weights) sum += static_cast<double>(weight);
  result.clear();
  for (const float weight : weights) result.push_back(static_cast<double>(weight) / sum);
}

void heaviest_first(std::span<const double> weights, std::vector<std::uint32_t>& order) {
  order.resize(weights.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(
      order, [&](std::uint32_t a, std::uint32_t b) { return weights[a] > weights[b]; });
}

void GroundDistances::set_targets(const Vocabulary& vocabulary, std::span<const std::uint32_t> to) {
  const std::size_t dimensions = vocabulary.dimensions();
  columns_.resize(dimensions * to.size());
  for (std::size_t j = 0; j < to.size(); ++j) {
    const auto point = vocabulary.coordinate(to[j]);
    for (std::size_t d = 0; d < dimensions; ++d)
      columns_[d * to.size() + j] = static_cast<double>(point[d]);
  }
}

void GroundDistances::line(std::span<const float> point, std::span<double> distances) const {
  kernels_->exact_distances(point.data(), point.size(), columns_.data(), distances.size(),
                            distances.data());
}

void GroundDistances::fill(const Vocabulary& vocabulary, std::span<const std::uint32_t> from,
                           std::span<const std::uint32_t> to, std::vector<double>& distances) {
  set_targets(vocabulary, to);
  distances.resize(from.size() * to.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    line(vocabulary.coordinate(from[i]), std::span(distances).subspan(i * to.size(), to.size()));
}

void HistogramRest::assign(const Histogram& histogram, std::span<const double> rest) {
  bins.clear();
  coordinates.clear();
  weights.clear();
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == 0) continue;
    bins.push_back(static_cast<std::uint32_t>(i));
    coordinates.push_back(histogram.coordinates[i]);
    weights.push_back(rest[i]);
  }
}

void MetricEmd::set_pair(const Histogram& p, std::span<const double> p_weights, const Histogram& q,
                         std::span<const double> q_weights) {
  p_rest_.assign(p_weights.begin(), p_weights.end());
  q_rest_.assign(q_weights.begin(), q_weights.end());
  q_size_ = q.size();
  common_.clear();
  for (std::uint32_t i = 0, j = 0; i < p.size() && j < q.size();) {
    const std::uint32_t a = p.coordinates[i];
    const std::uint32_t b = q.coordinates[j];
    if (a == b) {
      const double mass = std::min(p_rest_[i], q_rest_[j]);
      p_rest_[i] -= mass;
      q_rest_[j] -= mass;
      if (mass > 0) common_.push_back({i, j, mass, 0});
    }
    i += a <= b ? 1 : 0;
    j += b <= a ? 1 : 0;
  }
  swapped_ = precedes(q, p);
  from_.assign(swapped_ ? q : p, swapped_ ? q_rest_ : p_rest_);
  to_.assign(swapped_ ? p : q, swapped_ ? p_rest_ : q_rest_);
  has_costs_ = false;
}

void MetricEmd::fill_costs() {
  if (has_costs_) return;
  ground_.fill(vocabulary_, from_.coordinates, to_.coordinates, costs_);
  if (threshold_ < no_threshold)
    for (double& cost : costs_) cost = std::min(cost, threshold_);
  has_costs_ = true;
}

double MetricEmd::solve(core::Monitor* monitor) {
  // Rounding may leave a trace on one side alone.
  if (nothing_moves()) return 0;
  fill_costs();
  return solver_.solve(from_.weights, to_.weights, costs_, monitor);
}

std::span<const double> MetricEmd::costs_of(std::size_t from) {
  const std::size_t size = to_.bins.size();
  if (has_costs_) return std::span(costs_).subspan(from * size, size);
  line_.resize(size);
  ground_.line(vocabulary_.coordinate(from_.coordinates[from]), line_);
  for (double& cost : line_) cost = std::min(cost, threshold_);
  return line_;
}

double MetricEmd::largest_cost() {
  double largest = 0;
  for (std::size_t i = 0; i < from_.bins.size(); ++i)
    largest = std::max(largest, *std::ranges::max_element(costs_of(i)));
  return largest;
}

double MetricEmd::greedy_cost(Costs costs) {
  if (nothing_moves()) return 0;
  if (costs == Costs::kept)
    fill_costs();
  else
    ground_.set_targets(vocabulary_, to_.coordinates);
  heaviest_first(from_.weights, order_);
  room_ = to_.weights;
  double cost = 0;
  for (const std::uint32_t i : order_) {
    const auto row = costs_of(i);
    for (double mass = from_.weights[i]; mass > 0;) {
      std::size_t nearest = room_.size();
      double distance = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < room_.size(); ++j)
        if (row[j] < distance && room_[j] > 0) distance = row[nearest = j];
      // Rounding may leave more mass than room: a trace, priced as if it went to the farthest bin.
      if (nearest == room_.size()) return cost + mass * largest_cost();
      const double moved = std::min(mass, room_[nearest]);
      cost += moved * distance;
      mass -= moved;
      room_[nearest] -= moved;
    }
  }
  return cost;
}

std::vector<Move> MetricEmd::flow() const {
  std::vector<Move> moves = common_;
  if (nothing_moves()) return moves;
  for (const Move& move : solver_.flow()) {
    Move whole{from_.bins[move.from], to_.bins[move.to], move.mass, move.distance};
    if (swapped_) std::swap(whole.from, whole.to);
    moves.push_back(whole);
  }
  return moves;
}

void MetricEmd::potentials(std::vector<double>& g) const {
  g.assign(q_size_, no_potential);
  if (nothing_moves()) return;
  const Potentials found = solver_.potentials(costs_);
  const HistogramRest& side = swapped_ ? from_ : to_;
  const std::vector<double>& values = swapped_ ? found.p : found.q;
  for (std::size_t i = 0; i < side.bins.size(); ++i) g[side.bins[i]] = values[i];
}

}  // namespace navvy::pairwise
