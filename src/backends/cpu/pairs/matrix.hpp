// Distances of rows to rows without pruning, in stripes.
#pragma once

#include "backends/backend.hpp"
#include "backends/cpu/pairs/tiles.hpp"
#include "backends/cpu/row_blocks.hpp"

namespace navvy::backends {

/// The part of a matrix that is wanted.
struct MatrixPart {
  Range queries, columns;
};

/// Distances of a range of queries to a range of rows, handed out in stripes of queries; as many at
/// once as the budget allows. `direction` says which of two directed costs is the distance.
void fill_matrix(const RowBlocks& rows, TileSource& source, Direction direction,
                 const MatrixPart& part, Run& run, const StripeSink& sink);

}  // namespace navvy::backends
