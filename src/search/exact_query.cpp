#include "search/exact_query.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/clock.hpp"

namespace navvy::search {
namespace {

// Rows solved between two looks at the bounds. Fixed, so that what is solved does not depend on
// the threads; as many as potentials are evaluated together.
constexpr std::size_t solve_batch = PotentialBounds::lanes;

// Rows refined at a time: the dear bounds cost a small part of a solve.
constexpr std::size_t refine_batch = 64;

}  // namespace

ExactQuery::ExactQuery(const Engine& engine, const SearchOptions& options,
                       const BoundSwitches& switches, core::Budget& budget, core::ThreadPool& pool,
                       core::Monitor& monitor)
    : engine_(engine),
      options_(options),
      switches_(switches),
      levels_(static_cast<std::size_t>(switches.iterations) + 1),
      pool_(pool),
      monitor_(monitor),
      budget_((budget.take(memory(engine, switches), "the bounds of a query"), budget)),
      relaxed_(relaxed_bounds(engine, switches.iterations, pool.threads())),
      potentials_(engine, *relaxed_),
      rows_(engine.rows, options) {
  for (unsigned thread = 0; thread < pool.threads(); ++thread)
    workers_.push_back({pairwise::MetricEmd(engine.index.vocabulary, engine.threshold), {}});
}

std::uint64_t ExactQuery::memory(const Engine& engine, const BoundSwitches& switches) {
  return relaxed_bounds_memory(engine, switches.iterations) +
         PotentialBounds::memory(engine.index.vocabulary.size()) +
         ExactRows::memory(engine.rows.rows());
}

std::uint64_t ExactQuery::memory_for(const Engine& engine, std::size_t bins, unsigned threads) {
  return relaxed_query_memory(engine, bins, threads) +
         PotentialBounds::memory(engine.index.vocabulary.size(), bins);
}

std::vector<ExactMatch> ExactQuery::run(const Histogram& query, std::uint32_t own_row,
                                        Proof& proof) {
  start_ = Clock::now();
  proof_ = &proof;
  set_query(query);
  rows_.start(own_row);
  proof.rows = rows_.open().size();
  if (options_.top > 0) {
    bound_by_projections();
    if (!engine_.exact->projections || !switches_.projections) bound_into_query();
    if (switches_.greedy) bound_greedily(2 * options_.top);
    rows_.drop_hopeless();
    if (engine_.exact->projections && switches_.projections) bound_into_query();
    search_open_rows();
  }
  proof.undecided = rows_.open().size();
  // Where the search was stopped, rows without a plan may be nearer than those with one.
  if (proof.undecided > 0) bound_greedily(2 * options_.top);
  std::vector<ExactMatch> result = rows_.answer();
  proof.matches = result.size();
  proof.certain = rows_.count_certain(result);
  proof.seconds = seconds_since(start_);
  return result;
}

void ExactQuery::set_query(const Histogram& query) {
  query_ = query;
  pairwise::normalize(query.weights, query_weights_);
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
  core::Budget(budget_).take(memory_for(engine_, coordinates_.size(), pool_.threads()),
                             "the distances of a query to all coordinates");
  const Histogram with_weight{coordinates_, weights_};
  const auto from = Clock::now();
  relaxed_->set_query(with_weight, pool_, monitor_);
  potentials_.set_query(with_weight);
  note("phase 1", 0, from);
}

template <class Body>
void ExactQuery::for_blocks(std::span<Open> rows, std::size_t block, const Body& body) {
  pool_.run((rows.size() + block - 1) / block,
            [&](std::size_t b, unsigned thread) {
              body(rows.subspan(b * block, std::min(block, rows.size() - b * block)), thread);
            },
            &monitor_);
}

// Sums over the bins of a row and over levels are off by a unit per addition; a weight that is
// compared with a sum of weights moves mass by a unit per level over at most the diameter; and
// masses that are not exactly 1 count in full.
double ExactQuery::safe(float cost, std::uint32_t row, std::size_t levels) const {
  constexpr double unit = 0x1p-24;
  const auto summed = static_cast<double>(most_bins(row) + levels + 8);
  const double relative = relaxed_->relative_error() + summed * unit;
  const double moved = static_cast<double>(levels + 4) * unit +
                       std::abs(engine_.exact->masses[row] - 1) + std::abs(query_mass_ - 1);
  return static_cast<double>(cost) * (1 - relative) - moved * engine_.exact->diameter;
}

std::size_t ExactQuery::most_bins(std::uint32_t row) const {
  return std::max(engine_.rows.sources()[row].size(), coordinates_.size());
}

void ExactQuery::bound_by_projections() {
  if (!engine_.exact->projections || !switches_.projections) return;
  const auto from = Clock::now();
  const Projections& projections = *engine_.exact->projections;
  const std::vector<float> shadow = projections.shadow({coordinates_, weights_});
  for_blocks(rows_.open(), 1024, [&](std::span<Open> rows, unsigned) {
    for (Open& open : rows)
      rows_.raise(open,
                  static_cast<double>(projections.distance(shadow, open.row)) * (1 - 0x1p-18) -
                      projections.error());
  });
  note("projections", rows_.open().size(), from);
}

void ExactQuery::bound_into_query() {
  if (!switches_.into_query) return;
  const auto from = Clock::now();
  constexpr std::size_t block = 256;
  for_blocks(rows_.open(), block, [&](std::span<Open> rows, unsigned thread) {
    std::uint32_t ids[block];
    float costs[block];
    for (std::size_t i = 0; i < rows.size(); ++i) ids[i] = rows[i].row;
    relaxed_->into_query(std::span(ids, rows.size()), std::span(costs, rows.size()), thread);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows_.raise(rows[i], safe(costs[i], ids[i], levels_));
  });
  note("relaxed into query", rows_.open().size(), from);
}

pairwise::MetricEmd& ExactQuery::set_pair(std::uint32_t row, unsigned thread) {
  Worker& worker = workers_[thread];
  const Histogram histogram = engine_.index.rows[row];
  pairwise::normalize(histogram.weights, worker.weights);
  worker.emd.set_pair(histogram, worker.weights, query_, query_weights_);
  return worker.emd;
}

// Costs of greedy plans for the rows with the least bounds.
void ExactQuery::bound_greedily(std::size_t count) {
  const auto from = Clock::now();
  const std::span<Open> rows = rows_.nearest(count);
  std::vector<double> costs(rows.size());
  for_blocks(rows, 1, [&](std::span<Open> one, unsigned thread) {
    const double cost = set_pair(one[0].row, thread).greedy_cost();
    // Room for the rounding of both solvers, which work in double.
    costs[static_cast<std::size_t>(one.data() - rows.data())] =
        cost * (1 + 0x1p-40) + 0x1p-40 * engine_.exact->diameter;
  });
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows_.has_upper(rows[i].row)) rows_.set_upper(rows[i].row, costs[i], false);
  note("greedy", rows.size(), from);
}

bool ExactQuery::stopped() const {
  return (options_.max_solves > 0 && proof_->solves >= options_.max_solves) ||
         (options_.deadline > 0 && seconds_since(start_) >= options_.deadline);
}

void ExactQuery::search_open_rows() {
  for (rows_.drop_hopeless(); !rows_.open().empty() && !stopped(); rows_.drop_hopeless()) {
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
  if (!switches_.into_row && !switches_.ict) return false;
  if (std::ranges::all_of(rows_.nearest(solve_batch), &Open::refined)) return false;
  const auto from = Clock::now();
  const std::span<Open> next = rows_.nearest(count);
  const auto refined = static_cast<std::size_t>(std::ranges::count(next, false, &Open::refined));
  for_blocks(next, 4, [&](std::span<Open> rows, unsigned thread) {
    for (Open& open : rows) {
      if (open.refined) continue;
      if (switches_.into_row)
        rows_.raise(open, safe(relaxed_->into_row(open.row, thread), open.row, levels_));
      if (switches_.ict)
        rows_.raise(open, safe(relaxed_->ict(open.row, thread), open.row, most_bins(open.row)));
      open.refined = true;
    }
  });
  note(switches_.ict ? "ict" : "relaxed into row", refined, from);
  return true;
}

void ExactQuery::solve(std::size_t count) {
  const auto from = Clock::now();
  const std::span<Open> next = rows_.nearest_sorted(count);
  count = next.size();
  std::vector<double> distances(count);
  std::vector<std::vector<double>> g(count);
  for_blocks(next, 1, [&](std::span<Open> rows, unsigned thread) {
    const auto i = static_cast<std::size_t>(rows.data() - next.data());
    pairwise::MetricEmd& emd = set_pair(rows[0].row, thread);
    distances[i] = emd.solve(&monitor_);
    std::vector<double> all;
    if (switches_.potentials) emd.potentials(all);
    for (const std::uint32_t bin : positions_)
      if (!all.empty()) g[i].push_back(all[bin]);
  });
  for (std::size_t i = 0; i < count; ++i) rows_.set_upper(next[i].row, distances[i], true);
  rows_.close_first(count);
  proof_->solves += count;
  note("emd", count, from);
  rows_.drop_hopeless();
  // Equal histograms leave no function.
  std::erase_if(g, [](const std::vector<double>& values) {
    return std::ranges::none_of(values, [](double value) { return std::isfinite(value); });
  });
  if (!g.empty() && !rows_.open().empty()) bound_by_potentials(g);
}

void ExactQuery::bound_by_potentials(std::span<const std::vector<double>> g) {
  const auto from = Clock::now();
  std::vector<std::uint32_t> rows;
  for (const Open& open : rows_.open()) rows.push_back(open.row);
  potentials_.set_functions(g, rows, pool_);
  for_blocks(rows_.open(), 128, [&](std::span<Open> some, unsigned) {
    for (Open& open : some) rows_.raise(open, potentials_.lower_bound(open.row));
  });
  note("potentials", rows_.open().size(), from);
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
