#include "backends/level_table.hpp"

#include <algorithm>

namespace navvy::backends {
namespace {

std::size_t width_of(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return count <= 8 ? 8 : (count + 15) / 16 * 16;
}

}  // namespace

SmallCandidates::SmallCandidates(const SmallGround& ground, const RowBlocks& rows,
                                 const Measure& measure)
    : rows_(rows),
      nearest_(ground),
      levels_(levels_of(measure)),
      width_(width_of(levels_.count)),
      table_(ground.size() * 2 * width_),
      last_capacities_(levels_.finish ? ground.size() : 0) {}

void SmallCandidates::set_query(const Histogram& query) {
  nearest_.set_query(query);
  query_bins_ = query.size();
  const auto count = static_cast<std::size_t>(levels_.count);
  // One level more than the table holds tells what all of its levels take together.
  const std::size_t wanted = levels_.finish ? count + 1 : count;
  capacities_.resize(wanted);
  steps_.resize(wanted);
  const std::size_t coordinates = table_.size() / (2 * width_);
  for (std::size_t coordinate = 0; coordinate < coordinates; ++coordinate) {
    nearest_.find(coordinate, levels_.overflow, {capacities_, steps_});
    float* capacity = table_.data() + coordinate * 2 * width_;
    float* step = capacity + width_;
    std::copy_n(capacities_.begin(), count, capacity);
    std::copy_n(steps_.begin(), count, step);
    std::fill(capacity + count, capacity + width_, 0.0F);
    std::fill(step + count, step + width_, 0.0F);
    if (levels_.finish) last_capacities_[coordinate] = capacities_[count];
  }
}

void SmallCandidates::costs(std::span<const std::uint32_t> rows, std::span<float> costs) {
  rows_.kernels().candidate_costs(rows_.whole_rows(), rows.data(), rows.size(),
                                  {table_.data(), width_}, costs.data());
  if (!levels_.finish || query_bins_ <= static_cast<std::size_t>(levels_.count)) return;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (overflows(rows[i]))
      costs[i] = directed_cost_(rows_.sources()[rows[i]], rows_.piece_ends(rows[i]), query_bins_,
                                levels_.overflow, nearest_);
}

bool SmallCandidates::overflows(std::size_t row) const {
  const Histogram histogram = rows_.sources()[row];
  for (std::size_t bin = 0; bin < histogram.size(); ++bin)
    if (histogram.weights[bin] > last_capacities_[histogram.coordinates[bin]]) return true;
  return false;
}

}  // namespace navvy::backends
