// An index made ready: which backend computes, what is kept from call to call, and which way each
// kind of question goes.

#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "backends/backend.hpp"
#include "core/chosen_rows.hpp"
#include "core/coordinate_range.hpp"
#include "core/fingerprint.hpp"
#include "core/run.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "navvy/search.hpp"
#include "search/all_pairs/checkpoint.hpp"
#include "search/all_pairs/knn.hpp"
#include "search/all_pairs/row_by_row.hpp"
#include "search/answers.hpp"
#include "search/exact/search.hpp"
#include "search/matrix.hpp"
#include "search/queries/every_row.hpp"
#include "search/queries/nearest.hpp"

namespace navvy {

using backends::PreparedRows;

namespace {

std::uint64_t memory_of(const Strings& strings) {
  return strings.offsets().span().size_bytes() + strings.bytes().size();
}

// Of what an index holds for each row and coordinate.
std::uint64_t memory_of(const Index& index) {
  return index.vocabulary.coordinates().span().size_bytes() +
         index.rows.offsets().span().size_bytes() + index.rows.coordinates().span().size_bytes() +
         index.rows.weights().span().size_bytes() + index.counts.span().size_bytes() +
         memory_of(index.ids) + memory_of(index.titles) + memory_of(index.snippets);
}

}  // namespace

struct Searcher::State {
  State(const Index& source, const std::string& name)
      : index(source), backend(backends::find_backend(name)) {
    core::check_range(index.vocabulary);  // it need not come from a file
  }

  /// The rows under the ground distance of a measure, made when first asked for; those with a
  /// threshold are kept until another one is asked for. Whoever computes with them keeps them
  /// alive.
  std::shared_ptr<const PreparedRows> rows(const Measure& measure, core::Run& run) const {
    validate(measure);
    const bool is_plain = measure.kind != MeasureKind::emd_hat;
    const double threshold = is_plain ? std::numeric_limits<double>::infinity() : measure.threshold;
    const std::scoped_lock lock(mutex_);
    Prepared& prepared = is_plain ? plain_ : hat_;
    if (!prepared.rows || prepared.threshold != threshold) {
      prepared.rows.reset();
      core::Run kept = run.for_kept();
      prepared.rows = backend.prepare({index.vocabulary, index.rows}, threshold, kept);
      prepared.threshold = threshold;
    }
    return prepared.rows;
  }

  /// Counts the index as kept by this searcher: nobody else holds it.
  void charge_index() {
    const core::Budget unlimited(std::numeric_limits<std::uint64_t>::max(), workspaces.ledger());
    own_index_ = unlimited.for_kept().reserve(memory_of(index), "the merger");
  }

  Index index;
  const backends::Backend& backend;
  mutable core::Workspaces workspaces;

 private:
  struct Prepared {
    std::shared_ptr<const PreparedRows> rows;
    double threshold = 0;
  };

  core::Reservation own_index_;
  mutable std::mutex mutex_;  // held while rows are made: others wait for them
  mutable Prepared plain_, hat_;
};

namespace {

/// One call: whom it tells, what it may take.
struct Call {
  Call(const RunOptions& options, core::Workspaces& workspaces)
      : monitor(options.progress), run(options.threads, options.memory, monitor, workspaces) {
    run.device_memory = options.device_memory;
  }

  core::Monitor monitor;
  core::Run run;
};

void check_queries(const Index& index, const Histograms& queries) {
  if (queries.size() > 0 && queries.vocabulary_size() != index.vocabulary.size())
    throw Error(ErrorCode::bad_input, "queries over " + std::to_string(queries.vocabulary_size()) +
                                          " coordinates, but the index has " +
                                          std::to_string(index.vocabulary.size()));
}

void check_weights(const Histograms& queries) {
  for (std::size_t query = 0; query < queries.size(); ++query)
    if (is_empty(queries[query]))
      throw Error(ErrorCode::bad_input, "query " + std::to_string(query) + " has no weight");
}

void check_options(const Index& index, std::size_t queries, const SearchOptions& options) {
  if (!options.among.empty() && options.among.size() != index.rows.size())
    throw Error(ErrorCode::usage, "a choice among " + std::to_string(options.among.size()) +
                                      " rows, but the index has " +
                                      std::to_string(index.rows.size()));
  if (!options.limits.empty() && options.limits.size() != queries)
    throw Error(ErrorCode::usage, std::to_string(options.limits.size()) + " limits for " +
                                      std::to_string(queries) + " queries");
}

Matches run_queries(const PreparedRows& rows, const search::Queries& queries,
                    const SearchOptions& options, core::Run& run) {
  Matches matches(queries.size(), options.top);
  if (is_exact(options.question.measure))
    search::search_exact(rows, queries, {options}, run, matches);
  else if (options.question.measure.kind == MeasureKind::sinkhorn)
    search::search_every_row(rows, queries, options, run, matches);
  else
    search::search_nearest(rows, queries, options, run, matches);
  return matches;
}

// Everything that the matches of all rows depend on.
core::Fingerprint fingerprint(const Index& index, std::string_view backend,
                              const SearchOptions& options) {
  core::Fingerprint work;
  work.add(index.vocabulary.coordinates().span());
  work.add(index.rows.offsets().span());
  work.add(index.rows.coordinates().span());
  work.add(index.rows.weights().span());
  work.add(backend);
  work.add(options.question.measure.kind);
  work.add(options.question.measure.iterations);
  work.add(options.question.measure.threshold);
  work.add(options.question.direction);
  work.add(options.question.sinkhorn.lambda);
  work.add(options.question.sinkhorn.cost_scale);
  work.add(options.question.sinkhorn.tolerance);
  work.add(options.question.sinkhorn.max_iterations);
  work.add(options.top);
  work.add(options.among.span());
  work.add(options.limits.span());
  work.add(options.exact.deadline);
  work.add(options.exact.max_solves);
  work.add(options.exact.tolerance);
  return work;
}

}  // namespace

Searcher::Searcher(const Index& index, const std::string& backend)
    : state_(std::make_unique<State>(index, backend)) {}
Searcher::Searcher(std::span<const Index> parts, const std::string& backend)
    : Searcher(parts.size() == 1 ? parts.front() : merged(parts), backend) {
  if (parts.size() > 1) state_->charge_index();
}
Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

const Index& Searcher::index() const noexcept { return state_->index; }

void Searcher::prepare(const Question& question, const RunOptions& run) const {
  Call call(run, state_->workspaces);
  state_->rows(question.measure, call.run)->prepare(search::task_of(question, run.batch), call.run);
}

Matches Searcher::search(const Histograms& queries, const SearchOptions& options) const {
  check_queries(index(), queries);
  check_weights(queries);
  check_options(index(), queries.size(), options);
  Call call(options.run, state_->workspaces);
  return run_queries(*state_->rows(options.question.measure, call.run), {&queries, {}}, options,
                     call.run);
}

Matches Searcher::search_rows(std::span<const std::uint32_t> rows,
                              const SearchOptions& options) const {
  for (const std::uint32_t row : rows)
    if (row >= index().rows.size())
      throw Error(ErrorCode::usage, "row " + std::to_string(row) +
                                        " does not exist; the index has " +
                                        std::to_string(index().rows.size()) + " rows");
  const Histograms queries = core::chosen_rows(index().rows, rows);
  check_weights(queries);
  check_options(index(), queries.size(), options);
  Call call(options.run, state_->workspaces);
  return run_queries(*state_->rows(options.question.measure, call.run), {&queries, rows}, options,
                     call.run);
}

Matches Searcher::knn(const SearchOptions& options, const Checkpoint& checkpoint) const {
  check_options(index(), index().rows.size(), options);
  search::Saving saving{checkpoint};
  if (!checkpoint.file.empty()) saving.work = fingerprint(index(), state_->backend.name(), options);
  Call call(options.run, state_->workspaces);
  const auto rows = state_->rows(options.question.measure, call.run);
  if (facts(options.question.measure.kind).whole_plan)
    return search::knn_row_by_row(*rows, index().rows, options, saving, call.run);
  try {
    Matches matches(rows->rows(), options.top);
    if (search::knn(*rows, options, saving, call.run, matches)) return matches;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit) throw;
    // Within this budget what was saved leads here again.
    if (!checkpoint.file.empty()) std::filesystem::remove(checkpoint.file);
  }
  // No room for the lists of all rows and tiles of pairs: a few queries need much less.
  return search::knn_row_by_row(*rows, index().rows, options, saving, call.run);
}

void Searcher::distances(const MatrixRange& range, const Question& question, const RunOptions& run,
                         const DistanceSink& sink) const {
  Call call(run, state_->workspaces);
  search::fill_matrix(*state_->rows(question.measure, call.run), index().rows, range, question,
                      call.run, sink);
}

void Searcher::distances(const Histograms& queries, std::size_t row_begin, std::size_t row_end,
                         const Question& question, const RunOptions& run,
                         const LineSink& sink) const {
  check_queries(index(), queries);
  Call call(run, state_->workspaces);
  search::fill_matrix(*state_->rows(question.measure, call.run), queries,
                      core::Range{row_begin, row_end}, question, call.run, sink);
}

}  // namespace navvy
