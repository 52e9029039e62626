#include "search/knn.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "search/all_pairs.hpp"
#include "search/baseline_tiles.hpp"
#include "search/large_tiles.hpp"
#include "search/small_tiles.hpp"

namespace navvy::search {
std::unique_ptr<TileSource> tiles_for(const Engine& engine, const Measure& measure,
                                      std::size_t batch, unsigned threads) {
  switch (measure.kind) {
    case MeasureKind::bow:
      return std::make_unique<BowTiles>(engine.rows, engine.index.vocabulary.size(), threads);
    case MeasureKind::wcd:
      return std::make_unique<WcdTiles>(engine.index, engine.rows);
    default:
      if (!engine.is_small)
        return std::make_unique<LargeTiles>(engine.index, engine.rows, *engine.large,
                                            backends::levels_of(measure), batch, threads);
      return std::make_unique<SmallTiles>(engine.index, engine.rows, *engine.small,
                                          backends::levels_of(measure), threads);
  }
}

void put(std::span<const core::Candidate<float>> list, std::size_t query, Matches& matches) {
  for (std::size_t rank = 0; rank < std::min(list.size(), matches.top); ++rank) {
    matches.rows[query * matches.top + rank] = list[rank].row;
    matches.distances[query * matches.top + rank] = static_cast<double>(list[rank].distance);
  }
}

void knn_tiles(const Engine& engine, const SearchOptions& options, core::Budget& budget,
               core::ThreadPool& pool, core::Monitor& monitor, Matches& matches) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t n = engine.rows.rows();
  budget.take(std::uint64_t{n} * core::TopList<float>::memory(options.top),
              "lists of nearest rows");
  Lists lists(n, core::TopList<float>(options.top));
  const auto source = tiles_for(engine, options.measure, options.batch, pool.threads());
  offer_all_pairs(*source, engine.rows, options.direction, budget, pool, monitor, lists);
  for (std::size_t row = 0; row < n; ++row) put(lists[row].sorted(), row, matches);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  matches.counters.stages.push_back(
      {to_string(options.measure), std::uint64_t{n} * (n - 1), seconds.count()});
}

}  // namespace navvy::search
