// What kernels should compute, to the bit: loops of the processor that anyone can check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "devices/self_test_sample.hpp"

namespace navvy::devices::plain {

std::vector<float> squared_norms(const Sample& sample);

/// [to][from] for all coordinates; none is larger than `largest`.
std::vector<float> squares(const Sample& sample, std::span<const float> norms, float largest);

/// A coordinate among the neighbours of another.
struct Neighbour {
  std::uint32_t coordinate;
  float distance;
};
/// For each coordinate all in order: by square, then by number.
std::vector<Neighbour> neighbours(std::span<const float> squares, std::size_t size);

/// Which of the nearest bins are picked: `count` have room, the first `charged` of them pay.
/// `only_at_zero`: what overflows pays only where the nearest distance is 0.
struct Levels {
  std::uint32_t count;
  std::uint32_t charged;
  std::uint32_t only_at_zero;
  [[nodiscard]] std::size_t planes() const noexcept { return 2 * std::size_t{count} - 1; }
};

/// The planes of one coordinate whose squares to the bins of a histogram are given.
std::vector<float> planes(std::span<const float> squares, std::span<const SampleBin> bins,
                          const Levels& levels);

/// The tables of all queries, [block][coordinate][plane][lane]; 0 in lanes without a query.
std::vector<float> tables(const Sample& sample, std::span<const float> squares,
                          const Levels& levels);

/// The cost of moving a histogram, where planes[bin] are those of its bins.
float cost(std::span<const SampleBin> source, std::span<const std::vector<float>> planes,
           std::size_t levels);

/// The weights of queries, [block][coordinate][lane]; `absent` where there is no bin.
std::vector<float> spread(const Sample& sample, float absent);

std::vector<double> squared_lengths(const SampleHistograms& histograms);
/// [row][query]
std::vector<float> bow_costs(const Sample& sample);
std::vector<double> centroids(const Sample& sample, const SampleHistograms& histograms);
/// [row][query]
std::vector<float> wcd_costs(const Sample& sample);

}  // namespace navvy::devices::plain
