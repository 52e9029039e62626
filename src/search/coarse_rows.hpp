#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/parallel.hpp"
#include "navvy/measure.hpp"
#include "search/coarse_pairs.hpp"

namespace navvy::search {

/// Coarse costs of one chosen row against those from `first` on, both numbered by places.
struct CoarseRange {
  std::uint32_t place;
  std::size_t first;
  std::span<const std::uint16_t> values;
};

/// Called from all threads, but for one chosen row from one at a time.
using CoarseSink = std::function<void(const CoarseRange& costs, unsigned thread)>;

/// Coarse costs of the rows at some places against all rows. For a few this is much less than all
/// pairs.
void coarse_rows(CoarseTiles& tiles, Direction direction, std::span<const std::uint32_t> chosen,
                 core::ThreadPool& pool, core::Monitor& monitor, const CoarseSink& sink);

}  // namespace navvy::search
