// Tiles of distances between blocks of rows, and the tables of queries that they are made from.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/range.hpp"
#include "core/run.hpp"

namespace navvy::backends {

using core::Range;
using core::Run;

/// Rows and queries per tile, and queries per panel of a tile. A tile of costs is 4 MB; two of them
/// per thread stay in the third-level cache.
inline constexpr std::size_t tile_size = 1024;
inline constexpr std::size_t tile_floats = tile_size * tile_size;
inline constexpr std::size_t panel_lanes = 64;

/// Tables of queries for jobs over all pairs of rows.
class QueryTables {
 public:
  virtual ~QueryTables() = default;

  /// Bytes that prepare() takes for one query.
  [[nodiscard]] virtual std::uint64_t memory_per_query() const noexcept = 0;

  /// Bytes that prepare() takes beside those, once.
  [[nodiscard]] virtual std::uint64_t memory_fixed() const noexcept { return 0; }

  /// Whether making them is the dear part of the work.
  [[nodiscard]] virtual bool is_dear() const noexcept { return false; }

  /// Makes the queries of a range ready for tiles with some of the rows, which begin at a multiple
  /// of RowBlocks::block_rows and are the same for all ranges that have the slot. There are two
  /// slots, so that two ranges can be at hand; what is at hand already is not made again.
  virtual void prepare(int slot, Range queries, Range rows, Run& run) = 0;
};

/// Distances between blocks of rows.
///
/// A tile is stored in panels of 64 queries: entry (row i, query j) is at
/// [(j / 64 * tile_size + i) * 64 + j % 64].
class TileSource : public QueryTables {
 public:
  /// True where the distance of (i, j) is that of (j, i): one tile then serves both.
  [[nodiscard]] virtual bool is_symmetric() const noexcept = 0;

  /// Fills a tile: rows against queries out of the range prepared in `slot`; both at most
  /// tile_size, both begin at multiples of RowBlocks::block_rows.
  virtual void fill(Range rows, int slot, Range queries, unsigned thread, float* tile) = 0;
};

}  // namespace navvy::backends
