// Scales a plan in logarithms until its marginals fit.
#include "pairwise/sinkhorn.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "navvy/error.hpp"

namespace navvy::pairwise {
void validate(const SinkhornOptions& options) {
  const auto refuse = [](const char* name, double found, const char* expected) {
    throw Error(ErrorCode::usage, std::string("sinkhorn ") + name + " is " + std::to_string(found) +
                                      "; expected " + expected);
  };
  if (!(options.lambda > 0) || !std::isfinite(options.lambda)) {
    refuse("lambda", options.lambda, "a positive number");
  }
  if (!(options.cost_scale >= 0) || !std::isfinite(options.cost_scale)) {
    refuse("cost scale", options.cost_scale, "a positive number, or 0 for the largest cost");
  }
  if (!(options.tolerance > 0)) refuse("tolerance", options.tolerance, "a positive number");
  if (options.max_iterations < 1) {
    refuse("iteration limit", options.max_iterations, "at least 1");
  }
}

namespace {

/// One side of the pair: the bins with weight, log weights and log scalings.
struct Marginal {
  std::vector<std::uint32_t> bins;
  std::vector<double> weight, log_weight, scaling;

  explicit Marginal(std::span<const double> weights) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] == 0) continue;
      bins.push_back(static_cast<std::uint32_t>(i));
      weight.push_back(weights[i]);
      log_weight.push_back(std::log(weights[i]));
      scaling.push_back(0);
    }
  }
  [[nodiscard]] std::size_t size() const { return bins.size(); }

  /// By bin of the histogram, those without weight included.
  [[nodiscard]] std::vector<double> scalings(std::size_t all_bins) const {
    std::vector<double> result(all_bins, -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < size(); ++i) result[bins[i]] = scaling[i];
    return result;
  }
};

/// Log kernels -lambda * C / scale, one row per bin of a side: stored both ways round so that every
/// update reads along rows.
using Kernel = std::vector<double>;

/// log sum exp(row + scaling), without overflow.
double log_sum(const double* row, const std::vector<double>& scaling) {
  double largest = row[0] + scaling[0];
  for (std::size_t j = 1; j < scaling.size(); ++j) largest = std::max(largest, row[j] + scaling[j]);
  double sum = 0;
  for (std::size_t j = 0; j < scaling.size(); ++j) sum += std::exp(row[j] + scaling[j] - largest);
  return largest + std::log(sum);
}

/// Scales `side` so that its marginal is met. Returns the L1 error that it had before.
double update(Marginal& side, const Marginal& other, const Kernel& kernel, core::Monitor& monitor) {
  double error = 0;
  for (std::size_t i = 0; i < side.size(); ++i) {
    // Thousands of bins take longer than a caller likes to wait.
    monitor.throw_if_stopped();
    const double sum = log_sum(&kernel[i * other.size()], other.scaling);
    error += std::abs(std::exp(side.scaling[i] + sum) - side.weight[i]);
    side.scaling[i] = side.log_weight[i] - sum;
  }
  return error;
}

/// The same on plain numbers: `kernel` is stored with one row per bin of `other`, so that all sums
/// of the side grow together, row after row.
double update_plain(Marginal& side, const Marginal& other, const Kernel& kernel,
                    std::vector<double>& sums) {
  sums.assign(side.size(), 0);
  for (std::size_t j = 0; j < other.size(); ++j) {
    const double factor = other.scaling[j];
    const double* row = &kernel[j * side.size()];
    for (std::size_t i = 0; i < side.size(); ++i) sums[i] += factor * row[i];
  }
  double error = 0;
  for (std::size_t i = 0; i < side.size(); ++i) {
    error += std::abs(side.scaling[i] * sums[i] - side.weight[i]);
    side.scaling[i] = side.weight[i] / sums[i];
  }
  return error;
}

/// The same costs by rows and by columns.
struct Kernels {
  Kernel by_row, by_column;
};

/// Iterates on exp(kernel) and leaves logarithms of the scalings.
void iterate_plain(Marginal& rows, Marginal& columns, Kernels kernels,
                   const SinkhornOptions& options, core::Monitor& monitor, Transport& result) {
  auto& [kernel, transposed] = kernels;
  for (double& value : kernel) value = std::exp(value);
  for (double& value : transposed) value = std::exp(value);
  std::vector<double> sums;
  std::ranges::fill(rows.scaling, 1.0);
  std::ranges::fill(columns.scaling, 1.0);
  update_plain(rows, columns, transposed, sums);
  while (!result.converged && result.iterations < options.max_iterations) {
    monitor.throw_if_stopped();
    update_plain(columns, rows, kernel, sums);
    result.converged = update_plain(rows, columns, transposed, sums) <= options.tolerance;
    ++result.iterations;
  }
  for (double& value : rows.scaling) value = std::log(value);
  for (double& value : columns.scaling) value = std::log(value);
}

void iterate_in_logs(Marginal& rows, Marginal& columns, const Kernels& kernels,
                     const SinkhornOptions& options, core::Monitor& monitor, Transport& result) {
  const auto& [kernel, transposed] = kernels;
  update(rows, columns, kernel, monitor);
  while (!result.converged && result.iterations < options.max_iterations) {
    update(columns, rows, transposed, monitor);
    // Here the columns are met, and the error of the rows is all there is. Meeting the rows now
    // moves no more mass than that, so the error of the columns afterwards is no larger.
    result.converged = update(rows, columns, kernel, monitor) <= options.tolerance;
    ++result.iterations;
  }
}

double largest_cost(const Marginal& p, const Marginal& q, const CostMatrix& costs) {
  double largest = 0;
  for (const std::uint32_t i : p.bins) {
    for (const std::uint32_t j : q.bins) largest = std::max(largest, costs.at(i, j));
  }
  return largest;
}

void read_plan(const Marginal& p, const Marginal& q, const Kernel& kernel, const CostMatrix& costs,
               bool with_flow, Transport& result) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < q.size(); ++j) {
      const double mass = std::exp(p.scaling[i] + q.scaling[j] + kernel[i * q.size() + j]);
      const double distance = costs.at(p.bins[i], q.bins[j]);
      result.distance += mass * distance;
      if (with_flow && mass > 0) result.flow.push_back({p.bins[i], q.bins[j], mass, distance});
    }
  }
}

}  // namespace

Transport sinkhorn(std::span<const double> p, std::span<const double> q, const CostMatrix& costs,
                   const TransportOptions& transport_options, core::Monitor& monitor) {
  const SinkhornOptions& options = transport_options.sinkhorn;
  validate(options);
  Marginal rows(p);
  Marginal columns(q);
  const double largest = largest_cost(rows, columns, costs);
  const double scale = options.cost_scale > 0 ? options.cost_scale : largest;
  if (!std::isfinite(options.lambda * (largest / scale)) && largest > 0) {
    throw Error(ErrorCode::usage, "sinkhorn lambda times the scaled costs is not finite");
  }
  const auto log_kernel = [&](std::size_t i, std::size_t j) {
    return largest > 0 ? -options.lambda * (costs.at(rows.bins[i], columns.bins[j]) / scale) : 0.0;
  };
  Kernels kernels{Kernel(rows.size() * columns.size()), Kernel(rows.size() * columns.size())};
  auto& [kernel, transposed] = kernels;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      kernel[i * columns.size() + j] = transposed[j * rows.size() + i] = log_kernel(i, j);
    }
  }

  Transport result;
  result.converged = false;
  const double smallest = *std::ranges::min_element(kernel);
  if (smallest >= -plain_limit)
    iterate_plain(rows, columns, kernels, options, monitor, result);
  else
    iterate_in_logs(rows, columns, kernels, options, monitor, result);
  read_plan(rows, columns, kernel, costs, transport_options.with_flow, result);
  if (transport_options.with_flow) {
    result.p_potentials = rows.scalings(p.size());
    result.q_potentials = columns.scalings(q.size());
  }
  return result;
}

}  // namespace navvy::pairwise
