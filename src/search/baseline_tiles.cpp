#include "search/baseline_tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace navvy::search {

using backends::RowBlocks;

double squared_length(const RowBlocks& rows, std::size_t row) {
  const kernels::Rows all = rows.whole_rows();
  const std::uint64_t first = all.offsets[row];
  double total = 0;
  std::uint64_t begin = 0;
  for (std::uint64_t piece = all.segment_offsets[row]; piece < all.segment_offsets[row + 1];
       ++piece) {
    double sum = 0;
    for (; begin < all.segment_ends[piece]; ++begin) {
      const auto weight = static_cast<double>(all.weights[first + begin]);
      sum = std::fma(weight, weight, sum);
    }
    total += sum;
  }
  return total;
}

double bow_distance(double dot, double squared_a, double squared_b) noexcept {
  // The root of a quotient of squares is exactly 1 where all three sums are equal.
  return std::max(0.0, 1.0 - std::sqrt(dot * dot / (squared_a * squared_b)));
}

void centroid(const Vocabulary& vocabulary, const Histogram& histogram, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  double mass = 0;
  for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
    const auto weight = static_cast<double>(histogram.weights[bin]);
    const auto coordinate = vocabulary.coordinate(histogram.coordinates[bin]);
    mass += weight;
    for (std::size_t d = 0; d < out.size(); ++d)
      out[d] += weight * static_cast<double>(coordinate[d]);
  }
  // Float weights sum to 1 only up to rounding; without this, far coordinates would show it.
  if (mass > 0)
    for (double& value : out) value /= mass;
}

BowTiles::BowTiles(const RowBlocks& rows, std::size_t vocabulary_size, unsigned threads)
    : rows_(rows), squared_lengths_(rows.rows()) {
  for (std::size_t row = 0; row < rows.rows(); ++row)
    squared_lengths_[row] = squared_length(rows, row);
  for (unsigned thread = 0; thread < threads; ++thread) {
    Scratch scratch{core::Buffer<float>(vocabulary_size * panel_lanes),
                    core::Buffer<double>(RowBlocks::block_rows * panel_lanes)};
    std::fill_n(scratch.table.data(), scratch.table.size(), 0.0F);
    scratch_.push_back(std::move(scratch));
  }
}

void BowTiles::fill(Range rows, int /*slot*/, Range queries, unsigned thread, float* tile) {
  const kernels::KernelTable& kernels = rows_.kernels();
  Scratch& scratch = scratch_[thread];
  const kernels::LaneTable table{scratch.table.data(), panel_lanes, panel_lanes};
  for (std::size_t panel = 0; panel * panel_lanes < queries.size(); ++panel) {
    const std::size_t first = queries.begin + panel * panel_lanes;
    const std::size_t lanes = std::min(panel_lanes, queries.end - first);
    const auto set_lanes = [&](bool present) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Histogram query = rows_.sources()[first + lane];
        for (std::size_t bin = 0; bin < query.size(); ++bin)
          scratch.table[query.coordinates[bin] * panel_lanes + lane] =
              present ? query.weights[bin] : 0;
      }
    };
    set_lanes(true);
    for (std::size_t row = rows.begin; row < rows.end; row += RowBlocks::block_rows) {
      const std::size_t count = std::min(RowBlocks::block_rows, rows.end - row);
      std::fill_n(scratch.dots.data(), count * panel_lanes, 0.0);
      kernels.dot(rows_.segments(row / RowBlocks::block_rows), table, scratch.dots.data());
      float* out = tile + (panel * tile_size + row - rows.begin) * panel_lanes;
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t lane = 0; lane < lanes; ++lane)
          out[i * panel_lanes + lane] = static_cast<float>(
              bow_distance(scratch.dots[i * panel_lanes + lane], squared_lengths_[row + i],
                           squared_lengths_[first + lane]));
    }
    set_lanes(false);
  }
}

WcdTiles::WcdTiles(const Index& index, const RowBlocks& rows)
    : dimensions_(index.vocabulary.dimensions()), centroids_(rows.rows() * dimensions_) {
  for (std::size_t row = 0; row < rows.rows(); ++row)
    centroid(index.vocabulary, rows.sources()[row],
             std::span(centroids_).subspan(row * dimensions_, dimensions_));
}

void WcdTiles::fill(Range rows, int /*slot*/, Range queries, unsigned /*thread*/, float* tile) {
  std::vector<double> panel_centroids(dimensions_ * panel_lanes);
  std::array<double, panel_lanes> sums{};
  for (std::size_t panel = 0; panel * panel_lanes < queries.size(); ++panel) {
    const std::size_t first = queries.begin + panel * panel_lanes;
    const std::size_t lanes = std::min(panel_lanes, queries.end - first);
    std::fill(panel_centroids.begin(), panel_centroids.end(), 0.0);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t d = 0; d < dimensions_; ++d)
        panel_centroids[d * panel_lanes + lane] = centroid_of(first + lane)[d];
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      sums.fill(0);
      const auto own = centroid_of(row);
      for (std::size_t d = 0; d < dimensions_; ++d)
        for (std::size_t lane = 0; lane < panel_lanes; ++lane) {
          const double difference = own[d] - panel_centroids[d * panel_lanes + lane];
          sums[lane] += difference * difference;
        }
      float* out = tile + (panel * tile_size + row - rows.begin) * panel_lanes;
      for (std::size_t lane = 0; lane < lanes; ++lane)
        out[lane] = static_cast<float>(std::sqrt(sums[lane]));
    }
  }
}

}  // namespace navvy::search
