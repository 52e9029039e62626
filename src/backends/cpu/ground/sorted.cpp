// Sorts the neighbours of every coordinate of a small support.
#include "backends/cpu/ground/sorted.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace navvy::backends {

SortedGround::SortedGround(const SlabGround& ground, core::ThreadPool& pool, core::Monitor& monitor)
    : size_(ground.size()),
      ranks_(slabs() * kernels::slab_rows * size_),
      neighbours_(size_ * size_),
      distances_(size_ * size_) {
  struct Worker {
    core::Buffer<float> squares;  // [coordinate][one of the slab]
    core::Buffer<float> turned;   // [one of the slab][coordinate]
    std::vector<std::uint64_t> order;
  };
  std::vector<std::uint32_t> all(size_);
  std::iota(all.begin(), all.end(), 0U);
  const PackedWords words = ground.pack(all);
  std::vector<Worker> workers;
  for (unsigned thread = 0; thread < pool.threads(); ++thread)
    workers.push_back({core::Buffer<float>(words.slab_size()),
                       core::Buffer<float>(size_ * kernels::slab_rows),
                       std::vector<std::uint64_t>(size_)});
  monitor.begin("ground distances", slabs());
  pool.run(
      slabs(),
      [&](std::size_t slab, unsigned thread) {
        auto& [squares, turned, order] = workers[thread];
        std::uint16_t* ranks = ranks_.data() + slab * size_ * kernels::slab_rows;
        std::fill_n(ranks, size_ * kernels::slab_rows, std::uint16_t{0});
        const std::size_t first = slab * kernels::slab_rows;
        ground.squared_distances(slab, words, squares.data());
        ground.kernels().transpose(squares.data(), kernels::slab_rows, size_, kernels::slab_rows,
                                   turned.data(), size_);
        for (std::size_t a = first; a < std::min(first + kernels::slab_rows, size_); ++a) {
          // Bits of numbers that are not negative are ordered as the numbers; ties by id.
          for (std::size_t b = 0; b < size_; ++b) {
            const float square = turned[(a - first) * size_ + b];
            order[b] = std::uint64_t{std::bit_cast<std::uint32_t>(square)} << 32 | b;
          }
          std::ranges::sort(order);
          for (std::size_t rank = 0; rank < size_; ++rank) {
            const auto b = static_cast<std::uint16_t>(order[rank]);
            ranks[b * kernels::slab_rows + a - first] = static_cast<std::uint16_t>(rank);
            neighbours_[a * size_ + rank] = b;
            distances_[a * size_ + rank] =
                std::sqrt(std::bit_cast<float>(static_cast<std::uint32_t>(order[rank] >> 32U)));
          }
        }
        monitor.add(1);
      },
      &monitor);
}

void SortedNearest::set_query(const Histogram& query) {
  for (const std::uint32_t coordinate : query_.coordinates) weights_[coordinate] = absent;
  for (std::size_t bin = 0; bin < query.size(); ++bin)
    weights_[query.coordinates[bin]] = query.weights[bin];
  query_ = query;
}

std::size_t SortedNearest::find_for(float weight, std::size_t coordinate,
                                    kernels::Overflow overflow, const NearestLevels& levels) {
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
