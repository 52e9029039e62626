#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/budget.hpp"
#include "core/parallel.hpp"
#include "core/top.hpp"
#include "navvy/search.hpp"
#include "search/engine.hpp"
#include "search/tiles.hpp"

namespace navvy::search {

/// Tiles of bow, wcd or a relaxation.
std::unique_ptr<TileSource> tiles_for(const Engine& engine, const Measure& measure,
                                      std::size_t batch, unsigned threads);

/// Writes a sorted list as the matches of a query.
void put(std::span<const core::Candidate<float>> list, std::size_t query, Matches& matches);

/// All rows against all under a relaxation over a small support, by the cascade: coarse
/// bounds for all pairs with longer lists, the asked relaxation for what is listed, and a proof per
/// row that nothing left out can enter. See cascade.cpp.
void knn_small(const Engine& engine, const SearchOptions& options, core::Budget& budget,
               core::ThreadPool& pool, core::Monitor& monitor, Matches& matches);

/// All rows against all from tiles of the measure itself.
void knn_tiles(const Engine& engine, const SearchOptions& options, core::Budget& budget,
               core::ThreadPool& pool, core::Monitor& monitor, Matches& matches);

}  // namespace navvy::search
