// Centroids of all rows are made once; distances are plain loops in double.
#include "backends/cpu/baselines/wcd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "backends/cpu/baselines/baseline_block.hpp"
#include "core/buffer.hpp"

namespace navvy::backends {
namespace {

// The weighted mean of a histogram's coordinates, in double: near centroids would cancel in float.
// Bins without weight add nothing.
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

// Of all rows, one after the other, made once: for every query anew they would cost far more than
// the distances.
std::span<const double> centroids(const Engine& engine, Run& run) {
  const RowBlocks& rows = engine.rows;
  const std::size_t dimensions = engine.index.vocabulary.dimensions();
  return engine.centroids
      .get([&] {
        core::Buffer<double> values(rows.rows() * dimensions, run.budget.for_kept(),
                                    "the centroids of all rows");
        run.pool.run(rows.blocks(), [&](std::size_t block, unsigned) {
          const std::size_t first = block * RowBlocks::block_rows;
          const std::size_t last = std::min(first + RowBlocks::block_rows, rows.rows());
          for (std::size_t row = first; row < last; ++row)
            centroid(engine.index.vocabulary, rows.sources()[row],
                     values.span().subspan(row * dimensions, dimensions));
        });
        return values;
      })
      .span();
}

// Distances of one centroid to some that stand side by side, [dimension][lane]: the same sums in
// the same order for any number of lanes.
template <std::size_t lanes>
void distances_to(std::span<const double> own, const double* others, float* out) {
  std::array<double, lanes> sums{};
  for (const double x : own) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double difference = x - others[lane];
      sums[lane] += difference * difference;
    }
    others += lanes;
  }
  for (std::size_t lane = 0; lane < lanes; ++lane)
    out[lane] = static_cast<float>(std::sqrt(sums[lane]));
}

class WcdTiles : public TileSource {
 public:
  WcdTiles(const Engine& engine, Run& run)
      : dimensions_(engine.index.vocabulary.dimensions()),
        centroids_(backends::centroids(engine, run)),
        panels_(run.pool.threads(), std::vector<double>(dimensions_ * panel_lanes)) {}

  [[nodiscard]] bool is_symmetric() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t memory_per_query() const noexcept override { return 0; }
  void prepare(int, Range, Range, Run&) override {}

  void fill(Range rows, int /*slot*/, Range queries, unsigned thread, float* tile) override {
    std::vector<double>& panel = panels_[thread];
    for (std::size_t first = queries.begin; first < queries.end; first += panel_lanes) {
      const std::size_t count = std::min(panel_lanes, queries.end - first);
      for (std::size_t lane = 0; lane < count; ++lane)
        for (std::size_t d = 0; d < dimensions_; ++d)
          panel[d * panel_lanes + lane] = centroid_of(first + lane)[d];
      for (std::size_t row = rows.begin; row < rows.end; ++row) {
        distances_to<panel_lanes>(centroid_of(row), panel.data(), tile);
        tile += panel_lanes;
      }
      tile += (tile_size - rows.size()) * panel_lanes;
    }
  }

 private:
  [[nodiscard]] std::span<const double> centroid_of(std::size_t row) const noexcept {
    return centroids_.subspan(row * dimensions_, dimensions_);
  }

  std::size_t dimensions_;
  std::span<const double> centroids_;
  std::vector<std::vector<double>> panels_;  // of a panel's queries, per thread
};

class WcdBlock : public BaselineBlock {
 public:
  WcdBlock(const Engine& engine, Run& run)
      : BaselineBlock(engine.rows, run),
        vocabulary_(engine.index.vocabulary),
        centroids_(backends::centroids(engine, run)),
        query_(vocabulary_.dimensions()) {}

  void prepare(const Histograms& queries, Range range, Run& run) override {
    centroid(vocabulary_, queries[range.begin], query_);
    fill(run, [&](std::size_t row) {
      float distance = 0;
      distances_to<1>(centroids_.subspan(row * query_.size(), query_.size()), query_.data(),
                      &distance);
      return distance;
    });
  }

 private:
  const Vocabulary& vocabulary_;
  std::span<const double> centroids_;
  std::vector<double> query_;
};

}  // namespace

std::unique_ptr<TileSource> wcd_tiles(const Engine& engine, Run& run) {
  return std::make_unique<WcdTiles>(engine, run);
}

std::unique_ptr<QueryBlock> wcd_block(const Engine& engine, Run& run) {
  return std::make_unique<WcdBlock>(engine, run);
}

}  // namespace navvy::backends
