// The nearest bins of rows for the bins of a query, computed row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backends/cpu/engine.hpp"
#include "backends/cpu/ground/slabs.hpp"
#include "backends/cpu/tables/levels.hpp"
#include "core/buffer.hpp"
#include "core/range.hpp"
#include "core/run.hpp"
#include "navvy/histograms.hpp"

namespace navvy::backends {

/// For one query after the other whose ground distances to all coordinates are not kept: bins of
/// the query against bins of a row. Both are taken whole where there is room, else piece by piece,
/// with the same bits. Threads have a row each.
class RowNearest {
 public:
  /// `rows`: those that set_row() will be given.
  RowNearest(const Engine& engine, const Histograms& rows, const Levels& levels, unsigned threads);

  /// Chooses a query, which must stay alive while it is used; charges what all threads need.
  void set_query(const Histogram& query, core::Run& run);

  /// Chooses a row with bins.
  void set_row(const Histogram& row, unsigned thread);

  /// The row's nearest bins for the 32 bins of the query from 32 * bundle on: planes as k_smallest
  /// leaves them, valid until the thread asks for others.
  [[nodiscard]] const float* planes(std::size_t bundle, unsigned thread);

 private:
  struct Worker {
    Histogram row;
    PackedWords words;  // of the row, where it is taken whole
    core::Buffer<float> slab;
    core::Buffer<float> planes;  // of the bundles from `first` on
    std::size_t first = none;
  };

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  [[nodiscard]] bool try_whole(core::Run& run);
  void take_pieces(core::Run& run);
  [[nodiscard]] std::size_t plane_floats() const noexcept;
  /// Some bins of the query as a vocabulary.
  [[nodiscard]] SlabGround bins_ground(core::Range bins) const;
  /// Words of a row with the numbers of some of the query's bins: equal coordinates are at distance
  /// 0 by number.
  [[nodiscard]] PackedWords pack(std::span<const std::uint32_t> coordinates,
                                 core::Range bins) const;
  void fill_whole(std::size_t bundle, Worker& worker);
  void fill_pieces(std::size_t first, Worker& worker);

  const Engine& engine_;
  kernels::Overflow overflow_;
  std::size_t stored_;  // levels in planes
  std::size_t most_bins_ = 0;
  Histogram query_;
  std::size_t piece_ = 0;  // words at once; 0: rows are taken whole
  core::Reservation reserved_;
  std::optional<SlabGround> own_bins_;  // all of the query's, where they are taken whole
  std::vector<std::uint32_t> places_;   // 0, 1, 2, ...
  std::vector<Worker> workers_;
};

}  // namespace navvy::backends
