// The Earth Mover's Distance by LEMON's network simplex: the oracle of the one in src/pairwise.
#pragma once

#define LEMON_ONLY_TEMPLATES  // its headers suffice
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

namespace navvy::test {

/// Weights in units of about 2^-60 of their sum.
inline std::vector<std::int64_t> lemon_masses(std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::int64_t> masses;
  for (const double weight : weights)
    masses.push_back(static_cast<std::int64_t>(weight / sum * 0x1p60));
  return masses;
}

/// The least cost of moving p into q, scaled to the sum of p, with costs in units of 2^-59 of the
/// largest by the number of bins, which is as fine as LEMON's 64-bit integers allow.
inline double lemon_emd(std::span<const double> p, std::span<const double> q,
                        std::span<const double> costs) {
  std::vector<std::int64_t> from = lemon_masses(p);
  std::vector<std::int64_t> to = lemon_masses(q);
  const std::int64_t total = std::accumulate(from.begin(), from.end(), std::int64_t{0});
  const std::int64_t other = std::accumulate(to.begin(), to.end(), std::int64_t{0});
  auto& shorter = total < other ? from : to;
  *std::ranges::max_element(shorter) += std::max(total, other) - std::min(total, other);

  lemon::SmartDigraph graph;
  graph.reserveNode(static_cast<int>(p.size() + q.size()));
  graph.reserveArc(static_cast<int>(costs.size()));
  std::vector<lemon::SmartDigraph::Node> nodes;
  for (std::size_t i = 0; i < p.size() + q.size(); ++i) nodes.push_back(graph.addNode());
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j) graph.addArc(nodes[i], nodes[p.size() + j]);
  const double largest = std::max(*std::ranges::max_element(costs), 1e-300);
  const double factor = 0x1p59 / static_cast<double>(nodes.size() + 1);
  lemon::SmartDigraph::ArcMap<std::int64_t> units(graph);
  lemon::SmartDigraph::NodeMap<std::int64_t> supplies(graph);
  for (std::size_t k = 0; k < costs.size(); ++k)
    units[lemon::SmartDigraph::arcFromId(static_cast<int>(k))] =
        static_cast<std::int64_t>(costs[k] / largest * factor);
  for (std::size_t i = 0; i < p.size(); ++i) supplies[nodes[i]] = from[i];
  for (std::size_t j = 0; j < q.size(); ++j) supplies[nodes[p.size() + j]] = -to[j];

  lemon::NetworkSimplex<lemon::SmartDigraph, std::int64_t, std::int64_t> simplex(graph);
  simplex.costMap(units).supplyMap(supplies);
  if (simplex.run() != simplex.OPTIMAL) throw std::runtime_error("LEMON found no plan");
  double distance = 0;
  for (std::size_t k = 0; k < costs.size(); ++k)
    distance +=
        static_cast<double>(simplex.flow(lemon::SmartDigraph::arcFromId(static_cast<int>(k)))) *
        costs[k];
  return distance / static_cast<double>(std::max(total, other)) *
         std::accumulate(p.begin(), p.end(), 0.0);
}

}  // namespace navvy::test
