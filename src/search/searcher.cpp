// An index made ready: which backend computes, what is kept from call to call, and which way each
// kind of question goes.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "backends/backend.hpp"
#include "core/chosen_rows.hpp"
#include "core/coordinate_range.hpp"
#include "core/fingerprint.hpp"
#include "core/lazy.hpp"
#include "core/question_fingerprint.hpp"
#include "core/run.hpp"
#include "navvy/align.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "navvy/search.hpp"
#include "search/all_pairs/checkpoint.hpp"
#include "search/all_pairs/knn.hpp"
#include "search/all_pairs/row_by_row.hpp"
#include "search/answers.hpp"
#include "search/matrix.hpp"
#include "search/queries/answer.hpp"
#include "search/row_part.hpp"
#include "search/wide_rows.hpp"

namespace navvy {

using search::RowPart;

namespace {

std::uint64_t memory_of(const Strings& strings) {
  return strings.offsets().span().size_bytes() + strings.bytes().size();
}

using SharedRows = search::WideRows::Shared;

// Of what an index holds for each row and coordinate.
std::uint64_t memory_of(const Index& index) {
  return index.vocabulary.coordinates().span().size_bytes() +
         index.rows.offsets().span().size_bytes() + index.rows.coordinates().span().size_bytes() +
         index.rows.weights().span().size_bytes() + index.rows.masses().span().size_bytes() +
         index.counts.span().size_bytes() + memory_of(index.ids) + memory_of(index.titles) +
         memory_of(index.snippets);
}

}  // namespace

struct Searcher::State {
  State(const Index& source, const std::string& name)
      : index(source), backend(backends::find_backend(name)), rows(index, backend) {
    core::check_range(index.vocabulary);  // it need not come from a file
  }

  /// ask(rows, queries) with these rows and with queries over their vocabulary. Where the budget
  /// refuses that, coordinates that earlier queries have brought make room.
  template <class Ask>
  auto ask(const Histograms& queries, const Vocabulary& vocabulary, const core::Run& run,
           const Ask& ask) const;

  /// Counts the index as kept by this searcher: nobody else holds it.
  void charge_index() {
    const core::Budget unlimited(std::numeric_limits<std::uint64_t>::max(), workspaces.ledger());
    own_index_ = unlimited.for_kept().reserve(memory_of(index), "the merger");
  }

  /// A question with the price that it has here, and what is asked of the rows: emd with a price of
  /// its own is emd-hat, whose price is its threshold. Throws Error(usage) where it makes no sense
  /// here.
  [[nodiscard]] Question settled(Question question) const;
  [[nodiscard]] SearchOptions settled(SearchOptions options) const {
    options.question = settled(options.question);
    return options;
  }

  Index index;
  core::Lazy<double> price;
  const backends::Backend& backend;
  mutable core::Workspaces workspaces;
  search::WideRows rows;

 private:
  core::Reservation own_index_;
};

Question Searcher::State::settled(Question question) const {
  validate(question);
  if (!is_partial(question.measure, question.direction)) return question;
  if (!index.rows.has_masses())
    throw Error(ErrorCode::usage, to_string(question.measure) +
                                      " one way moves masses, which this index does not " +
                                      "keep; build it anew, or ask for the direction symmetric");
  if (question.price > 0)
    question.measure = {.kind = MeasureKind::emd_hat, .threshold = question.price};
  else if (question.measure.kind == MeasureKind::emd_hat)
    question.price = question.measure.threshold;
  else
    question.price = price.get([&] { return price_of(index); });
  return question;
}

template <class Ask>
auto Searcher::State::ask(const Histograms& queries, const Vocabulary& vocabulary,
                          const core::Run& run, const Ask& ask) const {
  const auto once = [&] {
    const SharedRows wide = rows.with(vocabulary, run);
    return ask(*wide, renumbered(queries, vocabulary, wide->all().set().vocabulary));
  };
  try {
    return once();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit || !rows.forget()) throw;
  }
  return once();
}

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

void check_queries(const Vocabulary& vocabulary, const Histograms& queries) {
  if (queries.size() > 0 && queries.vocabulary_size() != vocabulary.size())
    throw Error(ErrorCode::bad_input, "queries over " + std::to_string(queries.vocabulary_size()) +
                                          " coordinates, but there are " +
                                          std::to_string(vocabulary.size()));
}

void check_weights(const Histograms& queries) {
  for (std::size_t query = 0; query < queries.size(); ++query)
    if (is_empty(queries[query]))
      throw Error(ErrorCode::bad_input, "query " + std::to_string(query) + " has no weight");
}

// What bounds all ground distances of an index may not bound those of coordinates from elsewhere.
void check_price(Index index, const Vocabulary& vocabulary, const Question& asked) {
  if (asked.measure.kind != MeasureKind::emd || !is_partial(asked.measure, asked.direction)) return;
  if (std::exchange(index.vocabulary, vocabulary).size() != vocabulary.size())
    static_cast<void>(price_of(index));
}

void check_masses(const Histograms& queries, const Question& question) {
  if (is_partial(question.measure, question.direction) && !queries.has_masses())
    throw Error(ErrorCode::bad_input, to_string(question.measure) +
                                          " one way moves masses, which the queries do not have");
}

void check_options(const Index& index, std::size_t queries, const SearchOptions& options) {
  search::check_choice(options.among, index.rows.size());
  if (!(options.within >= 0))
    throw Error(ErrorCode::usage, "rows within " + number_text(options.within) +
                                      " were asked for; expected 0 or a larger number");
  if (!(options.exact.deadline >= 0))
    throw Error(ErrorCode::usage, "a deadline of " + number_text(options.exact.deadline) +
                                      " seconds; expected 0 for none, or more");
  if (!(options.exact.tolerance >= 0))
    throw Error(ErrorCode::usage, "a tolerance of " + number_text(options.exact.tolerance) +
                                      "; expected a share, 0 or more");
  if (!options.limits.empty() && options.limits.size() != queries)
    throw Error(ErrorCode::usage, std::to_string(options.limits.size()) + " limits for " +
                                      std::to_string(queries) + " queries");
}

// So few queries do not pay for what many share.
constexpr std::size_t few_queries = 32;

// Calls `in_part` with the rows that are left alone, where they are few, and `in_all` where they
// are many or there is no room for a copy: the same answers, at a price in proportion to all rows.
template <class InPart, class InAll>
auto in_part_or_all(const search::SearchedRows& rows, search::PartWanted wanted,
                    const core::Run& run, const InPart& in_part, const InAll& in_all) {
  if (!rows.pays(wanted.rows.size())) return in_all();
  try {
    return in_part(*rows.part(std::move(wanted), run));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit) throw;
  }
  rows.drop_part();
  return in_all();
}

Matches no_matches(std::size_t queries, const SearchOptions& options) {
  Matches matches(queries, options.top == uncut ? 0 : options.top);
  if (is_exact(options.question.measure)) matches.add_bounds();
  return matches;
}

// Histograms, or rows of the index, against the rows that are left.
Matches run_queries(const search::SearchedRows& rows, const search::Queries& queries,
                    const SearchOptions& options, core::Run& run) {
  const Measure& measure = options.question.measure;
  const auto in_all = [&] {
    return search::answer(*rows.all().under(measure, run), queries, options, run);
  };
  if (options.among.empty()) return in_all();
  search::PartWanted wanted{search::rows_left(options.among), queries.histograms,
                            queries.size() < few_queries};
  if (wanted.rows.empty()) return no_matches(queries.size(), options);
  const auto in_part = [&](const RowPart& part) {
    SearchOptions within_part = options;
    within_part.among = {};
    const Histograms histograms = part.renumbered(*queries.histograms);
    const std::vector<std::uint32_t> own_rows = part.places_of(queries.own_rows);
    Matches matches = search::answer(*part.ready().under(measure, run), {&histograms, own_rows},
                                     within_part, run);
    part.number_as_whole(matches);
    return matches;
  };
  return in_part_or_all(rows, std::move(wanted), run, in_part, in_all);
}

// All rows of a set against all.
Matches all_pairs(const search::ReadyRows& ready, const SearchOptions& options,
                  const search::Saving& saving, core::Run& run) {
  const std::size_t n = ready.set().rows.size();
  if (options.border && (*options.border == 0 || *options.border >= n))
    return no_matches(n, options);
  const auto rows = ready.under(options.question.measure, run);
  const auto row_by_row = [&] {
    return search::knn_row_by_row(*rows, ready.set().rows, options, saving, run);
  };
  const bool with_bow = options.question.bow_share > 0;
  if (facts(options.question.measure.kind).whole_plan || with_bow) return row_by_row();
  try {
    Matches matches(rows->rows(), options.top);
    if (search::knn(*rows, options, saving, run, matches)) return matches;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit) throw;
    // Within this budget what was saved leads here again.
    if (!saving.checkpoint.file.empty()) std::filesystem::remove(saving.checkpoint.file);
  }
  // No room for the lists of all rows and tiles of pairs: a few queries need much less.
  return row_by_row();
}

// The rows of a part against each other.
Matches part_pairs(const RowPart& part, std::size_t all, const SearchOptions& options,
                   search::Saving saving, core::Run& run) {
  SearchOptions within_part = options;
  within_part.among = {};
  if (options.border) {
    const auto first = std::ranges::lower_bound(part.rows(), *options.border);
    within_part.border = static_cast<std::size_t>(first - part.rows().begin());
  }
  if (!options.limits.empty()) {
    std::vector<double> limits;
    for (const std::uint32_t row : part.rows()) limits.push_back(options.limits[row]);
    within_part.limits = Array(std::move(limits));
  }
  saving.work.add(part.rows().size());  // what is saved are numbers within the part
  Matches matches = all_pairs(part.ready(), within_part, saving, run);
  part.number_as_whole(matches);
  return search::spread(std::move(matches), part.rows(), all);
}

// Everything that the matches of all rows depend on.
core::Fingerprint fingerprint(const Index& index, std::string_view backend,
                              const SearchOptions& options) {
  core::Fingerprint work;
  work.add(index.vocabulary.coordinates().span());
  work.add(index.rows.offsets().span());
  work.add(index.rows.coordinates().span());
  work.add(index.rows.weights().span());
  work.add(index.rows.masses().span());
  work.add(backend);
  core::add(options.question, work);
  work.add(options.top);
  work.add(options.among.span());
  work.add(options.limits.span());
  if (options.border) work.add(*options.border);
  if (!std::isinf(options.within)) work.add(options.within);
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

void Searcher::prepare(const Question& question, const RunOptions& run,
                       const Array<std::uint8_t>& among) const {
  search::check_choice(among, index().rows.size());
  const Question asked = state_->settled(question);
  Call call(run, state_->workspaces);
  const auto prepare_rows = [&](const search::ReadyRows& ready) {
    ready.under(asked.measure, call.run)->prepare(search::task_of(asked, run.batch), call.run);
  };
  const SharedRows rows = state_->rows.all();
  const auto in_all = [&] { prepare_rows(rows->all()); };
  search::PartWanted wanted{search::rows_left(among)};
  if (wanted.rows.empty()) return among.empty() ? in_all() : void();
  in_part_or_all(
      *rows, std::move(wanted), call.run, [&](const RowPart& part) { prepare_rows(part.ready()); },
      in_all);
}

Matches Searcher::search(const Histograms& queries, const SearchOptions& options) const {
  return search(queries, index().vocabulary, options);
}

Matches Searcher::search(const Histograms& queries, const Vocabulary& vocabulary,
                         const SearchOptions& options) const {
  check_queries(vocabulary, queries);
  check_weights(queries);
  check_options(index(), queries.size(), options);
  const SearchOptions asked = state_->settled(options);
  check_masses(queries, asked.question);
  check_price(index(), vocabulary, asked.question);
  Call call(options.run, state_->workspaces);
  return state_->ask(queries, vocabulary, call.run,
                     [&](const search::SearchedRows& rows, const Histograms& own) {
                       return run_queries(rows, {&own, {}}, asked, call.run);
                     });
}

Matches Searcher::search_rows(std::span<const std::uint32_t> rows,
                              const SearchOptions& options) const {
  for (const std::uint32_t row : rows)
    if (row >= index().rows.size())
      throw Error(ErrorCode::usage, "row " + std::to_string(row) +
                                        " does not exist; the index has " +
                                        std::to_string(index().rows.size()) + " rows");
  const SharedRows all = state_->rows.all();
  const Histograms queries = core::chosen_rows(all->all().set().rows, rows);
  check_weights(queries);
  check_options(index(), queries.size(), options);
  const SearchOptions asked = state_->settled(options);
  Call call(options.run, state_->workspaces);
  return run_queries(*all, {&queries, rows}, asked, call.run);
}

Matches Searcher::knn(const SearchOptions& given, const Checkpoint& checkpoint) const {
  const std::size_t n = index().rows.size();
  check_options(index(), n, given);
  const SearchOptions options = state_->settled(given);
  if (options.top == uncut)
    throw Error(ErrorCode::usage, "all rows against all need a number of matches for each");
  search::Saving saving{checkpoint};
  if (!checkpoint.file.empty()) saving.work = fingerprint(index(), state_->backend.name(), options);
  Call call(options.run, state_->workspaces);
  const SharedRows rows = state_->rows.all();
  const auto in_all = [&] { return all_pairs(rows->all(), options, saving, call.run); };
  if (options.among.empty()) return in_all();
  search::PartWanted wanted{search::rows_left(options.among)};
  if (wanted.rows.empty()) return no_matches(n, options);
  return in_part_or_all(
      *rows, std::move(wanted), call.run,
      [&](const RowPart& part) { return part_pairs(part, n, options, saving, call.run); }, in_all);
}

std::uint64_t Searcher::distances(const MatrixRange& range, const Question& question,
                                  const RunOptions& run, const DistanceSink& sink) const {
  const Question asked = state_->settled(question);
  Call call(run, state_->workspaces);
  const SharedRows rows = state_->rows.all();
  return search::fill_matrix(*rows->all().under(asked.measure, call.run), rows->all().set().rows,
                             range, asked, call.run, sink);
}

std::uint64_t Searcher::distances(const Histograms& queries, std::size_t row_begin,
                                  std::size_t row_end, const Question& question,
                                  const RunOptions& run, const LineSink& sink) const {
  return distances(queries, index().vocabulary, {row_begin, row_end}, question, run, sink);
}

std::uint64_t Searcher::distances(const Histograms& queries, const Vocabulary& vocabulary,
                                  const RowRange& range, const Question& question,
                                  const RunOptions& run, const LineSink& sink) const {
  const Question asked = state_->settled(question);
  check_queries(vocabulary, queries);
  check_masses(queries, asked);
  Call call(run, state_->workspaces);
  const SharedRows rows = state_->rows.with(vocabulary, call.run);
  const Histograms own = renumbered(queries, vocabulary, rows->all().set().vocabulary);
  return search::fill_matrix(*rows->all().under(asked.measure, call.run), own,
                             core::Range{range.begin, range.end}, asked, call.run, sink);
}

}  // namespace navvy
