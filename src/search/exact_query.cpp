#include "search/exact_query.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace navvy::search {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Rows solved between two looks at the bounds. Fixed, so that what is solved does not depend on
// the threads; as many as potentials are evaluated together.
constexpr std::size_t solve_batch = PotentialBounds::lanes;

// Rows refined at a time: the dear bounds cost a small part of a solve.
constexpr std::size_t refine_batch = 64;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void normalize(std::span<const float> weights, std::vector<double>& result) {
  double sum = 0;
  for (const float weight : weights) sum += static_cast<double>(weight);
  result.clear();
  for (const float weight : weights) result.push_back(static_cast<double>(weight) / sum);
}

}  // namespace

ExactQuery::ExactQuery(const Engine& engine, const SearchOptions& options,
                       const BoundSwitches& switches, core::Budget& budget, core::ThreadPool& pool,
                       core::Monitor& monitor)
    : engine_(engine),
      options_(options),
      switches_(switches),
      pool_(pool),
      monitor_(monitor),
      budget_(budget),
      relaxed_(relaxed_bounds(engine, switches.iterations, budget, pool.threads())),
      potentials_(engine, *relaxed_) {
  const std::size_t n = engine.rows.rows();
  budget_.take(PotentialBounds::memory(engine.index.vocabulary.size()) +
                   std::uint64_t{n} * (sizeof(double) + sizeof(Open) + sizeof(std::uint32_t)),
               "the bounds of a query");
  for (unsigned thread = 0; thread < pool.threads(); ++thread)
    workers_.push_back({pairwise::MetricEmd(engine.index.vocabulary), {}});
  place_.assign(n, Matches::no_row);
}

std::vector<ExactMatch> ExactQuery::run(const Histogram& query, std::uint32_t own_row,
                                        Proof& proof) {
  start_ = Clock::now();
  proof_ = &proof;
  set_query(query);
  open_rows(own_row);
  proof.rows = open_.size();
  if (options_.top > 0) {
    bound_by_projections();
    if (!engine_.exact->projections || !switches_.projections) bound_into_query();
    if (switches_.greedy) bound_greedily(2 * options_.top);
    drop_hopeless();
    if (engine_.exact->projections && switches_.projections) bound_into_query();
    search_open_rows();
  }
  proof.undecided = open_.size();
  std::vector<ExactMatch> result = answer();
  proof.matches = result.size();
  proof.certain = count_certain(result);
  return result;
}

void ExactQuery::set_query(const Histogram& query) {
  query_ = query;
  normalize(query.weights, query_weights_);
  positions_.clear();
  coordinates_.swap(old_coordinates_);
  coordinates_.clear();
  weights_.clear();
  query_mass_ = 0;
  for (std::uint32_t bin = 0; bin < query.size(); ++bin) {
    if (query.weights[bin] == 0) continue;
    positions_.push_back(bin);
    coordinates_.push_back(query.coordinates[bin]);
    weights_.push_back(query.weights[bin]);
    query_mass_ += static_cast<double>(query.weights[bin]);
  }
  core::Budget(budget_).take(
      PotentialBounds::memory(engine_.index.vocabulary.size(), coordinates_.size()),
      "the distances of a query to all coordinates");
  const Histogram with_weight{coordinates_, weights_};
  const auto from = Clock::now();
  relaxed_->set_query(with_weight, pool_, monitor_);
  potentials_.set_query(with_weight);
  note("phase 1", 0, from);
}

void ExactQuery::open_rows(std::uint32_t own_row) {
  for (const ExactMatch& match : known_) place_[match.row] = Matches::no_row;
  known_.clear();
  threshold_ = infinity;
  open_.clear();
  lower_.assign(engine_.rows.rows(), infinity);
  for (std::uint32_t row = 0; row < engine_.rows.rows(); ++row) {
    if (row == own_row || engine_.rows.is_empty(row)) continue;
    lower_[row] = 0;
    open_.push_back({0, row, false});
  }
}

template <class Body>
void ExactQuery::for_open_rows(std::size_t count, std::size_t block, const Body& body) {
  count = std::min(count, open_.size());
  pool_.run((count + block - 1) / block,
            [&](std::size_t b, unsigned thread) {
              body(std::span(open_).subspan(b * block, std::min(block, count - b * block)), thread);
            },
            &monitor_);
}

// Sums over the bins of a row and over levels are off by a unit per addition; a weight that is
// compared with a sum of weights moves mass by a unit per level over at most the diameter; and
// masses that are not exactly 1 count in full.
double ExactQuery::safe(float cost, std::uint32_t row) const {
  constexpr double unit = 0x1p-24;
  const auto levels = static_cast<double>(switches_.iterations + 1);
  const auto bins =
      static_cast<double>(std::max(engine_.rows.sources()[row].size(), coordinates_.size()));
  const double relative = relaxed_->relative_error() + (bins + levels + 8) * unit;
  const double moved =
      (levels + 4) * unit + std::abs(engine_.exact->masses[row] - 1) + std::abs(query_mass_ - 1);
  return static_cast<double>(cost) * (1 - relative) - moved * engine_.exact->diameter;
}

void ExactQuery::raise(Open& open, double lower) {
  open.lower = std::max(open.lower, lower);
  lower_[open.row] = open.lower;
}

void ExactQuery::bound_by_projections() {
  if (!engine_.exact->projections || !switches_.projections) return;
  const auto from = Clock::now();
  const Projections& projections = *engine_.exact->projections;
  const std::vector<float> shadow = projections.shadow({coordinates_, weights_});
  for_open_rows(open_.size(), 1024, [&](std::span<Open> rows, unsigned) {
    for (Open& open : rows)
      raise(open, static_cast<double>(projections.distance(shadow, open.row)) * (1 - 0x1p-18) -
                      projections.error());
  });
  note("projections", open_.size(), from);
}

void ExactQuery::bound_into_query() {
  if (!switches_.into_query) return;
  const auto from = Clock::now();
  constexpr std::size_t block = 256;
  for_open_rows(open_.size(), block, [&](std::span<Open> rows, unsigned thread) {
    std::uint32_t ids[block];
    float costs[block];
    for (std::size_t i = 0; i < rows.size(); ++i) ids[i] = rows[i].row;
    relaxed_->into_query(std::span(ids, rows.size()), std::span(costs, rows.size()), thread);
    for (std::size_t i = 0; i < rows.size(); ++i) raise(rows[i], safe(costs[i], ids[i]));
  });
  note("relaxed into query", open_.size(), from);
}

pairwise::MetricEmd& ExactQuery::set_pair(std::uint32_t row, unsigned thread) {
  Worker& worker = workers_[thread];
  const Histogram histogram = engine_.index.rows[row];
  normalize(histogram.weights, worker.weights);
  worker.emd.set_pair(histogram, worker.weights, query_, query_weights_);
  return worker.emd;
}

void ExactQuery::set_upper(std::uint32_t row, double upper, bool exact) {
  if (place_[row] == Matches::no_row) {
    place_[row] = static_cast<std::uint32_t>(known_.size());
    known_.push_back({row, 0, infinity, false});
  }
  ExactMatch& match = known_[place_[row]];
  match.upper = upper;
  match.exact = exact;
  if (exact) lower_[row] = upper;
}

// Costs of greedy plans for the rows with the least bounds.
void ExactQuery::bound_greedily(std::size_t count) {
  const auto from = Clock::now();
  bring_forward(count);
  count = std::min(count, open_.size());
  std::vector<double> costs(count);
  for_open_rows(count, 1, [&](std::span<Open> rows, unsigned thread) {
    const double cost = set_pair(rows[0].row, thread).greedy_cost();
    // Room for the rounding of both solvers, which work in double.
    costs[static_cast<std::size_t>(rows.data() - open_.data())] =
        cost * (1 + 0x1p-40) + 0x1p-40 * engine_.exact->diameter;
  });
  for (std::size_t i = 0; i < count; ++i)
    if (place_[open_[i].row] == Matches::no_row) set_upper(open_[i].row, costs[i], false);
  note("greedy", count, from);
}

// The rows with the least bounds come first, in no order.
void ExactQuery::bring_forward(std::size_t count) {
  if (count < open_.size())
    std::nth_element(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(count),
                     open_.end());
}

void ExactQuery::drop_hopeless() {
  if (known_.size() >= options_.top) {
    std::vector<double> uppers;
    for (const ExactMatch& match : known_) uppers.push_back(match.upper);
    const auto last = uppers.begin() + static_cast<std::ptrdiff_t>(options_.top - 1);
    std::nth_element(uppers.begin(), last, uppers.end());
    threshold_ = *last;
  }
  std::erase_if(
      open_, [&](const Open& open) { return open.lower * (1 + options_.tolerance) > threshold_; });
}

bool ExactQuery::stopped() const {
  return (options_.max_solves > 0 && proof_->solves >= options_.max_solves) ||
         (options_.deadline > 0 && seconds_since(start_) >= options_.deadline);
}

void ExactQuery::search_open_rows() {
  for (drop_hopeless(); !open_.empty() && !stopped(); drop_hopeless()) {
    std::size_t count = solve_batch;
    if (options_.max_solves > 0)
      count = static_cast<std::size_t>(
          std::min<std::uint64_t>(count, options_.max_solves - proof_->solves));
    if (!refine(std::max(count, refine_batch))) solve(count);
  }
}

// Applies the dear bounds to the rows that are next to be solved. Returns whether there were any
// that did not have them yet among the very next.
bool ExactQuery::refine(std::size_t count) {
  if (!switches_.into_row) return false;
  bring_forward(solve_batch);
  const auto next = std::span(open_).first(std::min(solve_batch, open_.size()));
  if (std::ranges::all_of(next, &Open::refined)) return false;
  const auto from = Clock::now();
  bring_forward(count);
  std::size_t refined = 0;
  for (std::size_t i = 0; i < std::min(count, open_.size()); ++i) refined += !open_[i].refined;
  for_open_rows(count, 4, [&](std::span<Open> rows, unsigned thread) {
    for (Open& open : rows) {
      if (open.refined) continue;
      raise(open, safe(relaxed_->into_row(open.row, thread), open.row));
      open.refined = true;
    }
  });
  note("relaxed into row", refined, from);
  return true;
}

void ExactQuery::solve(std::size_t count) {
  const auto from = Clock::now();
  bring_forward(count);
  count = std::min(count, open_.size());
  std::sort(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<double> distances(count);
  std::vector<std::vector<double>> g(count);
  for_open_rows(count, 1, [&](std::span<Open> rows, unsigned thread) {
    const auto i = static_cast<std::size_t>(rows.data() - open_.data());
    pairwise::MetricEmd& emd = set_pair(rows[0].row, thread);
    distances[i] = emd.solve();
    std::vector<double> all;
    if (switches_.potentials) emd.potentials(all);
    for (const std::uint32_t bin : positions_)
      if (!all.empty()) g[i].push_back(all[bin]);
  });
  for (std::size_t i = 0; i < count; ++i) set_upper(open_[i].row, distances[i], true);
  open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(count));
  proof_->solves += count;
  note("emd", count, from);
  drop_hopeless();
  // Equal histograms leave no function.
  std::erase_if(g, [](const std::vector<double>& values) {
    return std::ranges::none_of(values, [](double value) { return std::isfinite(value); });
  });
  if (!g.empty() && !open_.empty()) bound_by_potentials(g);
}

void ExactQuery::bound_by_potentials(std::span<const std::vector<double>> g) {
  const auto from = Clock::now();
  std::vector<std::uint32_t> rows;
  for (const Open& open : open_) rows.push_back(open.row);
  potentials_.set_functions(g, rows, pool_);
  for_open_rows(open_.size(), 128, [&](std::span<Open> some, unsigned) {
    for (Open& open : some) raise(open, potentials_.lower_bound(open.row));
  });
  note("potentials", open_.size(), from);
}

std::vector<ExactMatch> ExactQuery::answer() {
  // Where the search was stopped, rows without a plan may be nearer than those with one.
  if (!open_.empty()) bound_greedily(2 * options_.top);
  std::vector<ExactMatch> result = known_;
  for (ExactMatch& match : result) match.lower = std::max(0.0, lower_[match.row]);
  const auto end =
      result.begin() + static_cast<std::ptrdiff_t>(std::min(options_.top, result.size()));
  std::partial_sort(result.begin(), end, result.end());
  result.erase(end, result.end());
  return result;
}

// A row is certain to be among the nearest when fewer than `top` others can come before it.
std::uint64_t ExactQuery::count_certain(std::span<const ExactMatch> answer) const {
  std::vector<ExactMatch> others;  // that can come before the last of the answer
  if (answer.empty()) return 0;
  const double last = answer.back().upper;
  for (std::uint32_t row = 0; row < lower_.size(); ++row) {
    if (lower_[row] > last) continue;
    const bool exact = place_[row] != Matches::no_row && known_[place_[row]].exact;
    others.push_back({row, lower_[row], 0, exact});
  }
  std::uint64_t certain = 0;
  for (const ExactMatch& match : answer) {
    std::size_t before = 0;
    for (const ExactMatch& other : others) {
      if (other.row == match.row) continue;
      const bool tie_is_settled = other.exact && match.exact && other.row > match.row;
      before += other.lower < match.upper || (other.lower == match.upper && !tie_is_settled);
    }
    certain += before < options_.top;
  }
  return certain;
}

void ExactQuery::note(const std::string& stage, std::size_t rows, Clock::time_point from) {
  add_stage({stage, rows, seconds_since(from)}, proof_->stages);
}

void add_stage(const SearchCounters::Stage& stage, std::vector<SearchCounters::Stage>& stages) {
  auto place = std::ranges::find(stages, stage.measure, &SearchCounters::Stage::measure);
  if (place == stages.end()) place = stages.insert(stages.end(), {stage.measure, 0, 0});
  place->rows += stage.rows;
  place->seconds += stage.seconds;
}

}  // namespace navvy::search
