// Counts what kernels have to move and to compute on a device, phase by phase, from the sizes that
// they are launched with: to be set against what a card is said to do in a second.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace navvy::backends {

/// In the order in which device_work() tells of them.
enum class Phase {
  ground,       ///< distances of coordinates
  nearest,      ///< bins of queries, into tables
  row_costs,    ///< rows into queries
  query_costs,  ///< queries into rows
  directions,   ///< both of a pair
  lists,        ///< one pass over a tile: what enters them is not known here
  sinkhorn,     ///< as many iterations as are asked for
  copies,       ///< to and from the device
};
inline constexpr std::size_t phases = 8;

/// Of one launch. Items of a group that read the same value at once, or share it in local memory,
/// read it once.
struct Work {
  std::uint64_t bytes = 0;       ///< in global memory, each value as often as it is used
  std::uint64_t least = 0;       ///< the same where caches are perfect: each value once
  std::uint64_t operations = 0;  ///< of floating-point numbers; fused ones count 2
};

/// What was counted on one device: for any number of threads.
class WorkTally {
 public:
  struct Sum {
    std::uint64_t launches = 0;
    Work work;
    double seconds = 0;
  };

  void add(Phase phase, const Work& work, std::chrono::nanoseconds taken) noexcept;
  [[nodiscard]] Sum sum(Phase phase) const noexcept;
  void reset() noexcept;

  /// Whether each launch is waited for, so that phases have seconds.
  [[nodiscard]] bool is_timed() const noexcept { return timed_.load(std::memory_order_relaxed); }
  void set_timed(bool timed) noexcept { timed_.store(timed, std::memory_order_relaxed); }

 private:
  struct Entry {
    std::atomic<std::uint64_t> launches{0}, bytes{0}, least{0}, operations{0}, nanoseconds{0};
  };

  std::array<Entry, phases> entries_;
  std::atomic<bool> timed_{false};
};

/// The tally of a device by name: one for all who use it, for as long as the process lives.
WorkTally& work_tally(const std::string& device);

/// The sizes that many kernels share.
struct WorkSizes {
  std::size_t coordinates = 0;
  std::size_t dimensions = 0;
  std::size_t kernel_levels = 0;  ///< that a kernel is compiled for
  std::size_t levels = 0;         ///< that a measure charges

  [[nodiscard]] std::size_t planes() const noexcept { return 2 * kernel_levels - 1; }
};

// One function for each kernel, by its name. Where the work depends on the data it is said how.

Work squared_norms_work(const WorkSizes& sizes);
Work squares_work(std::size_t a, std::size_t b, std::size_t dimensions);
Work sort_neighbours_work(std::size_t coordinates, std::size_t padded);

/// With the fill before it; `entries`: weights that there is room for.
Work spread_work(std::uint64_t bins, std::size_t entries);
/// As though bins were spread evenly over the coordinates: where they stand close together, far
/// coordinates look through more neighbours.
Work pick_sorted_work(const WorkSizes& sizes, std::uint64_t bins, std::size_t queries,
                      std::size_t lanes);
/// `stripe`: coordinates at a time; `bins` of all queries, which have so many different words.
/// Bins that are nearer than those before are kept at no cost here.
Work pick_work(const WorkSizes& sizes, std::size_t stripe, std::uint64_t bins, std::size_t queries,
               std::size_t words);
Work pick_fused_work(const WorkSizes& sizes, std::uint64_t bins, std::size_t queries);

/// Rows with so many bins together into blocks of queries, `lanes` in all.
struct CostSizes {
  std::size_t rows = 0;
  std::uint64_t bins = 0;
  std::size_t lanes = 0;
  std::size_t blocks = 1;
};
Work row_costs_work(const WorkSizes& sizes, const CostSizes& costs);
Work bow_costs_work(const WorkSizes& sizes, const CostSizes& costs);
Work wcd_costs_work(const WorkSizes& sizes, const CostSizes& costs);
Work squared_lengths_work(std::size_t rows, std::uint64_t bins);
Work centroids_work(const WorkSizes& sizes, std::size_t rows, std::uint64_t bins);

/// A query of so many bins into rows with so many together.
Work query_costs_work(const WorkSizes& sizes, std::size_t query_bins, std::size_t rows,
                      std::uint64_t bins);
/// As though bins were spread evenly, as above.
Work query_costs_sorted_work(const WorkSizes& sizes, std::size_t query_bins, std::size_t rows,
                             std::uint64_t bins);

Work combine_work(std::size_t i, std::size_t j);
Work update_lists_work(std::size_t lists, std::size_t candidates);
/// `entries`: pairs of bins; what makes kernels, and what sums up the costs, counts as an
/// iteration.
Work sinkhorn_work(std::uint64_t entries, std::size_t iterations);
Work copy_work(std::uint64_t bytes);

}  // namespace navvy::backends
