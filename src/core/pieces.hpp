// Where sums over the bins of a row are cut, so that they have the same bits everywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "navvy/histograms.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::core {

/// Sums over the bins of a row are cut into pieces at fixed coordinate numbers: within a piece they
/// run in bin order from zero, and the pieces are added in order. Short sums are accurate in float,
/// pieces are the unit in which kernels walk the vocabulary, and since the borders depend on the
/// numbers alone a distance has the same bits in every index, shard and batch.
///
/// 64 coordinates x 64 queries x 4 bytes are half of a first-level cache; beyond the first 1024
/// numbers (rare words, large images) a row has few bins per piece and wider pieces save time.
constexpr std::uint32_t piece_of(std::uint32_t number) noexcept {
  return number < 1024 ? number / 64 : 15 + number / 1024;
}

/// The ends of the pieces of a histogram, counted in bins from its first.
std::vector<std::uint32_t> piece_ends(const Vocabulary& vocabulary, const Histogram& histogram);

}  // namespace navvy::core
