#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "backends/large_ground.hpp"
#include "backends/row_blocks.hpp"
#include "backends/small_ground.hpp"
#include "core/parallel.hpp"
#include "navvy/index.hpp"
#include "search/exact_tables.hpp"

namespace navvy::search {

/// An index with what the measures need of it, made once.
struct Engine {
  /// Ground distances above the threshold count as the threshold.
  Engine(const Index& source, double threshold_used, core::ThreadPool& pool, core::Monitor& monitor)
      : index(source),
        threshold(threshold_used),
        is_small(source.vocabulary.size() <= backends::SmallGround::max_size),
        rows(source.vocabulary, source.rows, is_small) {
    if (is_small)
      small.emplace(source.vocabulary, threshold, pool, monitor);
    else
      large.emplace(source.vocabulary, rows.kernels(), threshold);
  }

  Index index;
  double threshold;
  bool is_small;
  backends::RowBlocks rows;
  std::optional<backends::SmallGround> small;
  std::optional<backends::LargeGround> large;
  /// What exact search needs beside; made when it is first asked for.
  mutable std::unique_ptr<const ExactTables> exact;
  /// Of all rows, one after the other; made when a search under wcd first asks for them.
  mutable std::vector<double> centroids;
};

}  // namespace navvy::search
