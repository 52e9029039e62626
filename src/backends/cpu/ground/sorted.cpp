// Sorts the neighbours of every coordinate of a small support.
#include "backends/cpu/ground/sorted.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace navvy::backends {

SmallGround::SmallGround(const LargeGround& ground, core::ThreadPool& pool, core::Monitor& monitor)
    : size_(ground.size()),
      ranks_(tiles() * kernels::tile_rows * size_),
      neighbours_(size_ * size_),
      distances_(size_ * size_) {
  struct Scratch {
    core::Buffer<float> squares;  // [coordinate][one of the tile]
    core::Buffer<float> turned;   // [one of the tile][coordinate]
    std::vector<std::uint64_t> order;
  };
  std::vector<std::uint32_t> all(size_);
  std::iota(all.begin(), all.end(), 0U);
  const PackedWords words = ground.pack(all);
  std::vector<Scratch> scratch;
  for (unsigned thread = 0; thread < pool.threads(); ++thread)
    scratch.push_back({core::Buffer<float>(words.tile_size()),
                       core::Buffer<float>(size_ * kernels::tile_rows),
                       std::vector<std::uint64_t>(size_)});
  monitor.begin("ground distances", tiles());
  pool.run(
      tiles(),
      [&](std::size_t tile, unsigned thread) {
        auto& [squares, turned, order] = scratch[thread];
        std::uint16_t* ranks = ranks_.data() + tile * size_ * kernels::tile_rows;
        std::fill_n(ranks, size_ * kernels::tile_rows, std::uint16_t{0});
        const std::size_t first = tile * kernels::tile_rows;
        ground.squared_distances(tile, words, squares.data());
        ground.kernels().transpose(squares.data(), kernels::tile_rows, size_, kernels::tile_rows,
                                   turned.data(), size_);
        for (std::size_t a = first; a < std::min(first + kernels::tile_rows, size_); ++a) {
          // Bits of numbers that are not negative are ordered as the numbers; ties by id.
          for (std::size_t b = 0; b < size_; ++b) {
            const float square = turned[(a - first) * size_ + b];
            order[b] = std::uint64_t{std::bit_cast<std::uint32_t>(square)} << 32 | b;
          }
          std::ranges::sort(order);
          for (std::size_t rank = 0; rank < size_; ++rank) {
            const auto b = static_cast<std::uint16_t>(order[rank]);
            ranks[b * kernels::tile_rows + a - first] = static_cast<std::uint16_t>(rank);
            neighbours_[a * size_ + rank] = b;
            distances_[a * size_ + rank] =
                std::sqrt(std::bit_cast<float>(static_cast<std::uint32_t>(order[rank] >> 32U)));
          }
        }
        monitor.add(1);
      },
      &monitor);
}

void SmallNearest::set_query(const Histogram& query) {
  for (const std::uint32_t coordinate : query_.coordinates) weights_[coordinate] = absent;
  for (std::size_t bin = 0; bin < query.size(); ++bin)
    weights_[query.coordinates[bin]] = query.weights[bin];
  query_ = query;
}

std::size_t SmallNearest::find_for(float weight, std::size_t coordinate, kernels::Overflow overflow,
                                   const NearestLevels& levels) {
  const auto neighbours = ground_.neighbours(coordinate);
  const auto distances = ground_.distances(coordinate);
  const std::size_t wanted = std::min(levels.steps.size(), query_.size());
  float previous = 0;
  float filled = 0;  // what the bins found so far can take together
  std::size_t level = 0;
  for (std::size_t place = 0; level < wanted && filled < weight; ++place) {
    const std::uint16_t neighbour = neighbours[place];
    const float capacity = weights_[neighbour];
    if (capacity < 0) continue;
    const float distance = distances[place];
    levels.capacities[level] = filled;
    levels.steps[level] = level == 0 ? distance : distance - previous;
    filled += capacity;
    previous = distance;
    ++level;
  }
  const auto end = levels.steps.begin() + static_cast<std::ptrdiff_t>(level);
  if (overflow == kernels::Overflow::at_distance_zero && levels.steps[0] > 0)
    std::fill(std::min(levels.steps.begin() + 1, end), end, 0.0F);
  // A query of fewer bins: what overflows the last one stays there.
  if (level < levels.steps.size()) levels.capacities[level] = filled;
  return level;
}

}  // namespace navvy::backends
