// Any measure of one pair, with its flows where it moves mass.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/budget.hpp"
#include "core/direction.hpp"
#include "core/parallel.hpp"
#include "core/price.hpp"
#include "navvy/error.hpp"
#include "navvy/options.hpp"
#include "navvy/pairwise.hpp"
#include "pairwise/baselines.hpp"
#include "pairwise/metric_emd.hpp"
#include "pairwise/network_simplex.hpp"
#include "pairwise/partial_emd.hpp"
#include "pairwise/relaxations.hpp"
#include "pairwise/sinkhorn.hpp"

namespace navvy {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::bad_input, message); }

/// Weights scaled to sum 1; `name` is that of the histogram in messages.
template <class Weight>
std::vector<double> normalized_weights(std::span<const Weight> weights, const std::string& name) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto weight = static_cast<double>(weights[i]);
    if (!std::isfinite(weight) || weight < 0) {
      refuse("weight " + std::to_string(i) + " of " + name + " is " + std::to_string(weight) +
             "; expected a finite number of at least 0");
    }
    sum += weight;
  }
  if (!(sum > 0)) refuse(name + " has no weight; expected a positive sum");
  if (!std::isfinite(sum)) refuse("the weights of " + name + " sum to infinity");
  std::vector<double> result;
  result.reserve(weights.size());
  for (const Weight weight : weights) result.push_back(static_cast<double>(weight) / sum);
  return result;
}

void check_costs(const CostMatrix& costs, std::size_t rows, std::size_t columns) {
  if (costs.rows != rows || costs.columns != columns || costs.values.size() != rows * columns) {
    refuse("the cost matrix is " + std::to_string(costs.rows) + " x " +
           std::to_string(costs.columns) + " with " + std::to_string(costs.values.size()) +
           " values; expected " + std::to_string(rows) + " x " + std::to_string(columns));
  }
  for (std::size_t i = 0; i < costs.values.size(); ++i) {
    if (!std::isfinite(costs.values[i]) || costs.values[i] < 0) {
      refuse("cost (" + std::to_string(i / columns) + ", " + std::to_string(i % columns) + ") is " +
             std::to_string(costs.values[i]) + "; expected a finite number of at least 0");
    }
  }
}

void check_histogram(const Vocabulary& vocabulary, const Histogram& histogram,
                     const std::string& name) {
  if (histogram.weights.size() != histogram.size()) {
    refuse(name + " has " + std::to_string(histogram.weights.size()) + " weights for " +
           std::to_string(histogram.size()) + " bins");
  }
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    const std::uint32_t id = histogram.coordinates[i];
    if (id >= vocabulary.size()) {
      refuse("bin " + std::to_string(i) + " of " + name + " has coordinate " + std::to_string(id) +
             "; expected less than " + std::to_string(vocabulary.size()));
    }
    if (i > 0 && id <= histogram.coordinates[i - 1]) {
      refuse("bin " + std::to_string(i) + " of " + name + " has coordinate " + std::to_string(id) +
             "; expected ascending coordinates");
    }
  }
}

/// A pair whose weights are already scaled.
struct Pair {
  std::vector<double> p;
  std::vector<double> q;
  double ratio = 1;  ///< the mass of p by that of q, before
};

double mass_of(std::span<const double> weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

/// What is asked for, and whom to ask whether to go on.
struct Job {
  const Measure& measure;
  const TransportOptions& options;
  core::Monitor monitor{options.progress};

  Job(const Measure& wanted, const TransportOptions& how) : measure(wanted), options(how) {
    validate(Question{measure, how.direction, {}, 0, how.price});
    monitor.begin("transport", 1);
  }

  [[nodiscard]] bool is_partial() const { return navvy::is_partial(measure, options.direction); }
  [[nodiscard]] bool moves_q() const {
    return options.direction.way == Direction::Way::query_to_database;
  }
};

/// `lines(reversed)` are the costs of the pair seen from p, or from q.
template <class Lines>
Transport relaxation(Job& job, const Pair& pair, const Lines& lines) {
  const auto run = [&](Direction direction) {
    Transport result;
    result.direction = direction;
    const bool reversed = direction == Direction::query_to_database;
    auto costs = lines(reversed);
    result.distance = pairwise::relaxed_cost(
        job.measure, {reversed ? pair.q : pair.p, reversed ? pair.p : pair.q, costs, reversed},
        job.options.with_flow ? &result.flow : nullptr, job.monitor);
    return result;
  };
  const Direction& asked = job.options.direction;
  if (!core::moves_query(asked) || !core::moves_rows(asked)) return run(asked);
  Transport there = run(Direction::database_to_query);
  Transport back = run(Direction::query_to_database);
  const double distance = core::combined(asked, there.distance, back.distance);
  const bool mixed = asked.way == Direction::Way::mix;
  const bool shows_back = mixed ? asked.share <= 0.5 : back.distance > there.distance;
  Transport result = shows_back ? std::move(back) : std::move(there);
  result.distance = distance;
  return result;
}

/// Ground distances from each bin of one histogram to all of another, computed when asked for.
class GroundLines : public pairwise::CostLines {
 public:
  GroundLines(const Vocabulary& vocabulary, const Histogram& from, const Histogram& to)
      : vocabulary_(vocabulary), from_(from.coordinates), line_(to.size()) {
    ground_.set_targets(vocabulary, to.coordinates);
  }

  [[nodiscard]] std::span<const double> line(std::size_t from) override {
    ground_.line(vocabulary_.coordinate(from_[from]), line_);
    return line_;
  }

 private:
  const Vocabulary& vocabulary_;
  std::span<const std::uint32_t> from_;
  pairwise::GroundDistances ground_;
  std::vector<double> line_;
};

/// Refuses what a pair under a measure that works on all of its costs together would take.
void require_memory(const Job& job, std::size_t p_bins, std::size_t q_bins, std::uint64_t bytes) {
  static_cast<void>(core::Budget(job.options.memory)
                        .reserve(bytes, to_string(job.measure) + " of " + std::to_string(p_bins) +
                                            " x " + std::to_string(q_bins) + " bins"));
}

Transport emd(Job& job, const Pair& pair, std::span<const double> costs) {
  require_memory(job, pair.p.size(), pair.q.size(),
                 pairwise::EmdSolver::memory(pair.p.size(), pair.q.size()));
  pairwise::EmdSolver solver;
  Transport result;
  result.distance = solver.solve(pair.p, pair.q, costs, &job.monitor);
  if (!job.options.with_flow) return result;
  result.flow = solver.flow();
  pairwise::Potentials proof = solver.potentials(costs);
  result.p_potentials = std::move(proof.p);
  result.q_potentials = std::move(proof.q);
  return result;
}

void turn(std::vector<Move>& flow) {
  for (Move& move : flow) std::swap(move.from, move.to);
}

/// Under costs that need not be those of a metric; their largest is the price unless told.
Transport partial_emd(Job& job, const Pair& pair, const CostMatrix& costs) {
  require_memory(job, pair.p.size(), pair.q.size(),
                 pairwise::RoomSolver::memory(pair.p.size(), pair.q.size()));
  const bool back = job.moves_q();
  std::vector<double> values(costs.values.begin(), costs.values.end());
  if (back)
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = costs.at(i % costs.rows, i / costs.rows);
  std::vector<double> room = back ? pair.p : pair.q;
  for (double& place : room) place = place > 0 ? place * (back ? pair.ratio : 1 / pair.ratio) : 0;
  double price = std::max(job.options.price, job.measure.threshold);
  if (price == 0) price = *std::ranges::max_element(values);
  pairwise::RoomSolver solver;
  Transport result;
  result.direction = job.options.direction;
  result.distance = solver.solve(back ? pair.q : pair.p, room, values, price, &job.monitor);
  result.unmoved = solver.unmoved();
  if (job.options.with_flow) result.flow = solver.flow();
  if (back) turn(result.flow);
  return result;
}

Transport transport_scaled(Job& job, const Pair& pair, const CostMatrix& costs) {
  switch (job.measure.kind) {
    case MeasureKind::bow:
      return pairwise::bow(pair.p, pair.q, pairwise::overlaps(costs), job.options.with_flow);
    case MeasureKind::wcd:
      throw Error(ErrorCode::usage, "wcd needs coordinates; expected a vocabulary, not costs");
    case MeasureKind::sinkhorn:
      return pairwise::sinkhorn(pair.p, pair.q, costs, job.options, job.monitor);
    case MeasureKind::emd:
      if (job.is_partial()) return partial_emd(job, pair, costs);
      return emd(job, pair, costs.values);
    case MeasureKind::emd_hat: {
      if (job.is_partial()) return partial_emd(job, pair, costs);
      std::vector<double> capped(costs.values.begin(), costs.values.end());
      for (double& cost : capped) cost = std::min(cost, job.measure.threshold);
      return emd(job, pair, capped);
    }
    case MeasureKind::rwmd:
    case MeasureKind::omr:
    case MeasureKind::act:
    case MeasureKind::ict:
      break;
  }
  return relaxation(job, pair,
                    [&](bool reversed) { return pairwise::MatrixLines(costs, reversed); });
}

std::vector<double> distances_between(const Vocabulary& vocabulary,
                                      std::span<const std::uint32_t> p,
                                      std::span<const std::uint32_t> q) {
  std::vector<double> distances;
  pairwise::GroundDistances().fill(vocabulary, p, q, distances);
  return distances;
}

Transport metric_emd(Job& job, const Vocabulary& vocabulary, const Histogram& p, const Histogram& q,
                     const Pair& pair) {
  const bool capped = job.measure.kind == MeasureKind::emd_hat;
  pairwise::MetricEmd solver(vocabulary,
                             capped ? job.measure.threshold : pairwise::MetricEmd::no_threshold);
  solver.set_pair(p, pair.p, q, pair.q);
  require_memory(job, p.size(), q.size(), solver.pair_memory());
  Transport result;
  result.distance = solver.solve(&job.monitor);
  if (job.options.with_flow) result.flow = solver.flow();
  return result;
}

/// The price of a pair where none was told: coordinates of length 1 have one.
double price_of(const Vocabulary& vocabulary, const Histogram& p, const Histogram& q) {
  for (const Histogram* histogram : {&p, &q})
    for (const std::uint32_t id : histogram->coordinates)
      if (!core::is_unit(vocabulary.coordinate(id)))
        throw Error(ErrorCode::usage,
                    "emd one way over coordinates that are not of length 1 needs a price");
  return core::unit_price;
}

Transport partial_emd(Job& job, const Vocabulary& vocabulary, const Histogram& p,
                      const Histogram& q, const Pair& pair) {
  double price = std::max(job.options.price, job.measure.threshold);
  if (price == 0) price = price_of(vocabulary, p, q);
  const bool back = job.moves_q();
  pairwise::PartialEmd solver(vocabulary, price);
  solver.set_pair(back ? q : p, back ? pair.q : pair.p, back ? p : q, back ? pair.p : pair.q);
  require_memory(job, p.size(), q.size(), solver.pair_memory());
  Transport result;
  result.direction = job.options.direction;
  result.distance = solver.solve(&job.monitor);
  result.unmoved = solver.unmoved();
  if (job.options.with_flow) result.flow = solver.flow();
  if (back) turn(result.flow);
  return result;
}

Transport transport_in_order(Job& job, const Vocabulary& vocabulary, const Histogram& p,
                             const Histogram& q, const Pair& pair) {
  switch (job.measure.kind) {
    case MeasureKind::bow:
      return pairwise::bow(pair.p, pair.q, pairwise::overlaps(p, q), job.options.with_flow);
    case MeasureKind::wcd:
      return pairwise::wcd(vocabulary, p, pair.p, q, pair.q);
    case MeasureKind::emd:
    case MeasureKind::emd_hat:
      return job.is_partial() ? partial_emd(job, vocabulary, p, q, pair)
                              : metric_emd(job, vocabulary, p, q, pair);
    case MeasureKind::rwmd:
    case MeasureKind::omr:
    case MeasureKind::act:
    case MeasureKind::ict:
      return relaxation(job, pair, [&](bool reversed) {
        return GroundLines(vocabulary, reversed ? q : p, reversed ? p : q);
      });
    case MeasureKind::sinkhorn:
      break;
  }
  require_memory(job, p.size(), q.size(), pairwise::sinkhorn_memory(p.size(), q.size()));
  const std::vector<double> distances = distances_between(vocabulary, p.coordinates, q.coordinates);
  return transport_scaled(job, pair, {p.size(), q.size(), distances});
}

}  // namespace

Transport transport(const Measure& measure, std::span<const double> p, std::span<const double> q,
                    const CostMatrix& costs, const TransportOptions& options) {
  Job job(measure, options);
  const Pair pair{normalized_weights(p, "p"), normalized_weights(q, "q"), mass_of(p) / mass_of(q)};
  check_costs(costs, p.size(), q.size());
  return transport_scaled(job, pair, costs);
}

Transport transport(const Measure& measure, const Vocabulary& vocabulary, const Histogram& p,
                    const Histogram& q, const TransportOptions& options) {
  Job job(measure, options);
  check_histogram(vocabulary, p, "p");
  check_histogram(vocabulary, q, "q");
  // emd sees to its order itself.
  const bool swapped = measure.kind == MeasureKind::sinkhorn && pairwise::precedes(q, p);
  Pair pair{normalized_weights(p.weights, "p"), normalized_weights(q.weights, "q")};
  if (swapped) std::swap(pair.p, pair.q);
  Transport result = transport_in_order(job, vocabulary, swapped ? q : p, swapped ? p : q, pair);
  if (swapped) {
    turn(result.flow);
    std::swap(result.p_potentials, result.q_potentials);
  }
  if (facts(measure.kind).whole_plan) {
    std::ranges::sort(result.flow, {},
                      [](const Move& move) { return std::pair(move.from, move.to); });
  }
  return result;
}

double greedy_cost(const Vocabulary& vocabulary, const Histogram& p, const Histogram& q) {
  check_histogram(vocabulary, p, "p");
  check_histogram(vocabulary, q, "q");
  pairwise::MetricEmd solver(vocabulary);
  solver.set_pair(p, normalized_weights(p.weights, "p"), q, normalized_weights(q.weights, "q"));
  return solver.greedy_cost(pairwise::MetricEmd::Costs::passing);
}

std::vector<double> ground_distances(const Vocabulary& vocabulary, const Histogram& p,
                                     const Histogram& q) {
  check_histogram(vocabulary, p, "p");
  check_histogram(vocabulary, q, "q");
  return distances_between(vocabulary, p.coordinates, q.coordinates);
}

}  // namespace navvy
