#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/levels.hpp"
#include "core/buffer.hpp"
#include "navvy/histograms.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::backends {

/// The k nearest bins of one query for one coordinate, in the overflow form: level 0 has capacity 0
/// and the nearest distance as step.
struct NearestLevels {
  std::span<float> capacities;
  std::span<float> steps;
};

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

/// Looks up the nearest bins of one query at a time; keeps scratch memory, so one per thread.
class SmallNearest {
 public:
  explicit SmallNearest(const SmallGround& ground)
      : ground_(ground), weights_(ground.size(), absent) {}

  /// Chooses the query. It must stay alive until the next call; it may have bins of weight zero.
  void set_query(const Histogram& query);

  /// Fills `levels.steps.size()` levels for a coordinate.
  void find(std::size_t coordinate, kernels::Overflow overflow, const NearestLevels& levels) const;

  /// The same for a known weight: stops once the bins found can take it, since no later level is
  /// charged then. Returns how many levels were filled.
  std::size_t find_for(float weight, std::size_t coordinate, kernels::Overflow overflow,
                       const NearestLevels& levels) const;

 private:
  static constexpr float absent = -1;

  const SmallGround& ground_;
  std::vector<float> weights_;  // of the query by coordinate
  Histogram query_;
};

}  // namespace navvy::backends
