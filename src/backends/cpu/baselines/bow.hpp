// The cosine distance of bags of words, one formula for tiles of pairs and for single queries.
#pragma once

#include <memory>

#include "backends/backend.hpp"
#include "backends/cpu/engine.hpp"
#include "backends/cpu/pairs/tiles.hpp"

namespace navvy::backends {

std::unique_ptr<TileSource> bow_tiles(const Engine& engine, Run& run);
std::unique_ptr<QueryBlock> bow_block(const Engine& engine, Run& run);

}  // namespace navvy::backends
