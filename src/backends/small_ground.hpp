#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/nearest.hpp"
#include "core/buffer.hpp"
#include "core/parallel.hpp"
#include "navvy/histograms.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::backends {

/// Ground distances of small fixed supports (images): all of them are computed once. Squares are
/// kept in tiles for picking the nearest bins of a query at once; and every coordinate's neighbours
/// are sorted, for looking up the nearest bins of a row one by one.
class SmallGround {
 public:
  /// Above this size the matrix of all ground distances costs more than it saves.
  static constexpr std::size_t max_size = 4096;

  /// Distances above the threshold count as the threshold.
  SmallGround(const Vocabulary& vocabulary, double threshold, core::ThreadPool& pool,
              core::Monitor& monitor);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t tiles() const noexcept {
    return (size_ + kernels::tile_rows - 1) / kernels::tile_rows;
  }
  /// Squared distances: of coordinates 32 * tile + i and c at [c * 32 + i].
  [[nodiscard]] const float* tile(std::size_t tile) const noexcept {
    return squares_.data() + tile * size_ * kernels::tile_rows;
  }
  [[nodiscard]] float distance(std::size_t a, std::size_t b) const noexcept {
    return std::sqrt(tile(a / kernels::tile_rows)[b * kernels::tile_rows + a % kernels::tile_rows]);
  }
  /// What kernels' k_smallest finds in a tile for a query with all coordinates as bins: their
  /// neighbours, the same for every such query but for the weights.
  void k_nearest(std::size_t tile, const float* weights, std::size_t k, kernels::Overflow overflow,
                 float* planes) const noexcept;
  /// All coordinates, the nearest first; ties by id.
  [[nodiscard]] std::span<const std::uint16_t> neighbours(std::size_t id) const noexcept {
    return {neighbours_.data() + id * size_, size_};
  }

 private:
  std::size_t size_;
  core::Buffer<float> squares_;
  core::Buffer<std::uint16_t> neighbours_;
};

class SmallNearest : public Nearest {
 public:
  explicit SmallNearest(const SmallGround& ground)
      : ground_(ground), weights_(ground.size(), absent) {}

  void set_query(const Histogram& query) override;
  std::size_t find_for(float weight, std::size_t coordinate, kernels::Overflow overflow,
                       const NearestLevels& levels) override;

 private:
  static constexpr float absent = -1;

  const SmallGround& ground_;
  std::vector<float> weights_;  // of the query by coordinate
  Histogram query_;
};

}  // namespace navvy::backends
