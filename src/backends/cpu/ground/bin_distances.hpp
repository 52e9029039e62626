// The ground distances between the bins of one query and all coordinates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "backends/cpu/ground/slabs.hpp"
#include "core/buffer.hpp"
#include "core/range.hpp"
#include "core/run.hpp"

namespace navvy::backends {

/// Computed once for a query, slab by slab, and kept where the budget allows; else those of a
/// coordinate are computed when they are asked for, with the same bits. Queries of many bins come
/// piece by piece.
class BinDistances {
 public:
  explicit BinDistances(const SlabGround& ground) : ground_(ground) {}

  /// Bytes that the distances to so many bins take, and what all threads need to fill them.
  [[nodiscard]] static std::uint64_t memory(const SlabGround& ground, std::size_t bins,
                                            unsigned threads) noexcept;

  /// Chooses the query, whose coordinates must stay alive while it is used. Returns whether there
  /// is room to keep its distances, `beside` so many bytes that others will need.
  bool set_query(std::span<const std::uint32_t> coordinates, std::uint64_t beside, core::Run& run);

  /// Computes all slabs, keeps them where there is room, and shows each to `visit` from the thread
  /// that computed it, for all bins at once or for one piece of them after the other: the squared
  /// distance of bin bins.begin + b and coordinate 32 * slab + i is at [32 * b + i]. Between the
  /// pieces of a slab a thread shows others, all of the same WordPieces::slabs_together.
  using Visit = std::function<void(std::size_t slab, core::Range bins, const float* squares,
                                   unsigned thread)>;
  void fill(core::Run& run, const Visit& visit);

  /// Whether fill() kept them.
  [[nodiscard]] bool are_kept() const noexcept { return kept_; }

  /// Squared distances of 32 bins, from 32 * bundle on, to all coordinates: [coordinate][32].
  [[nodiscard]] const float* squares(std::size_t bundle) const noexcept {
    return squares_.data() + bundle * ground_.slabs() * kernels::slab_rows * kernels::slab_rows;
  }

  /// The distances from a coordinate to the bins.
  void line(std::uint32_t coordinate, std::span<float> out) const;

 private:
  void choose_piece(core::Run& run);
  void fill_slabs(core::Range slabs, unsigned thread, const Visit& visit);
  void keep(std::size_t slab, core::Range bins, const float* squares);

  const SlabGround& ground_;
  std::span<const std::uint32_t> coordinates_;
  std::size_t room_ = 0;      // bins that there is room for at once,
  std::size_t piece_ = 0;     // and of this query
  core::Reservation packed_;  // for words copied together
  PackedWords words_;         // all of them, where they are one piece
  bool kept_ = false;
  core::Buffer<float> squares_;             // [bundle of 32 bins][coordinate][32]
  std::vector<core::Buffer<float>> slabs_;  // one per thread
};

}  // namespace navvy::backends
