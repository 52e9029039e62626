#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/nearest.hpp"
#include "core/buffer.hpp"
#include "navvy/histograms.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::backends {

/// Phase 1 for small fixed supports (images): every coordinate's neighbours are sorted once; the
/// nearest bins of a query are found by walking that list until enough of them belong to the query.
class SmallGround {
 public:
  /// Above this size the matrix of all ground distances costs more than it saves.
  static constexpr std::size_t max_size = 4096;

  explicit SmallGround(const Vocabulary& vocabulary);

  static std::uint64_t memory(std::size_t size) {
    return std::uint64_t{size} * size * (sizeof(float) + sizeof(std::uint16_t));
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Distances from coordinate `id` to all others, rounded from double.
  [[nodiscard]] std::span<const float> distances(std::size_t id) const noexcept {
    return {distances_.data() + id * size_, size_};
  }
  [[nodiscard]] std::span<const std::uint16_t> neighbours(std::size_t id) const noexcept {
    return {neighbours_.data() + id * size_, size_};
  }

 private:
  std::size_t size_;
  core::Buffer<float> distances_;
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
