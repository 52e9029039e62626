#include "search/query_costs.hpp"

#include <algorithm>
#include <vector>

#include "backends/costs.hpp"
#include "backends/directed_cost.hpp"
#include "backends/large_query.hpp"
#include "core/buffer.hpp"
#include "search/small_tiles.hpp"

namespace navvy::search {
namespace {

using backends::DirectedCost;
using backends::LaneTables;
using backends::LargeQuery;
using backends::Levels;
using backends::levels_of;
using backends::RowBlocks;
using backends::SmallNearest;

// Small supports: tables of up to 64 queries side by side; the other direction by looking up the
// nearest bins of the row.
class SmallQueryCosts : public QueryCosts {
 public:
  SmallQueryCosts(const Engine& engine, const Measure& measure, std::size_t queries,
                  std::size_t batch, core::Budget& budget, core::ThreadPool& pool)
      : engine_(engine),
        pool_(pool),
        levels_(levels_of(measure)),
        writer_(*engine.small, engine.rows.kernels(), levels_),
        block_(std::min(std::max<std::size_t>(queries, 1),
                        batch != 0 ? std::min(batch, panel_lanes) : panel_lanes)),
        lanes_(block_ <= 16 ? 16 : panel_lanes),
        tables_((budget.take(LaneTables::memory(engine.small->size(), lanes_, levels_),
                             "the tables of a block of queries"),
                 LaneTables(engine.small->size(), lanes_, levels_))),
        costs_((budget.take(std::uint64_t{engine.rows.rows()} * lanes_ * sizeof(float),
                            "the costs of a block of queries"),
                core::Buffer<float>(engine.rows.rows() * lanes_))) {
    for (unsigned thread = 0; thread < pool.threads(); ++thread)
      workers_.push_back({core::Buffer<float>(RowBlocks::block_rows * lanes_),
                          SmallNearest(*engine.small), SmallNearest(*engine.small),
                          DirectedCost()});
  }

  [[nodiscard]] std::size_t block() const noexcept override { return block_; }

  void prepare(const Histograms& queries, Range range, core::Monitor& monitor) override {
    queries_ = &queries;
    first_ = range.begin;
    writer_.write(queries, range.begin, range.size(), tables_);
    pool_.run(
        engine_.rows.blocks(),
        [&](std::size_t block, unsigned thread) {
          backends::block_costs(engine_.rows, block, tables_,
                                costs_.data() + block * RowBlocks::block_rows * lanes_,
                                workers_[thread].scratch.data());
        },
        &monitor);
  }

  Costs choose(std::size_t query) override {
    query_ = (*queries_)[query];
    ends_ = backends::piece_ends(engine_.index.vocabulary, query_);
    for (Worker& worker : workers_) worker.query.set_query(query_);
    return {costs_.data() + (query - first_), lanes_};
  }

  float into_query(std::uint32_t row, unsigned thread) override {
    Worker& worker = workers_[thread];
    return worker.cost(engine_.rows.sources()[row], engine_.rows.piece_ends(row),
                       levels(query_.size()), levels_.overflow, worker.query);
  }

  float into_row(std::uint32_t row, unsigned thread) override {
    Worker& worker = workers_[thread];
    worker.row.set_query(engine_.index.rows[row]);
    return worker.cost(query_, ends_, levels(engine_.index.rows[row].size()), levels_.overflow,
                       worker.row);
  }

 private:
  struct Worker {
    core::Buffer<float> scratch;
    SmallNearest query;
    SmallNearest row;
    DirectedCost cost;
  };

  [[nodiscard]] std::size_t levels(std::size_t bins) const {
    return levels_.finish ? bins : static_cast<std::size_t>(levels_.count);
  }

  const Engine& engine_;
  core::ThreadPool& pool_;
  Levels levels_;
  backends::SmallWriter writer_;
  std::size_t block_;
  std::size_t lanes_;
  LaneTables tables_;
  core::Buffer<float> costs_;
  std::vector<Worker> workers_;
  const Histograms* queries_ = nullptr;
  std::size_t first_ = 0;
  Histogram query_;
  std::vector<std::uint32_t> ends_;
};

// Large vocabularies: one query at a time, whose distances to all words are kept for the other
// direction.
class LargeQueryCosts : public QueryCosts {
 public:
  LargeQueryCosts(const Engine& engine, const Measure& measure, core::Budget& budget,
                  core::ThreadPool& pool)
      : engine_(engine),
        budget_(budget),
        pool_(pool),
        query_((budget_.take(LargeQuery::memory(*engine.large, engine.rows, levels_of(measure)) +
                                 std::uint64_t{engine.rows.rows()} * sizeof(float),
                             "the table of a query"),
                LargeQuery(*engine.large, engine.rows, engine.index, levels_of(measure),
                           pool.threads()))),
        costs_(engine.rows.rows()) {}

  [[nodiscard]] std::size_t block() const noexcept override { return 1; }

  void prepare(const Histograms& queries, Range range, core::Monitor& monitor) override {
    const Histogram query = queries[range.begin];
    core::Budget(budget_).take(
        LargeQuery::memory_for(*engine_.large, query.size(), pool_.threads()),
        "the distances of a query to all words");
    query_.set_query(query, pool_, monitor);
    pool_.run(
        engine_.rows.blocks(),
        [&](std::size_t block, unsigned) {
          const std::size_t first = block * RowBlocks::block_rows;
          const std::size_t count = std::min(RowBlocks::block_rows, engine_.rows.rows() - first);
          query_.costs(first, {costs_.data() + first, count});
        },
        &monitor);
  }

  Costs choose(std::size_t /*query*/) override { return {costs_.data(), 1}; }
  float into_query(std::uint32_t row, unsigned thread) override {
    return query_.into_query(row, thread);
  }
  float into_row(std::uint32_t row, unsigned thread) override {
    return query_.into_row(row, thread);
  }

 private:
  const Engine& engine_;
  core::Budget budget_;
  core::ThreadPool& pool_;
  LargeQuery query_;
  core::Buffer<float> costs_;
};

}  // namespace

std::unique_ptr<QueryCosts> query_costs(const Engine& engine, const Measure& measure,
                                        std::size_t queries, std::size_t batch,
                                        core::Budget& budget, core::ThreadPool& pool) {
  if (engine.is_small)
    return std::make_unique<SmallQueryCosts>(engine, measure, queries, batch, budget, pool);
  return std::make_unique<LargeQueryCosts>(engine, measure, budget, pool);
}

}  // namespace navvy::search
