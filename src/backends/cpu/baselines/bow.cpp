// Dot products in double, by the kernel for tiles and by a plain walk for single queries.
#include "backends/cpu/baselines/bow.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "backends/cpu/baselines/baseline_block.hpp"
#include "core/buffer.hpp"
#include "core/pieces.hpp"

namespace navvy::backends {
namespace {

// Sums run in double and in the order of the kernels, piece by piece, so that a row has cosine 1
// with itself exactly. `other(bin)` is what the weight of a bin is multiplied with.
template <class Other>
double dot(const Histogram& histogram, std::span<const std::uint32_t> ends, const Other& other) {
  double total = 0;
  std::size_t bin = 0;
  for (const std::uint32_t end : ends) {
    double sum = 0;
    for (; bin < end; ++bin)
      sum = std::fma(static_cast<double>(histogram.weights[bin]), static_cast<double>(other(bin)),
                     sum);
    total += sum;
  }
  return total;
}

double squared_length(const Histogram& histogram, std::span<const std::uint32_t> ends) {
  return dot(histogram, ends, [&](std::size_t bin) { return histogram.weights[bin]; });
}

// 1 - cosine; exactly 0 for equal histograms: the root of a quotient of squares is exactly 1 where
// all three sums are equal.
float bow_distance(double product, double squared_a, double squared_b) {
  return static_cast<float>(
      std::max(0.0, 1.0 - std::sqrt(product * product / (squared_a * squared_b))));
}

// Of all rows, made once.
std::span<const double> squared_lengths(const Engine& engine, Run& run) {
  const RowBlocks& rows = engine.rows;
  return engine.squared_lengths
      .get([&] {
        core::Buffer<double> lengths(rows.rows(), run.budget.for_kept(), "the lengths of all rows");
        run.pool.run(rows.blocks(), [&](std::size_t block, unsigned) {
          const std::size_t first = block * RowBlocks::block_rows;
          const std::size_t last = std::min(first + RowBlocks::block_rows, rows.rows());
          for (std::size_t row = first; row < last; ++row)
            lengths[row] = squared_length(rows.sources()[row], rows.piece_ends(row));
        });
        return lengths;
      })
      .span();
}

// A dot product of sparse histograms with lanes = queries.
class BowTiles : public TileSource {
 public:
  BowTiles(const Engine& engine, Run& run)
      : rows_(engine.rows), squared_lengths_(backends::squared_lengths(engine, run)) {
    const std::size_t table = engine.index.vocabulary.size() * panel_lanes;
    for (unsigned thread = 0; thread < run.pool.threads(); ++thread) {
      Worker worker{run.buffer<float>(table, "the weights of a block of queries"),
                    core::Buffer<double>(RowBlocks::block_rows * panel_lanes)};
      std::fill_n(worker.table.data(), table, 0.0F);
      workers_.push_back(std::move(worker));
    }
  }

  [[nodiscard]] bool is_symmetric() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t memory_per_query() const noexcept override { return 0; }
  void prepare(int, Range, Range, Run&) override {}

  void fill(Range rows, int /*slot*/, Range queries, unsigned thread, float* tile) override {
    for (std::size_t panel = 0; panel * panel_lanes < queries.size(); ++panel) {
      const std::size_t first = queries.begin + panel * panel_lanes;
      fill_panel(rows, {first, std::min(first + panel_lanes, queries.end)}, workers_[thread],
                 tile + panel * tile_size * panel_lanes);
    }
  }

 private:
  struct Worker {
    core::Buffer<float> table;  // weights of 64 queries by coordinate; zeros between uses
    core::Buffer<double> dots;
  };

  void set_lanes(Range queries, bool present, Worker& worker) const {
    for (std::size_t lane = 0; lane < queries.size(); ++lane) {
      const Histogram query = rows_.sources()[queries.begin + lane];
      for (std::size_t bin = 0; bin < query.size(); ++bin)
        worker.table[query.coordinates[bin] * panel_lanes + lane] =
            present ? query.weights[bin] : 0;
    }
  }

  void fill_panel(Range rows, Range queries, Worker& worker, float* panel) const {
    const kernels::LaneTable table{worker.table.data(), panel_lanes, panel_lanes};
    set_lanes(queries, true, worker);
    for (std::size_t row = rows.begin; row < rows.end; row += RowBlocks::block_rows) {
      const std::size_t count = std::min(RowBlocks::block_rows, rows.end - row);
      std::fill_n(worker.dots.data(), count * panel_lanes, 0.0);
      rows_.kernels().dot(rows_.segments(row / RowBlocks::block_rows), table, worker.dots.data());
      float* out = panel + (row - rows.begin) * panel_lanes;
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t lane = 0; lane < queries.size(); ++lane)
          out[i * panel_lanes + lane] =
              bow_distance(worker.dots[i * panel_lanes + lane], squared_lengths_[row + i],
                           squared_lengths_[queries.begin + lane]);
    }
    set_lanes(queries, false, worker);
  }

  const RowBlocks& rows_;
  std::span<const double> squared_lengths_;
  std::vector<Worker> workers_;
};

// One query at a time: its weights by coordinate, and a walk over the bins of each row.
class BowBlock : public BaselineBlock {
 public:
  BowBlock(const Engine& engine, Run& run)
      : BaselineBlock(engine.rows, run),
        engine_(engine),
        squared_lengths_(backends::squared_lengths(engine, run)),
        weights_(run.buffer<float>(engine.index.vocabulary.size(), "the weights of a query")) {
    std::fill_n(weights_.data(), weights_.size(), 0.0F);
  }

  void prepare(const Histograms& queries, Range range, Run& run) override {
    const Histogram query = queries[range.begin];
    for (std::size_t bin = 0; bin < query.size(); ++bin)
      weights_[query.coordinates[bin]] = query.weights[bin];
    const double squared = squared_length(query, core::piece_ends(engine_.index.vocabulary, query));
    fill(run, [&](std::size_t row) {
      const Histogram histogram = engine_.rows.sources()[row];
      const double product = dot(histogram, engine_.rows.piece_ends(row), [&](std::size_t bin) {
        return weights_[histogram.coordinates[bin]];
      });
      return bow_distance(product, squared_lengths_[row], squared);
    });
    for (const std::uint32_t coordinate : query.coordinates) weights_[coordinate] = 0;
  }

 private:
  const Engine& engine_;
  std::span<const double> squared_lengths_;
  core::Buffer<float> weights_;  // by coordinate; zeros between uses
};

}  // namespace

std::unique_ptr<TileSource> bow_tiles(const Engine& engine, Run& run) {
  return std::make_unique<BowTiles>(engine, run);
}

std::unique_ptr<QueryBlock> bow_block(const Engine& engine, Run& run) {
  return std::make_unique<BowBlock>(engine, run);
}

}  // namespace navvy::backends
