// One exact query: bounds from below for all rows, plans from above, solves in the order of bounds.
#include "search/exact/query.hpp"

#include <algorithm>
#include <utility>

#include "core/clock.hpp"
#include "search/answers.hpp"

namespace navvy::search {
namespace {

using backends::Bound;

// Rows refined at a time: the dear bounds cost a small part of a solve.
constexpr std::size_t refine_batch = 64;

constexpr std::size_t bytes_per_value = sizeof(std::uint32_t) + sizeof(double);

const char* name_of(Bound bound) {
  switch (bound) {
    case Bound::projections:
      return "projections";
    case Bound::into_query:
      return "relaxed into query";
    case Bound::into_row:
      return "relaxed into row";
    case Bound::ict:
      return "ict";
    case Bound::potentials:
      return "potentials";
  }
  return "";
}

backends::SolverOptions solver_options(const BoundSwitches& switches) {
  return {.iterations = switches.iterations, .potentials = switches.potentials, .prepared = true};
}

std::uint64_t memory_of_lists(std::size_t rows) {
  return ExactRows::memory(rows) + std::uint64_t{rows} * bytes_per_value;
}

}  // namespace

std::unique_ptr<backends::Solver> solver_for(const ExactScope& scope, core::Run& run) {
  return scope.rows.solver(task_of(scope.options), solver_options(scope.switches), run);
}

ExactQuery::ExactQuery(const ExactScope& scope, std::unique_ptr<backends::Solver> solver,
                       core::Run run)
    : options_(scope.options),
      switches_(scope.switches),
      run_(std::move(run)),
      reserved_(run_.budget.reserve(memory_of_lists(scope.rows.rows()), "lists of open rows")),
      solver_(std::move(solver)),
      rows_(scope.rows.rows(), scope.may_match, scope.options) {}

std::uint64_t ExactQuery::memory(const ExactScope& scope, std::size_t bins, core::Run& run) {
  return memory_of_lists(scope.rows.rows()) +
         scope.rows.solver_memory(task_of(scope.options), solver_options(scope.switches), bins,
                                  run);
}

std::vector<ExactMatch> ExactQuery::run(const Query& query, Proof& proof) {
  start_ = core::Clock::now();
  proof_ = &proof;
  solver_->set_query(query.histogram, run_);
  rows_.start(query.own_row, query.limit);
  proof.rows = rows_.open().size();
  if (options_.top > 0) {
    bound_all();
    search_open_rows();
  }
  proof.undecided = rows_.open().size();
  // Where the search was stopped, rows without a plan may be nearer than those with one.
  if (proof.undecided > 0) bound_from_above(2 * options_.top);
  std::vector<ExactMatch> result = rows_.answer();
  proof.matches = result.size();
  proof.certain = rows_.count_certain(result);
  proof.beyond = rows_.least_outside(result);
  proof.seconds = core::seconds_since(start_);
  return result;
}

bool ExactQuery::uses(Bound bound) const noexcept {
  const auto switched_on = [&] {
    switch (bound) {
      case Bound::projections:
        return switches_.projections;
      case Bound::into_query:
        return switches_.into_query;
      case Bound::into_row:
        return switches_.into_row;
      case Bound::ict:
        return switches_.ict;
      case Bound::potentials:
        return switches_.potentials;
    }
    return false;
  };
  return switched_on() && solver_->offers(bound);
}

// The cheapest bounds first, for all rows; those that cost more only for rows that some plans do
// not leave behind.
void ExactQuery::bound_all() {
  const bool projected = uses(Bound::projections);
  raise(projected ? Bound::projections : Bound::into_query, rows_.open());
  // Where mass is moved into rows alone, no bound is cheaper.
  if (!projected && !solver_->offers(Bound::into_query)) refine_all();
  // Where every row has a place in the list, plans leave none behind.
  if (switches_.greedy && options_.top < rows_.open().size()) bound_from_above(2 * options_.top);
  rows_.drop_hopeless();
  if (projected) raise(Bound::into_query, rows_.open());
}

bool ExactQuery::stopped() const {
  return (options_.exact.max_solves > 0 && proof_->solves >= options_.exact.max_solves) ||
         (options_.exact.deadline > 0 && core::seconds_since(start_) >= options_.exact.deadline);
}

// Rows are solved in batches of a fixed size, so that which are solved does not depend on threads.
void ExactQuery::search_open_rows() {
  for (rows_.drop_hopeless(); !rows_.open().empty() && !stopped(); rows_.drop_hopeless()) {
    std::size_t count = solver_->batch();
    if (options_.exact.max_solves > 0)
      count = static_cast<std::size_t>(
          std::min<std::uint64_t>(count, options_.exact.max_solves - proof_->solves));
    if (!refine(std::max(count, refine_batch))) solve(count);
  }
}

// Applies the dear bounds to the rows that are next to be solved. Returns whether there were any
// that did not have them yet among the very next.
bool ExactQuery::refine(std::size_t count) {
  if (!uses(Bound::into_row) && !uses(Bound::ict)) return false;
  if (std::ranges::all_of(rows_.nearest(solver_->batch()), &Open::refined)) return false;
  const std::span<Open> next = rows_.nearest(count);
  const auto refined =
      std::partition(next.begin(), next.end(), [](const Open& open) { return !open.refined; });
  const std::span<Open> rest = next.first(static_cast<std::size_t>(refined - next.begin()));
  raise(Bound::into_row, rest);
  raise(Bound::ict, rest);
  for (Open& open : rest) open.refined = true;
  return true;
}

void ExactQuery::solve(std::size_t count) {
  const auto from = core::Clock::now();
  const std::span<Open> next = rows_.nearest_sorted(count);
  count = next.size();
  values_.resize(count);
  solver_->solve(numbers_of(next), values_, run_);
  for (std::size_t i = 0; i < count; ++i) rows_.set_upper(next[i].row, values_[i], true);
  rows_.close_first(count);
  proof_->solves += count;
  note("emd", count, from);
  rows_.drop_hopeless();
  raise(Bound::potentials, rows_.open());
}

void ExactQuery::refine_all() {
  raise(Bound::into_row, rows_.open());
  for (Open& open : rows_.open()) open.refined = true;
}

// Costs of plans for the rows with the least bounds.
void ExactQuery::bound_from_above(std::size_t count) {
  const auto from = core::Clock::now();
  const std::span<Open> rows = rows_.nearest(count);
  values_.resize(rows.size());
  solver_->plan_costs(numbers_of(rows), values_, run_);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows_.has_upper(rows[i].row)) rows_.set_upper(rows[i].row, values_[i], false);
  note("greedy", rows.size(), from);
}

void ExactQuery::raise(Bound bound, std::span<Open> rows) {
  if (!uses(bound) || rows.empty()) return;
  const auto from = core::Clock::now();
  values_.clear();
  for (const Open& open : rows) values_.push_back(open.lower);
  solver_->raise(bound, numbers_of(rows), values_, run_);
  for (std::size_t i = 0; i < rows.size(); ++i) rows_.raise(rows[i], values_[i]);
  note(name_of(bound), rows.size(), from);
}

std::span<const std::uint32_t> ExactQuery::numbers_of(std::span<const Open> rows) {
  numbers_.clear();
  for (const Open& open : rows) numbers_.push_back(open.row);
  return numbers_;
}

void ExactQuery::note(const char* stage, std::size_t rows, core::Clock::time_point from) {
  add_stage({stage, rows, core::seconds_since(from)}, proof_->stages);
}

}  // namespace navvy::search
