#include "backends/small_ground.hpp"

#include <algorithm>
#include <numeric>

namespace navvy::backends {

SmallGround::SmallGround(const Vocabulary& vocabulary, double threshold)
    : size_(vocabulary.size()),
      squares_(tiles() * kernels::tile_rows * size_),
      neighbours_(size_ * size_) {
  std::fill_n(squares_.data(), squares_.size(), 0.0F);
  std::vector<float> row(size_);
  for (std::size_t a = 0; a < size_; ++a) {
    float* column = squares_.data() + a / kernels::tile_rows * size_ * kernels::tile_rows +
                    a % kernels::tile_rows;
    for (std::size_t b = 0; b < size_; ++b) {
      row[b] = static_cast<float>(
          std::min(squared_ground_distance(vocabulary, a, b), threshold * threshold));
      column[b * kernels::tile_rows] = row[b];
    }
    const auto order = neighbours_.span().subspan(a * size_, size_);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint16_t x, std::uint16_t y) { return row[x] < row[y]; });
  }
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
  const std::size_t wanted = std::min(levels.steps.size(), query_.size());
  float previous = 0;
  float filled = 0;  // what the bins found so far can take together
  std::size_t level = 0;
  for (std::size_t place = 0; level < wanted && filled < weight; ++place) {
    const std::uint16_t neighbour = neighbours[place];
    const float capacity = weights_[neighbour];
    if (capacity < 0) continue;
    const float distance = ground_.distance(coordinate, neighbour);
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
