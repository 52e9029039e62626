// Bow and wcd of one pair: the oracle of the baselines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "navvy/pairwise.hpp"

/// The two measures of the paper that move no mass: bow and wcd.
namespace navvy::pairwise {

/// Bin `p` of p and bin `q` of q share one coordinate.
struct Overlap {
  std::uint32_t p;
  std::uint32_t q;
};

/// The overlaps of two histograms, in ascending order of coordinate.
std::vector<Overlap> overlaps(const Histogram& p, const Histogram& q);

/// The overlaps that a cost matrix shows: its zeros, row by row.
std::vector<Overlap> overlaps(const CostMatrix& costs);

/// 1 - cosine of the weights; exactly 0 for equal weights that overlap bin by bin. The moves of its
/// flow carry what each overlap adds to the cosine.
Transport bow(std::span<const double> p, std::span<const double> q, std::span<const Overlap> common,
              bool with_flow);

/// The distance of the centroids of two histograms, whose weights sum to 1.
Transport wcd(const Vocabulary& vocabulary, const Histogram& p, std::span<const double> p_weights,
              const Histogram& q, std::span<const double> q_weights);

}  // namespace navvy::pairwise
