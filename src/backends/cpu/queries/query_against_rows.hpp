// One query against rows under a relaxation, in both directions: for exact search, and for what
// blocks of queries cost pair by pair.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "backends/cpu/engine.hpp"
#include "backends/cpu/relaxation/nearest.hpp"
#include "backends/cpu/relaxation/pair_cost.hpp"
#include "backends/cpu/tables/levels.hpp"
#include "core/run.hpp"
#include "navvy/histograms.hpp"

namespace navvy::backends {

/// Which rows a query is moved into: rows with background have bins of no weight that are nearest
/// bins as well, and relaxations charge by them; without them a relaxation is a better bound of
/// emd.
enum class Destinations { all_bins, with_weight };

/// Costs of one query after the other. For one caller, whose threads have numbers.
class QueryAgainstRows {
 public:
  virtual ~QueryAgainstRows() = default;

  /// Chooses a query, which must stay alive while it is used.
  virtual void set_query(const Histogram& query, core::Run& run) = 0;

  /// Costs of moving some rows into the query, by the levels that tables hold: lower bounds for
  /// ict.
  virtual void into_query(std::span<const std::uint32_t> rows, std::span<float> costs,
                          unsigned thread) = 0;

  /// The cost of moving a row into the query, or the query into a row, all levels included.
  [[nodiscard]] virtual float into_query(std::uint32_t row, unsigned thread) = 0;
  [[nodiscard]] virtual float into_row(std::uint32_t row, unsigned thread) = 0;

  /// The larger of the costs both ways with all levels charged, bins without weight left out.
  [[nodiscard]] virtual float ict(std::uint32_t row, unsigned thread) = 0;

  /// Ground distances from a coordinate to the query's bins.
  virtual void distances(std::uint32_t coordinate, std::span<float> out) const = 0;
};

/// The rows with those of their bins.
const Histograms& destinations_of(const Engine& engine, Destinations which);

/// Takes its memory from the run's budget.
std::unique_ptr<QueryAgainstRows> query_against_rows(const Engine& engine, Levels levels,
                                                     Destinations destinations, core::Run& run);

/// Bytes that it takes, and that a query of so many bins takes beside where there is room.
std::uint64_t query_memory(const Engine& engine, const Levels& levels, unsigned threads);
std::uint64_t query_memory_for(const Engine& engine, std::size_t bins, unsigned threads);

/// What a thread needs for pairs that come one at a time: the nearest bins of the query and of a
/// row, each looked up when asked for.
template <class NearestBins>
struct PairWorker {
  NearestBins query, row;
  PairCost cost;

  /// Of a row into the query, which `query` is set to.
  float into_query(const RowBlocks& rows, std::uint32_t number, std::size_t levels,
                   kernels::Overflow overflow) {
    return cost(rows.sources()[number], rows.piece_ends(number), levels, overflow, query);
  }

  /// Of the query, cut into pieces at `ends`, into a row.
  float into_row(const Histogram& source, std::span<const std::uint32_t> ends,
                 const Histogram& target, const Levels& levels) {
    row.set_query(target);
    return cost(source, ends, charged(levels, target.size()), levels.overflow, row);
  }

  float ict(const Histogram& source, std::span<const std::uint32_t> ends, const RowBlocks& rows,
            std::uint32_t number) {
    constexpr Levels all{1, kernels::Overflow::everywhere, true};
    const float there = into_query(rows, number, source.size(), all.overflow);
    return std::max(there, into_row(source, ends, rows.sources()[number], all));
  }
};

}  // namespace navvy::backends
