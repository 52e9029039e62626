// Weights as integers, and what the simplex's solution says in doubles.
#include "pairwise/network_simplex.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>

#include "navvy/error.hpp"

namespace navvy::pairwise {
namespace {

constexpr std::int64_t total_mass = std::int64_t{1} << 60;
constexpr std::size_t most_bins = std::size_t{1} << 30;

// The bins with weight, in units of about 1 / total_mass of the sum. Returns what they sum to.
std::int64_t assign(std::span<const double> weights, Supplies& side) {
  side.bins.clear();
  side.masses.clear();
  std::int64_t total = 0;
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto mass = static_cast<std::int64_t>(weights[i] / sum * static_cast<double>(total_mass));
    if (mass == 0) continue;
    side.bins.push_back(static_cast<std::uint32_t>(i));
    side.masses.push_back(mass);
    total += mass;
  }
  return total;
}

// The largest bin feels the rounding of the others least.
void raise(Supplies& side, std::int64_t by) { *std::ranges::max_element(side.masses) += by; }

}  // namespace

void EmdSolver::make_room(std::size_t p_bins, std::size_t q_bins) {
  simplex_.make_room(p_bins, q_bins);
  for (const auto& [side, bins] : {std::pair(&p_, p_bins), std::pair(&q_, q_bins)}) {
    side->bins.reserve(bins);
    side->masses.reserve(bins);
  }
  flow_.reserve(p_bins + q_bins);
}

double EmdSolver::solve(std::span<const double> p, std::span<const double> q,
                        std::span<const double> costs, core::Monitor* monitor) {
  if (p.size() + q.size() > most_bins) {
    throw Error(ErrorCode::limit, "emd of " + std::to_string(p.size()) + " x " +
                                      std::to_string(q.size()) +
                                      " bins; expected at most 2^30 bins together");
  }
  rows_ = p.size();
  columns_ = q.size();
  const std::int64_t p_total = assign(p, p_);
  const std::int64_t q_total = assign(q, q_);
  // Only the side that rounding has left short is mended: equal weights stay equal.
  const std::int64_t total = std::max(p_total, q_total);
  if (p_total < total) raise(p_, total - p_total);
  if (q_total < total) raise(q_, total - q_total);
  simplex_.solve({p_, q_, costs, columns_}, monitor);
  const double mass = std::accumulate(p.begin(), p.end(), 0.0);
  flow_.clear();
  double distance = 0;
  for (const DenseSimplex::Flow& flow : simplex_.flows()) {
    if (flow.mass == 0) continue;
    const std::uint32_t i = p_.bins[static_cast<std::size_t>(flow.source)];
    const std::uint32_t j = q_.bins[static_cast<std::size_t>(flow.target)];
    flow_.push_back({i, j, static_cast<double>(flow.mass) / static_cast<double>(total) * mass,
                     costs[i * columns_ + j]});
    distance += flow_.back().mass * flow_.back().distance;
  }
  return distance;
}

Potentials EmdSolver::potentials(std::span<const double> costs) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Potentials result{std::vector<double>(rows_, infinity), std::vector<double>(columns_, infinity)};
  // Bins with weight in q keep the solver's value; everything else follows by one min, which makes
  // the pair feasible for the costs as given and not only for the rounded ones.
  for (std::size_t j = 0; j < q_.size(); ++j) result.q[q_.bins[j]] = simplex_.value(j);
  for (std::size_t i = 0; i < rows_; ++i) {
    for (const std::uint32_t j : q_.bins) {
      result.p[i] = std::min(result.p[i], costs[i * columns_ + j] - result.q[j]);
    }
  }
  for (std::size_t j = 0; j < columns_; ++j) {
    if (result.q[j] != infinity) continue;
    for (std::size_t i = 0; i < rows_; ++i) {
      result.q[j] = std::min(result.q[j], costs[i * columns_ + j] - result.p[i]);
    }
  }
  return result;
}

}  // namespace navvy::pairwise
