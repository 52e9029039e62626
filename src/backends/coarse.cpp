#include "backends/coarse.hpp"

#include <algorithm>

namespace navvy::backends {
namespace {

using kernels::coarse_lanes;

// Far more than the rounding of a few float operations, far less than a unit.
constexpr float slack = 1e-5F;

}  // namespace

// A product of units is divided by 2^16. The sum over a row is at most the reach, which must stay
// below 2^16; the units of mass are as fine as the heaviest bin allows, unless that would leave
// too few for distances.
CoarseScale::CoarseScale(float heaviest, float reach) : reach_(reach) {
  const float lengths = std::max(65536 * std::min(heaviest, 1.0F), 4096.0F) * 0.99F;
  const float masses = 65535.0F * 65536.0F / lengths * 0.98F;
  mass_below_ = masses * (1 - slack);
  mass_above_ = masses * (1 + slack);
  length_below_ = lengths / reach * (1 - slack);
  unit_ = 65536.0F / (masses * (lengths / reach)) * (1 - slack);
}

CoarseRows::CoarseRows(const RowBlocks& rows, const CoarseScale& scale)
    : rows_(rows), bins_(rows.sources().weights().size()) {
  std::size_t next = 0;
  for (std::size_t block = 0; block < rows.blocks(); ++block) {
    offsets_.push_back(next);
    const kernels::Segments source = rows.segments(block);
    std::size_t count = 0;
    for (std::size_t i = 0; i < source.count; ++i) count += source.segments[i].count;
    for (std::size_t i = 0; i < count; ++i)
      bins_[next++] = {static_cast<std::uint16_t>(source.bins[i].coordinate),
                       scale.mass(source.bins[i].weight)};
  }
}

void CoarseTables::fill(const LaneTables& tables, std::span<const int> chosen,
                        const CoarseScale& scale) {
  const kernels::LaneTable nearest = tables.nearest();
  for (std::size_t id = 0; id < size_; ++id) {
    std::uint16_t* entry = values_.data() + id * stride(levels_);
    float reached[coarse_lanes];
    for (std::size_t lane = 0; lane < coarse_lanes; ++lane) {
      reached[lane] = std::min(nearest.values[id * nearest.stride + lane], scale.reach());
      entry[lane] = scale.length(reached[lane]);
    }
    for (const int level : chosen) {
      const kernels::OverflowTable overflow = tables.overflow(level);
      const float* capacities = overflow.capacities + id * overflow.stride;
      const float* steps = overflow.steps + id * overflow.stride;
      entry += coarse_lanes;
      for (std::size_t lane = 0; lane < coarse_lanes; ++lane) {
        const float step = std::min(steps[lane], scale.reach() - reached[lane]);
        reached[lane] += step;
        entry[lane] = scale.capacity(capacities[lane]);
        entry[coarse_lanes + lane] = scale.length(step);
      }
      entry += coarse_lanes;
    }
  }
}

}  // namespace navvy::backends
