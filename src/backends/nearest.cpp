#include "backends/nearest.hpp"

#include <algorithm>
#include <limits>

namespace navvy::backends {

void Nearest::find(std::size_t coordinate, kernels::Overflow overflow,
                   const NearestLevels& levels) {
  const std::size_t found =
      find_for(std::numeric_limits<float>::infinity(), coordinate, overflow, levels);
  if (found == levels.steps.size()) return;
  const auto rest = static_cast<std::ptrdiff_t>(found);
  std::fill(levels.capacities.begin() + rest, levels.capacities.end(), levels.capacities[found]);
  std::fill(levels.steps.begin() + rest, levels.steps.end(), 0.0F);
}

}  // namespace navvy::backends
