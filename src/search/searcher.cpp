#include <algorithm>
#include <limits>
#include <string>

#include "core/budget.hpp"
#include "core/parallel.hpp"
#include "navvy/error.hpp"
#include "navvy/search.hpp"
#include "search/brute_force.hpp"
#include "search/engine.hpp"
#include "search/exact_search.hpp"
#include "search/few_queries.hpp"
#include "search/knn.hpp"
#include "search/matrix.hpp"

namespace navvy {

struct Searcher::State {
  explicit State(const Index& source) : index(source) {}

  /// The index under the ground distance of a measure, made when first asked for; one with a
  /// threshold is kept while that stays the same.
  const search::Engine& engine(const Measure& measure, core::ThreadPool& pool,
                               core::Monitor& monitor) {
    validate(measure);
    const bool is_plain = measure.kind != MeasureKind::emd_hat;
    const double threshold = is_plain ? std::numeric_limits<double>::infinity() : measure.threshold;
    auto& engine = is_plain ? plain_ : hat_;
    if (!engine || engine->threshold != threshold) {
      engine.reset();
      engine = std::make_unique<const search::Engine>(index, threshold, pool, monitor);
    }
    return *engine;
  }

  /// The pool of the last call, kept while the number of threads stays the same.
  core::ThreadPool& pool(unsigned threads) {
    if (!pool_ || threads != threads_) {
      pool_.reset();
      pool_ = std::make_unique<core::ThreadPool>(threads);
      threads_ = threads;
    }
    return *pool_;
  }

  Index index;

 private:
  std::unique_ptr<const search::Engine> plain_;
  std::unique_ptr<const search::Engine> hat_;
  std::unique_ptr<core::ThreadPool> pool_;
  unsigned threads_ = 0;
};

namespace {

Matches empty_matches(std::size_t queries, std::size_t top) {
  Matches matches;
  matches.queries = queries;
  matches.top = top;
  matches.rows.assign(queries * top, Matches::no_row);
  matches.distances.assign(queries * top, std::numeric_limits<double>::quiet_NaN());
  return matches;
}

void check_queries(const Index& index, const Histograms& queries) {
  if (queries.size() > 0 && queries.vocabulary_size() != index.vocabulary.size())
    throw Error(ErrorCode::bad_input, "queries over " + std::to_string(queries.vocabulary_size()) +
                                          " coordinates, but the index has " +
                                          std::to_string(index.vocabulary.size()));
  for (std::size_t query = 0; query < queries.size(); ++query)
    if (is_empty(queries[query]))
      throw Error(ErrorCode::bad_input, "query " + std::to_string(query) + " has no weight");
}

}  // namespace

Searcher::Searcher(const Index& index) : state_(std::make_unique<State>(index)) {}
Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

const Index& Searcher::index() const noexcept { return state_->index; }

namespace {

void run_queries(const search::Engine& engine, const search::Queries& queries,
                 const SearchOptions& options, core::ThreadPool& pool, core::Monitor& monitor,
                 Matches& matches) {
  core::Budget budget(options.memory);
  if (is_relaxation(options.measure))
    search::search_relaxation(engine, queries, options, budget, pool, monitor, matches);
  else if (is_exact(options.measure))
    search::search_exact(engine, queries, options, {}, budget, pool, monitor, matches);
  else
    search::search_brute_force(engine, queries, options, budget, pool, monitor, matches);
}

// All rows against all where there is nothing better than one query after the other.
void knn_row_by_row(const search::Engine& engine, const SearchOptions& options,
                    core::ThreadPool& pool, core::Monitor& monitor, Matches& matches) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < engine.rows.rows(); ++row)
    if (!engine.rows.is_empty(row)) rows.push_back(row);
  const Histograms queries = backends::chosen_rows(engine.index.rows, rows);
  Matches found = empty_matches(rows.size(), options.top);
  run_queries(engine, {&queries, rows}, options, pool, monitor, found);
  // Rows without weight have no place in what was found.
  const auto spread = [&](auto& to, const auto& from, std::size_t width, auto missing) {
    if (from.empty()) return;
    to.assign(engine.rows.rows() * width, missing);
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                  to.begin() + static_cast<std::ptrdiff_t>(rows[i] * width));
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  spread(matches.rows, found.rows, options.top, Matches::no_row);
  spread(matches.distances, found.distances, options.top, nan);
  spread(matches.lower, found.lower, options.top, nan);
  spread(matches.upper, found.upper, options.top, nan);
  spread(matches.exact, found.exact, options.top, std::uint8_t{0});
  spread(matches.proofs, found.proofs, 1, Proof{});
  matches.counters = std::move(found.counters);
}

}  // namespace

void Searcher::prepare(const RunOptions& options) {
  core::Monitor monitor(options.progress);
  state_->engine(options.measure, state_->pool(options.threads), monitor);
}

Matches Searcher::search(const Histograms& queries, const SearchOptions& options) {
  check_queries(index(), queries);
  Matches matches = empty_matches(queries.size(), options.top);
  core::Monitor monitor(options.progress);
  core::ThreadPool& pool = state_->pool(options.threads);
  run_queries(state_->engine(options.measure, pool, monitor), {&queries, {}}, options, pool,
              monitor, matches);
  return matches;
}

Matches Searcher::search_rows(std::span<const std::uint32_t> rows, const SearchOptions& options) {
  for (const std::uint32_t row : rows)
    if (row >= index().rows.size())
      throw Error(ErrorCode::usage, "row " + std::to_string(row) +
                                        " does not exist; the index has " +
                                        std::to_string(index().rows.size()) + " rows");
  const Histograms queries = backends::chosen_rows(index().rows, rows);
  check_queries(index(), queries);
  Matches matches = empty_matches(rows.size(), options.top);
  core::Monitor monitor(options.progress);
  core::ThreadPool& pool = state_->pool(options.threads);
  run_queries(state_->engine(options.measure, pool, monitor), {&queries, rows}, options, pool,
              monitor, matches);
  return matches;
}

Matches Searcher::knn(const SearchOptions& options) {
  core::Monitor monitor(options.progress);
  core::ThreadPool& pool = state_->pool(options.threads);
  const search::Engine& engine = state_->engine(options.measure, pool, monitor);
  core::Budget budget(options.memory);
  Matches matches = empty_matches(engine.rows.rows(), options.top);
  if (is_relaxation(options.measure) && engine.is_small)
    search::knn_small(engine, options, budget, pool, monitor, matches);
  else if (options.measure.kind != MeasureKind::sinkhorn && !is_exact(options.measure))
    search::knn_tiles(engine, options, budget, pool, monitor, matches);
  else
    knn_row_by_row(engine, options, pool, monitor, matches);
  return matches;
}

void Searcher::distances(const MatrixRange& range, const RunOptions& options,
                         const DistanceSink& sink) {
  core::Budget budget(options.memory);
  core::Monitor monitor(options.progress);
  core::ThreadPool& pool = state_->pool(options.threads);
  search::fill_matrix(state_->engine(options.measure, pool, monitor), range, options, budget, pool,
                      monitor, sink);
}

}  // namespace navvy
