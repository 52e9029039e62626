#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "backends/row_blocks.hpp"
#include "core/budget.hpp"
#include "core/parallel.hpp"
#include "core/top.hpp"
#include "navvy/measure.hpp"
#include "search/tiles.hpp"

namespace navvy::search {

using Lists = std::vector<core::TopList<float>>;

/// One tile of pairs: rows against queries, and where the tables of each are.
struct TilePair {
  Range i, j;
  int slot_i, slot_j;
};

/// Calls `body` from all threads for the tiles (I, J) with I <= J that make up all pairs of n rows,
/// with as many tables prepared at a time as the budget allows.
void for_tile_pairs(QueryTables& tables, std::size_t n, core::Budget& budget,
                    core::ThreadPool& pool, core::Monitor& monitor,
                    const std::function<void(const TilePair& tile, unsigned thread)>& body);

/// Offers every pair of rows that have weight to the lists of both, each row's own excluded.
/// `direction` says which of the two directed costs is the distance. Runs in tiles (I, J) together
/// with (J, I), since a symmetric distance is the larger of two costs that both tiles hold.
void offer_all_pairs(TileSource& source, const backends::RowBlocks& rows, Direction direction,
                     core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor,
                     Lists& lists);

}  // namespace navvy::search
