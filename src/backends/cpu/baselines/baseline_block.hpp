// One query at a time against all rows under bow or wcd, which are symmetric and cheap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/backend.hpp"
#include "backends/cpu/row_blocks.hpp"
#include "core/buffer.hpp"

namespace navvy::backends {

/// What both have in common: the distances to all rows are computed at once, and are the bounds.
class BaselineBlock : public QueryBlock {
 public:
  [[nodiscard]] std::size_t block() const noexcept final { return 1; }

  Bounds bounds(std::size_t /*query*/) final { return {distances_.data(), 1, true}; }

  void distances(std::span<const std::uint32_t> rows, std::span<float> out, Run& /*run*/) final {
    for (std::size_t i = 0; i < rows.size(); ++i) out[i] = distances_[rows[i]];
  }

 protected:
  BaselineBlock(const RowBlocks& rows, Run& run)
      : rows_(rows), distances_(run.buffer<float>(rows.rows(), "the distances of a query")) {}

  /// Sets the distance of every row to distance(row), with all threads.
  template <class Distance>
  void fill(Run& run, const Distance& distance) {
    run.pool.run(
        rows_.blocks(),
        [&](std::size_t block, unsigned) {
          const std::size_t first = block * RowBlocks::block_rows;
          const std::size_t last = std::min(first + RowBlocks::block_rows, rows_.rows());
          for (std::size_t row = first; row < last; ++row) distances_[row] = distance(row);
        },
        &run.monitor);
  }

 private:
  const RowBlocks& rows_;
  core::Buffer<float> distances_;
};

}  // namespace navvy::backends
