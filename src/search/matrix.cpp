// Lines of the matrix for measures and queries that backends have no tiles for.
#include "search/matrix.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "core/chosen_rows.hpp"
#include "navvy/error.hpp"
#include "search/answers.hpp"
#include "search/queries/with_bow.hpp"

namespace navvy::search {
namespace {

void check_range(core::Range range, const char* what, std::size_t rows) {
  if (range.begin <= range.end && range.end <= rows) return;
  throw Error(ErrorCode::usage, std::string(what) + " " + std::to_string(range.begin) + ":" +
                                    std::to_string(range.end) + " are not within the " +
                                    std::to_string(rows) + " rows of the index");
}

// The distances of queries to all rows of a range with weight, one query after the other.
template <class Real>
class Lines {
 public:
  Lines(const backends::PreparedRows& rows, core::Range columns, const Question& question,
        core::Run& run)
      : run_(run),
        columns_(columns),
        reserved_(run.budget.reserve(columns.size() * (sizeof(std::uint32_t) + sizeof(double) +
                                                       sizeof(float) + sizeof(Real)),
                                     "a line of the matrix")),
        line_(columns.size()) {
    for (std::size_t row = columns.begin; row < columns.end; ++row)
      if (!rows.is_empty(row)) wanted_.push_back(static_cast<std::uint32_t>(row));
    if (question.measure.kind == MeasureKind::sinkhorn || is_exact(question.measure))
      solver_ = rows.solver(task_of(question, 0), {}, run);
  }

  [[nodiscard]] bool solves() const noexcept { return solver_ != nullptr; }
  [[nodiscard]] std::uint64_t unconverged() const noexcept { return solver_->unconverged(); }

  /// Valid until the next call.
  std::span<const Real> solved(const Histogram& query) {
    if (is_empty(query)) return undefined();
    distances_.resize(wanted_.size());
    solver_->set_query(query, run_);
    solver_->solve(wanted_, distances_, run_);
    return spread(distances_);
  }

  /// Of a query that a block has prepared.
  std::span<const Real> costed(backends::QueryBlock& block, std::size_t number,
                               const Histogram& query) {
    if (is_empty(query)) return undefined();
    costs_.resize(wanted_.size());
    static_cast<void>(block.bounds(number));
    block.distances(wanted_, costs_, run_);
    return spread(costs_);
  }

 private:
  std::span<const Real> undefined() {
    std::ranges::fill(line_, std::numeric_limits<Real>::quiet_NaN());
    return line_;
  }

  template <class Value>
  std::span<const Real> spread(const std::vector<Value>& values) {
    undefined();
    for (std::size_t i = 0; i < wanted_.size(); ++i)
      line_[wanted_[i] - columns_.begin] = static_cast<Real>(values[i]);
    return line_;
  }

  core::Run& run_;
  core::Range columns_;
  core::Reservation reserved_;
  std::vector<std::uint32_t> wanted_;
  std::vector<double> distances_;
  std::vector<float> costs_;
  std::vector<Real> line_;
  std::unique_ptr<backends::Solver> solver_;
};

// `query(i)` is the i-th of so many.
template <class Real, class Query, class Sink>
std::uint64_t fill_solved(Lines<Real>& lines, std::size_t queries, const Query& query,
                          core::Run& run, const Sink& sink) {
  run.monitor.begin("distances", queries);
  for (std::size_t i = 0; i < queries; ++i) {
    sink(i, lines.solved(query(i)));
    run.monitor.add(1);
    run.monitor.throw_if_stopped();
  }
  return lines.unconverged();
}

// Some histograms out of many.
struct Some {
  const Histograms& histograms;
  core::Range range;
};

// Block by block, where pairs are not solved one by one.
template <class Real, class Sink>
void fill_costed(const backends::PreparedRows& rows, Lines<Real>& lines, const Some& queries,
                 const Question& question, core::Run& run, const Sink& sink) {
  const core::Range range = queries.range;
  const auto block = query_block(rows, question, 0, range.size(), run);
  run.monitor.begin("distances", range.size());
  for (std::size_t first = range.begin; first < range.end; first += block->block()) {
    const std::size_t last = std::min(first + block->block(), range.end);
    block->prepare(queries.histograms, {first, last}, run);
    for (std::size_t query = first; query < last; ++query) {
      sink(query - range.begin, lines.costed(*block, query, queries.histograms[query]));
      run.monitor.add(1);
      run.monitor.throw_if_stopped();
    }
  }
}

}  // namespace

std::uint64_t fill_matrix(const backends::PreparedRows& rows, const Histograms& histograms,
                          const MatrixRange& range, const Question& question, core::Run& run,
                          const DistanceSink& sink) {
  const core::Range queries{range.query_begin, range.query_end};
  const core::Range columns{range.row_begin, range.row_end};
  check_range(queries, "queries", rows.rows());
  check_range(columns, "rows", rows.rows());
  const auto line_sink = [&](std::size_t query, std::span<const float> line) {
    sink(query, 1, line);
  };
  if (question.measure.kind != MeasureKind::sinkhorn && !is_exact(question.measure)) {
    try {
      if (question.bow_share == 0) {
        rows.matrix(task_of(question, 0), queries, columns, run, sink);
        return 0;
      }
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit) throw;
    }
    // No tiles, or no room for tables of all rows: nothing has been handed out yet.
    Lines<float> lines(rows, columns, question, run);
    fill_costed(rows, lines, {histograms, queries}, question, run, line_sink);
    return 0;
  }
  Lines<float> lines(rows, columns, question, run);
  return fill_solved(
      lines, queries.size(), [&](std::size_t i) { return histograms[queries.begin + i]; }, run,
      line_sink);
}

std::uint64_t fill_matrix(const backends::PreparedRows& rows, const Histograms& queries,
                          core::Range columns, const Question& question, core::Run& run,
                          const LineSink& sink) {
  check_range(columns, "rows", rows.rows());
  Lines<double> lines(rows, columns, question, run);
  if (lines.solves())
    return fill_solved(
        lines, queries.size(), [&](std::size_t i) { return queries[i]; }, run, sink);
  fill_costed(rows, lines, {queries, {0, queries.size()}}, question, run, sink);
  return 0;
}

}  // namespace navvy::search
