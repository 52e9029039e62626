// Picks the nearest bins by their ranks among the sorted neighbours of a coordinate.
#include "backends/cpu/tables/sorted_writer.hpp"

#include <algorithm>

namespace navvy::backends {

using kernels::slab_rows;

SortedWriter::SortedWriter(const SortedGround& ground, const kernels::KernelTable& kernels,
                           Levels levels)
    : ground_(ground),
      kernels_(kernels),
      levels_(levels),
      writer_(kernels, levels),
      weights_(TableWriter::group * ground.size()),
      ranks_(writer_.levels() * slab_rows) {}

const float* SortedWriter::spread_weights(const Histogram& query, std::size_t place) {
  float* weights = weights_.data() + place * ground_.size();
  for (std::size_t bin = 0; bin < query.size(); ++bin)
    weights[query.coordinates[bin]] = query.weights[bin];
  return weights;
}

void SortedWriter::write(const Histograms& queries, std::size_t first, std::size_t count,
                         LaneTables& tables) {
  for (std::size_t lane = 0; lane < tables.lanes(); lane += TableWriter::group) {
    const std::size_t present = std::min(TableWriter::group, count - std::min(count, lane));
    for (std::size_t i = 0; i < present; ++i) spread_weights(queries[first + lane + i], i);
    for (std::size_t slab = 0; slab < ground_.slabs(); ++slab) {
      for (std::size_t i = 0; i < TableWriter::group; ++i)
        if (i < present && queries[first + lane + i].size() > 0)
          pick(queries[first + lane + i], weights_.data() + i * ground_.size(), slab,
               writer_.planes(i));
        else
          writer_.clear(i);
      writer_.put(slab, ground_.size(), lane, tables);
    }
  }
}

void SortedWriter::write(const Histogram& query, std::size_t width, float* table,
                         float* last_capacities) {
  const float* weights = spread_weights(query, 0);
  for (std::size_t slab = 0; slab < ground_.slabs(); ++slab) {
    pick(query, weights, slab, writer_.planes(0));
    writer_.put(slab, width, table, last_capacities);
  }
}

// The planes that k_smallest would give.
void SortedWriter::pick(const Histogram& query, const float* weights, std::size_t slab,
                        float* planes) {
  const std::size_t k = writer_.levels();
  // A query with all coordinates as bins, an image with its background: the neighbours themselves.
  const bool has_all = query.size() == ground_.size();
  if (!has_all)
    kernels_.k_smallest_ranks(ground_.ranks(slab), query.coordinates.data(), query.size(), k,
                              ranks_.data());
  const std::size_t found = std::min(k, query.size());
  const std::size_t first = slab * slab_rows;
  const std::size_t count = std::min(slab_rows, ground_.size() - first);
  for (std::size_t lane = 0; lane < count; ++lane) {
    const auto neighbours = ground_.neighbours(first + lane);
    const auto distances = ground_.distances(first + lane);
    float* step = planes + lane;
    float* capacity = planes + k * slab_rows + lane;
    float reached = 0;
    float filled = 0;
    bool is_charged = true;
    for (std::size_t level = 0; level < found; ++level) {
      const std::size_t rank = has_all ? level : ranks_[level * slab_rows + lane];
      step[level * slab_rows] = is_charged ? distances[rank] - reached : 0;
      reached = distances[rank];
      filled += weights[neighbours[rank]];
      capacity[level * slab_rows] = filled;
      if (level == 0 && levels_.overflow == kernels::Overflow::at_distance_zero)
        is_charged = reached == 0;
    }
    for (std::size_t level = found; level < k; ++level) {
      step[level * slab_rows] = 0;
      capacity[level * slab_rows] = filled;
    }
  }
}

}  // namespace navvy::backends
