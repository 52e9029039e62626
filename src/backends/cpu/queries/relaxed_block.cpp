// Blocks of queries over small supports, single queries over large vocabularies.
#include "backends/cpu/queries/relaxed_block.hpp"

#include <algorithm>
#include <vector>

#include "backends/cpu/pairs/tiles.hpp"
#include "backends/cpu/queries/slab_query.hpp"
#include "backends/cpu/queries/sorted_query.hpp"
#include "backends/cpu/relaxation/block_costs.hpp"
#include "backends/cpu/tables/sorted_writer.hpp"
#include "core/buffer.hpp"
#include "core/direction.hpp"

namespace navvy::backends {
namespace {

// What both kinds of support share: which costs make up the distance.
class RelaxedBlock : public QueryBlock {
 public:
  explicit RelaxedBlock(const Task& task)
      : levels_(levels_of(task.measure)),
        direction_(task.direction),
        forward_(core::moves_rows(task.direction)),
        backward_(core::moves_query(task.direction)) {}

  Bounds bounds(std::size_t query) final {
    into_query_ = choose(query);
    // What two costs make is at least what the first makes with 0. The tables of ict end before its
    // levels do, so even the first is only a bound.
    if (!forward_) return {};
    into_query_.exact = !backward_ && !levels_.finish;
    into_query_.share = core::combined(direction_, 1.0, 0.0);
    return into_query_;
  }

  void distances(std::span<const std::uint32_t> rows, std::span<float> out, Run& run) final {
    constexpr std::size_t block = 16;
    run.pool.run((rows.size() + block - 1) / block, [&](std::size_t b, unsigned thread) {
      const std::size_t last = std::min((b + 1) * block, rows.size());
      for (std::size_t i = b * block; i < last; ++i) out[i] = distance(rows[i], thread);
    });
  }

 protected:
  /// The costs of moving all rows into one of the prepared queries, which is chosen for what
  /// follows; for ict lower bounds.
  virtual Bounds choose(std::size_t query) = 0;
  /// That query, for what is costed pair by pair.
  virtual QueryAgainstRows& chosen() = 0;

  [[nodiscard]] const Levels& levels() const noexcept { return levels_; }

 private:
  [[nodiscard]] float distance(std::uint32_t row, unsigned thread) {
    float cost = 0;
    if (forward_)
      cost = levels_.finish ? chosen().into_query(row, thread)
                            : into_query_.values[row * into_query_.stride];
    const float back = backward_ ? chosen().into_row(row, thread) : 0;
    return core::combined(direction_, cost, back);
  }

  Levels levels_;
  Direction direction_;
  bool forward_, backward_;
  Bounds into_query_;
};

// Small supports: tables of up to 64 queries side by side; the other direction by looking up the
// nearest bins of the row.
class SortedBlock : public RelaxedBlock {
 public:
  SortedBlock(const Engine& engine, const Task& task, std::size_t queries, Run& run)
      : RelaxedBlock(task),
        engine_(engine),
        writer_(*engine.sorted, engine.rows.kernels(), levels()),
        block_(std::min(std::max<std::size_t>(queries, 1),
                        task.batch != 0 ? std::min(task.batch, panel_lanes) : panel_lanes)),
        query_(engine, levels(), Destinations::all_bins, run) {
    if (block_ > fewest_lanes && !run.budget.fits(memory(panel_lanes))) block_ = fewest_lanes;
    lanes_ = block_ <= fewest_lanes ? fewest_lanes : panel_lanes;
    reserved_ = run.budget.reserve(memory(lanes_), "the tables and costs of a block of queries");
    tables_.emplace_back(engine.sorted->size(), lanes_, levels());
    costs_ = core::Buffer<float>(engine.rows.rows() * lanes_);
    for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
      level_costs_.emplace_back(RowBlocks::block_rows * lanes_);
  }

  [[nodiscard]] std::size_t block() const noexcept override { return block_; }

  void prepare(const Histograms& queries, Range range, Run& run) override {
    queries_ = &queries;
    first_ = range.begin;
    writer_.write(queries, range.begin, range.size(), tables_[0]);
    run.pool.run(
        engine_.rows.blocks(),
        [&](std::size_t block, unsigned thread) {
          block_costs(engine_.rows, block, tables_[0],
                      costs_.data() + block * RowBlocks::block_rows * lanes_,
                      level_costs_[thread].data());
        },
        &run.monitor);
  }

 protected:
  Bounds choose(std::size_t query) override {
    query_.set_query((*queries_)[query]);
    return {costs_.data() + (query - first_), lanes_, false};
  }
  QueryAgainstRows& chosen() override { return query_; }

 private:
  static constexpr std::size_t fewest_lanes = 16;

  [[nodiscard]] std::uint64_t memory(std::size_t lanes) const {
    return LaneTables::memory(engine_.sorted->size(), lanes, levels()) +
           std::uint64_t{engine_.rows.rows()} * lanes * sizeof(float);
  }

  const Engine& engine_;
  SortedWriter writer_;
  std::size_t block_;
  std::size_t lanes_ = 0;
  core::Reservation reserved_;
  std::vector<LaneTables> tables_;  // one
  core::Buffer<float> costs_;
  std::vector<core::Buffer<float>> level_costs_;  // of a block of rows, per thread
  const Histograms* queries_ = nullptr;
  std::size_t first_ = 0;
  SortedQuery query_;
};

// Large vocabularies: one query at a time, whose distances to all words are kept for the other
// direction.
class SlabBlock : public RelaxedBlock {
 public:
  SlabBlock(const Engine& engine, const Task& task, Run& run)
      : RelaxedBlock(task),
        engine_(engine),
        query_(engine, levels(), Destinations::all_bins, run),
        costs_(run.buffer<float>(engine.rows.rows(), "the costs of a query")) {}

  [[nodiscard]] std::size_t block() const noexcept override { return 1; }

  void prepare(const Histograms& queries, Range range, Run& run) override {
    query_.set_query(queries[range.begin], run);
    run.pool.run(
        engine_.rows.blocks(),
        [&](std::size_t block, unsigned) {
          const std::size_t first = block * RowBlocks::block_rows;
          const std::size_t count = std::min(RowBlocks::block_rows, engine_.rows.rows() - first);
          query_.into_query(first, {costs_.data() + first, count});
        },
        &run.monitor);
  }

 protected:
  Bounds choose(std::size_t /*query*/) override { return {costs_.data(), 1, false}; }
  QueryAgainstRows& chosen() override { return query_; }

 private:
  const Engine& engine_;
  SlabQuery query_;
  core::Buffer<float> costs_;
};

}  // namespace

std::unique_ptr<QueryBlock> relaxed_block(const Engine& engine, const Task& task,
                                          std::size_t queries, Run& run) {
  if (engine.has_sorted) return std::make_unique<SortedBlock>(engine, task, queries, run);
  return std::make_unique<SlabBlock>(engine, task, run);
}

}  // namespace navvy::backends
