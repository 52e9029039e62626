// Ground distances of small supports, all of them, sorted: a cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/ground/slabs.hpp"
#include "backends/cpu/relaxation/nearest.hpp"
#include "core/buffer.hpp"
#include "core/parallel.hpp"
#include "navvy/histograms.hpp"

namespace navvy::backends {

/// All ground distances of a small fixed support (images), with every coordinate's neighbours
/// sorted: a cache of what slabs give, to the bit, that makes it faster to pick a query's nearest
/// bins. The ranks, places among the neighbours, are kept in slabs for picking them at once.
class SortedGround {
 public:
  /// Above this size the matrix of all ground distances costs more than it saves.
  static constexpr std::size_t max_size = 4096;

  SortedGround(const SlabGround& ground, core::ThreadPool& pool, core::Monitor& monitor);

  /// Bytes that one takes.
  [[nodiscard]] static std::uint64_t memory(std::size_t size) noexcept {
    const std::uint64_t ranks = (size + kernels::slab_rows - 1) / kernels::slab_rows *
                                kernels::slab_rows * sizeof(std::uint16_t);
    return size * (ranks + size * (sizeof(std::uint16_t) + sizeof(float)));
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t slabs() const noexcept {
    return (size_ + kernels::slab_rows - 1) / kernels::slab_rows;
  }
  /// The rank of coordinate c among the neighbours of 32 * slab + i at [c * 32 + i].
  [[nodiscard]] const std::uint16_t* ranks(std::size_t slab) const noexcept {
    return ranks_.data() + slab * size_ * kernels::slab_rows;
  }
  [[nodiscard]] float distance(std::size_t a, std::size_t b) const noexcept {
    return distances(
        a)[ranks(a / kernels::slab_rows)[b * kernels::slab_rows + a % kernels::slab_rows]];
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

class SortedNearest : public Nearest {
 public:
  explicit SortedNearest(const SortedGround& ground)
      : ground_(ground), weights_(ground.size(), absent) {}

  void set_query(const Histogram& query) override;
  std::size_t find_for(float weight, std::size_t coordinate, kernels::Overflow overflow,
                       const NearestLevels& levels) override;

 private:
  static constexpr float absent = -1;

  const SortedGround& ground_;
  std::vector<float> weights_;  // of the query by coordinate
  Histogram query_;
};

}  // namespace navvy::backends
