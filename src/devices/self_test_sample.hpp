// Made-up data for the test of a device: nothing in it divides a tile, a group or a block of lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace navvy::devices {

/// A bin as kernels read it: the highest bit of the coordinate marks the last bin of a piece.
struct SampleBin {
  static constexpr std::uint32_t last_of_piece = 0x80000000U;

  std::uint32_t coordinate;
  float weight;

  [[nodiscard]] std::uint32_t id() const noexcept { return coordinate & ~last_of_piece; }
  [[nodiscard]] bool ends_piece() const noexcept { return (coordinate & last_of_piece) != 0; }
};

/// Histograms one after the other.
struct SampleHistograms {
  std::vector<std::uint64_t> offsets{0};
  std::vector<SampleBin> bins;

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(offsets.size() - 1);
  }
  [[nodiscard]] std::span<const SampleBin> operator[](std::size_t i) const noexcept {
    return {bins.data() + offsets[i], bins.data() + offsets[i + 1]};
  }
};

/// Numbers that look random and are the same everywhere.
class SampleNumbers {
 public:
  explicit SampleNumbers(std::uint32_t seed) noexcept : state_(seed) {}
  /// Below `end`, which is at most 2^16.
  std::uint32_t below(std::uint32_t end) noexcept { return (bits() >> 16) * end >> 16; }
  /// In [1, 2), with digits down to the last.
  float digits() noexcept;

 private:
  std::uint32_t bits() noexcept { return state_ = state_ * 1664525U + 1013904223U; }

  std::uint32_t state_;
};

struct Sample {
  static constexpr std::uint32_t dimensions = 19;
  static constexpr std::uint32_t size = 75;  ///< of the vocabulary
  static constexpr std::uint32_t lanes = 32;
  static constexpr std::uint32_t blocks = 2;  ///< of lanes that hold the queries

  /// Some coincide, some nearly do, and some are so small that their squares are subnormal.
  std::vector<float> coordinates;
  SampleHistograms rows;
  SampleHistograms queries;

  Sample();
};

/// Squares over the whole range of floats, and beside exact ones.
std::vector<float> sample_squares(std::size_t count);

}  // namespace navvy::devices
