// Bytes and operations of each kernel as its text has them, for the sizes of a launch.
#include "backends/device/work_count.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <mutex>

namespace navvy::backends {
namespace {

using Count = std::uint64_t;

// Bytes of what kernels read and write.
constexpr Count of_float = 4;
constexpr Count of_double = 8;
constexpr Count of_number = 4;
constexpr Count of_bin = 8;
constexpr Count of_key = 8;
constexpr Count of_offsets = 16;  // where a histogram begins and ends

// From a dot product to a square: norms added, the fused difference, the two limits, the test for
// lost digits.
constexpr Count to_square = 7;

// From a square to a level: the root with its corrections, the step and the capacity.
constexpr Count to_level = 16;

// Coordinates and bins that a group of pick_fused has in local memory at a time.
constexpr Count fused_items = 64;
constexpr Count fused_bins = 8;
// Coordinates on either side of a tile of squares.
constexpr Count square_tile = 64;

Count groups_of(Count count, Count size) { return (count + size - 1) / size; }

Work work_of(Count bytes, Count least, Count operations) {
  return {bytes, std::min(bytes, least), operations};
}

// Neighbours that are looked through until all levels have a bin, where bins are spread evenly.
Count looked_through(const WorkSizes& sizes, Count bins) {
  return std::min<Count>(sizes.coordinates, sizes.levels * (sizes.coordinates + 1) / (bins + 1));
}

// Of a bin that pays into so many levels: one fused product, then for each level what overflows.
Count paid_levels(Count levels) { return 2 + 4 * (levels - 1); }

}  // namespace

void WorkTally::add(Phase phase, const Work& work, std::chrono::nanoseconds taken) noexcept {
  Entry& entry = entries_[static_cast<std::size_t>(phase)];
  constexpr auto relaxed = std::memory_order_relaxed;
  entry.launches.fetch_add(1, relaxed);
  entry.bytes.fetch_add(work.bytes, relaxed);
  entry.least.fetch_add(work.least, relaxed);
  entry.operations.fetch_add(work.operations, relaxed);
  entry.nanoseconds.fetch_add(static_cast<Count>(taken.count()), relaxed);
}

WorkTally::Sum WorkTally::sum(Phase phase) const noexcept {
  const Entry& entry = entries_[static_cast<std::size_t>(phase)];
  return {entry.launches.load(),
          {entry.bytes.load(), entry.least.load(), entry.operations.load()},
          static_cast<double>(entry.nanoseconds.load()) * 1e-9};
}

void WorkTally::reset() noexcept {
  for (Entry& entry : entries_)
    for (auto* value :
         {&entry.launches, &entry.bytes, &entry.least, &entry.operations, &entry.nanoseconds})
      value->store(0);
}

WorkTally& work_tally(const std::string& device) {
  static std::mutex mutex;
  static auto& all = *new std::map<std::string, std::unique_ptr<WorkTally>>;
  const std::scoped_lock lock(mutex);
  std::unique_ptr<WorkTally>& tally = all[device];
  if (!tally) tally = std::make_unique<WorkTally>();
  return *tally;
}

Work squared_norms_work(const WorkSizes& sizes) {
  const Count values = Count{sizes.coordinates} * sizes.dimensions;
  const Count bytes = (values + sizes.coordinates) * of_float;
  return work_of(bytes, bytes, 2 * values);
}

Work squares_work(std::size_t a, std::size_t b, std::size_t dimensions) {
  // With the number and the norm of each.
  const Count of_coordinate = (dimensions + 1) * of_float + of_number;
  const Count read = a * groups_of(b, square_tile) + b * groups_of(a, square_tile);
  const Count written = Count{a} * b * of_float;
  return work_of(read * of_coordinate + written, (a + b) * of_coordinate + written,
                 Count{a} * b * (2 * dimensions + to_square));
}

Work sort_neighbours_work(std::size_t coordinates, std::size_t padded) {
  const Count steps = std::bit_width(padded) - 1;
  const Count passes = steps * (steps + 1) / 2;
  const Count all = Count{coordinates} * coordinates;
  const Count once = all * (of_float + of_key);
  // Each pass reads all keys and writes about half of them.
  const Count sorted = Count{coordinates} * padded * passes * of_key * 3 / 2;
  return work_of(once + sorted, once, all * to_level);
}

Work spread_work(std::uint64_t bins, std::size_t entries) {
  const Count bytes = entries * of_float + bins * (of_bin + of_float);
  return work_of(bytes, bytes, 0);
}

Work pick_sorted_work(const WorkSizes& sizes, std::uint64_t bins, std::size_t queries,
                      std::size_t lanes) {
  if (queries == 0) return {};
  const Count v = sizes.coordinates;
  const Count blocks = groups_of(queries, lanes);
  const Count looked = looked_through(sizes, bins / queries);
  const Count written = v * blocks * lanes * sizes.planes() * of_float;
  const Count neighbours = v * looked * of_key;  // one for all lanes of a block
  return work_of(blocks * neighbours + v * queries * looked * of_float + written,
                 neighbours + v * queries * of_float + written,
                 v * queries * (looked + 2 * sizes.levels));
}

Work pick_work(const WorkSizes& sizes, std::size_t stripe, std::uint64_t bins, std::size_t queries,
               std::size_t words) {
  const Count written = Count{stripe} * queries * sizes.planes() * of_float;
  const Count own = bins * (of_bin + of_number);
  return work_of(bins * stripe * of_float + own * groups_of(stripe, fused_items) + written,
                 Count{words} * stripe * of_float + own + written,
                 stripe * (bins + Count{queries} * sizes.levels * to_level));
}

Work pick_fused_work(const WorkSizes& sizes, std::uint64_t bins, std::size_t queries) {
  if (queries == 0) return {};
  const Count v = sizes.coordinates;
  const Count of_coordinate = (sizes.dimensions + 1) * of_float;
  const Count written = v * queries * sizes.planes() * of_float;
  const Count own = queries * groups_of(bins / queries, fused_bins) * v * of_coordinate;
  const Count others = bins * groups_of(v, fused_items) * (of_coordinate + of_bin);
  return work_of(own + others + written, (v + bins) * of_coordinate + bins * of_bin + written,
                 v * (bins * (2 * sizes.dimensions + to_square + 1) +
                      Count{queries} * sizes.levels * to_level));
}

Work row_costs_work(const WorkSizes& sizes, const CostSizes& costs) {
  const Count lanes = costs.lanes * costs.blocks;
  const Count written = costs.rows * lanes * of_float;
  const Count of_entry = sizes.planes() * of_float;
  const Count own = costs.bins * of_bin + costs.rows * of_offsets;
  return work_of(own * costs.blocks + costs.bins * lanes * of_entry + written,
                 own + sizes.coordinates * lanes * of_entry + written,
                 costs.bins * lanes * paid_levels(sizes.kernel_levels));
}

Work bow_costs_work(const WorkSizes& sizes, const CostSizes& costs) {
  const Count lanes = costs.lanes * costs.blocks;
  const Count written = costs.rows * lanes * of_float;
  const Count own = costs.bins * of_bin + costs.rows * (of_offsets + of_double);
  return work_of(own * costs.blocks + costs.bins * lanes * of_float + written,
                 own + sizes.coordinates * lanes * of_float + written,
                 (2 * costs.bins + 5 * costs.rows) * lanes);
}

Work wcd_costs_work(const WorkSizes& sizes, const CostSizes& costs) {
  const Count of_centroid = sizes.dimensions * of_double;
  const Count pairs = Count{costs.rows} * costs.lanes;
  const Count written = pairs * of_float;
  return work_of((pairs + costs.rows) * of_centroid + written,
                 (costs.rows + costs.lanes) * of_centroid + written,
                 pairs * (3 * sizes.dimensions + 1));
}

Work squared_lengths_work(std::size_t rows, std::uint64_t bins) {
  const Count bytes = bins * of_bin + rows * (of_offsets + of_double);
  return work_of(bytes, bytes, 2 * bins);
}

Work centroids_work(const WorkSizes& sizes, std::size_t rows, std::uint64_t bins) {
  const Count own = bins * of_bin + rows * (of_offsets + sizes.dimensions * of_double);
  return work_of(own + bins * sizes.dimensions * of_float,
                 own + std::min<Count>(bins, sizes.coordinates) * sizes.dimensions * of_float,
                 3 * bins * sizes.dimensions);
}

Work query_costs_work(const WorkSizes& sizes, std::size_t query_bins, std::size_t rows,
                      std::uint64_t bins) {
  const Count squares = bins * query_bins * of_float;
  const Count picked = Count{rows} * query_bins * sizes.planes() * of_float;  // and read again
  const Count own = query_bins * of_bin * rows + bins * of_float + rows * of_offsets;
  const Count bytes = squares + 2 * picked + own;
  return work_of(bytes, bytes,
                 bins * query_bins + Count{rows} * query_bins *
                                         (sizes.levels * to_level + paid_levels(sizes.levels)));
}

Work query_costs_sorted_work(const WorkSizes& sizes, std::size_t query_bins, std::size_t rows,
                             std::uint64_t bins) {
  if (rows == 0) return {};
  const Count looked = looked_through(sizes, bins / rows);
  const Count entries = Count{rows} * query_bins;
  const Count picked = entries * sizes.planes() * of_float;  // and read again
  const Count spread = rows * sizes.coordinates * of_float + bins * (of_bin + of_float);
  const Count neighbours = looked * of_key;
  const Count own = entries * of_bin;
  return work_of(spread + entries * (neighbours + looked * of_float) + 2 * picked + own,
                 2 * spread + query_bins * neighbours + 2 * picked + own,
                 entries * (looked + 2 * sizes.levels + paid_levels(sizes.levels)));
}

Work combine_work(std::size_t i, std::size_t j) {
  const Count pairs = Count{i} * j;
  return work_of(4 * pairs * of_float, 4 * pairs * of_float, pairs);
}

Work update_lists_work(std::size_t lists, std::size_t candidates) {
  const Count pairs = Count{lists} * candidates;
  const Count limits = lists * 2 * of_key;
  return work_of(pairs * (of_float + of_number) + limits,
                 pairs * of_float + candidates * of_number + limits, pairs);
}

Work sinkhorn_work(std::uint64_t entries, std::size_t iterations) {
  const Count bytes = 2 * entries * iterations * of_double;  // by either side
  return work_of(bytes, bytes, 4 * entries * iterations);
}

Work copy_work(std::uint64_t bytes) { return {bytes, bytes, 0}; }

}  // namespace navvy::backends
