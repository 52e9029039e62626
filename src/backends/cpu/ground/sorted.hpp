// Ground distances of small supports, all of them, sorted: a cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/ground/tiles.hpp"
#include "backends/cpu/relaxation/nearest.hpp"
#include "core/buffer.hpp"
#include "core/parallel.hpp"
#include "navvy/histograms.hpp"

namespace navvy::backends {

/// All ground distances of a small fixed support (images), with every coordinate's neighbours
/// sorted: a cache of what tiles give, to the bit, that makes it faster to pick a query's nearest
/// bins. The ranks, places among the neighbours, are kept in tiles for picking them at once.
class SmallGround {
 public:
  /// Above this size the matrix of all ground distances costs more than it saves.
  static constexpr std::size_t max_size = 4096;

  SmallGround(const LargeGround& ground, core::ThreadPool& pool, core::Monitor& monitor);

  /// Bytes that one takes.
  [[nodiscard]] static std::uint64_t memory(std::size_t size) noexcept {
    const std::uint64_t ranks = (size + kernels::tile_rows - 1) / kernels::tile_rows *
                                kernels::tile_rows * sizeof(std::uint16_t);
    return size * (ranks + size * (sizeof(std::uint16_t) + sizeof(float)));
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t tiles() const noexcept {
    return (size_ + kernels::tile_rows - 1) / kernels::tile_rows;
  }
  /// The rank of coordinate c among the neighbours of 32 * tile + i at [c * 32 + i].
  [[nodiscard]] const std::uint16_t* ranks(std::size_t tile) const noexcept {
    return ranks_.data() + tile * size_ * kernels::tile_rows;
  }
  [[nodiscard]] float distance(std::size_t a, std::size_t b) const noexcept {
    return distances(
        a)[ranks(a / kernels::tile_rows)[b * kernels::tile_rows + a % kernels::tile_rows]];
  }
  /// All coordinates, the nearest first; ties by id.
  [[nodiscard]] std::span<const std::uint16_t> neighbours(std::size_t id) const noexcept {
    return {neighbours_.data() + id * size_, size_};
  }
  /// The distances to these neighbours.
  [[nodiscard]] std::span<const float> distances(std::size_t id) const noexcept {
    return {distances_.data() + id * size_, size_};
  }

 private:
  std::size_t size_;
  core::Buffer<std::uint16_t> ranks_;
  core::Buffer<std::uint16_t> neighbours_;
  core::Buffer<float> distances_;
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
