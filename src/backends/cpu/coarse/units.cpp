// Rounds rows and tables into coarse units.
#include "backends/cpu/coarse/units.hpp"

#include <algorithm>

#include "backends/cpu/row_blocks.hpp"
#include "core/chosen_rows.hpp"

namespace navvy::backends {
namespace {

using kernels::coarse_group;
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

std::uint16_t CoarseScale::within(float limit) const noexcept {
  if (limit >= lower_bound(65535)) return 65535;
  // The quotient is off by a rounding or two at most.
  auto coarse = static_cast<std::uint16_t>(limit / unit_);
  while (lower_bound(coarse) > limit) --coarse;
  while (coarse < 65535 && lower_bound(static_cast<std::uint16_t>(coarse + 1)) <= limit) ++coarse;
  return coarse;
}

CoarseRows::CoarseRows(const Vocabulary& vocabulary, const RowBlocks& source,
                       std::span<const std::uint32_t> order, const CoarseScale& scale,
                       const core::Run& run) {
  const Histograms& rows = source.sources();
  const auto coarse = [&](std::uint32_t coordinate, float weight) {
    return kernels::CoarseBin{static_cast<std::uint16_t>(coordinate), scale.mass(weight)};
  };
  std::size_t bins = 0;
  for (const std::uint32_t row : order) bins += rows[row].size();
  bins_.reserve(bins);
  for (std::size_t first = 0; first < order.size(); first += RowBlocks::block_rows) {
    const auto some =
        order.subspan(first).first(std::min(RowBlocks::block_rows, order.size() - first));
    const RowBlocks block({vocabulary, core::chosen_rows(rows, some)}, source.kernels(), true, run);
    const kernels::Segments walked = block.segments(0);
    Block& target = blocks_.emplace_back();
    target.segments.assign(walked.segments, walked.segments + walked.count);
    const std::size_t count = block.sources().weights().size();
    target.bins.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      target.bins.push_back(coarse(walked.bins[i].coordinate, walked.bins[i].weight));
    for (const std::uint32_t row : some) {
      const Histogram histogram = rows[row];
      for (std::size_t bin = 0; bin < histogram.size(); ++bin)
        bins_.push_back(coarse(histogram.coordinates[bin], histogram.weights[bin]));
      offsets_.push_back(bins_.size());
    }
  }
}

// `place`: of a coordinate and a lane in the tables of overflow.
CoarseTables::Step CoarseTables::merged(const LaneTables& tables, int level, std::size_t place,
                                        float usual_weight) {
  Step best{};
  float most = -1;
  float length = 0;
  for (; level < tables.levels().count; ++level) {
    const kernels::OverflowTable overflow = tables.overflow(level);
    length += overflow.steps[place];
    const float paid = length * std::max(0.0F, usual_weight - overflow.capacities[place]);
    if (paid > most) best = {overflow.capacities[place], length};
    most = std::max(most, paid);
  }
  return best;
}

void CoarseTables::fill(std::size_t first, const LaneTables& tables,
                        std::span<const int> overflow_levels, float usual_weight,
                        const CoarseScale& scale) {
  const std::size_t count = tables.lanes();
  const kernels::LaneTable nearest = tables.nearest();
  std::vector<float> reached(count);
  for (std::size_t id = 0; id < size_; ++id) {
    for (std::size_t lane = 0; lane < count; ++lane) {
      reached[lane] = std::min(nearest.values[id * nearest.stride + lane], scale.reach());
      values_[id * coarse_lanes + first + lane] = scale.length(reached[lane]);
    }
    for (std::size_t i = 0; i < overflow_levels.size(); ++i) {
      const kernels::OverflowTable overflow = tables.overflow(overflow_levels[i]);
      for (std::size_t lane = 0; lane < count; ++lane) {
        const std::size_t place = id * overflow.stride + lane;
        const Step level = i + 1 == overflow_levels.size()
                               ? merged(tables, overflow_levels[i], place, usual_weight)
                               : Step{overflow.capacities[place], overflow.steps[place]};
        const float step = std::min(level.length, scale.reach() - reached[lane]);
        reached[lane] += step;
        std::uint16_t* entry = values_.data() + overflow_place((first + lane) / coarse_group) +
                               (id * levels_ + i) * 2 * coarse_group + lane % coarse_group;
        entry[0] = scale.capacity(level.capacity);
        entry[coarse_group] = scale.length(step);
      }
    }
  }
}

}  // namespace navvy::backends
