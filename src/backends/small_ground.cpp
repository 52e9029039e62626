#include "backends/small_ground.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace navvy::backends {
namespace {

// The coordinates with all first dimensions side by side, then all second ones.
std::vector<float> by_dimension(const Vocabulary& vocabulary) {
  const std::size_t size = vocabulary.size();
  std::vector<float> turned(size * vocabulary.dimensions());
  for (std::size_t id = 0; id < size; ++id)
    for (std::size_t d = 0; d < vocabulary.dimensions(); ++d)
      turned[d * size + id] = vocabulary.coordinate(id)[d];
  return turned;
}

// The same sums in the same order as squared_ground_distance, for all coordinates at once.
void squares_to_all(std::span<const float> from, const std::vector<float>& turned,
                    std::vector<double>& squares) {
  std::ranges::fill(squares, 0.0);
  const float* values = turned.data();
  for (const float x : from) {
    for (std::size_t id = 0; id < squares.size(); ++id) {
      const double difference = static_cast<double>(x) - static_cast<double>(values[id]);
      squares[id] += difference * difference;
    }
    values += squares.size();
  }
}

}  // namespace

SmallGround::SmallGround(const Vocabulary& vocabulary, double threshold, core::ThreadPool& pool,
                         core::Monitor& monitor)
    : size_(vocabulary.size()),
      ranks_(tiles() * kernels::tile_rows * size_),
      neighbours_(size_ * size_),
      distances_(size_ * size_) {
  struct Scratch {
    std::vector<double> squares;
    std::vector<std::uint64_t> order;
  };
  const Scratch empty{std::vector<double>(size_), std::vector<std::uint64_t>(size_)};
  std::vector<Scratch> scratch(pool.threads(), empty);
  const std::vector<float> turned = by_dimension(vocabulary);
  monitor.begin("ground distances", tiles());
  pool.run(
      tiles(),
      [&](std::size_t tile, unsigned thread) {
        auto& [squares, order] = scratch[thread];
        std::uint16_t* ranks = ranks_.data() + tile * size_ * kernels::tile_rows;
        std::fill_n(ranks, size_ * kernels::tile_rows, std::uint16_t{0});
        const std::size_t first = tile * kernels::tile_rows;
        for (std::size_t a = first; a < std::min(first + kernels::tile_rows, size_); ++a) {
          squares_to_all(vocabulary.coordinate(a), turned, squares);
          for (std::size_t b = 0; b < size_; ++b) {
            const auto square = static_cast<float>(std::min(squares[b], threshold * threshold));
            // Bits of numbers that are not negative are ordered as the numbers; ties by id.
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
