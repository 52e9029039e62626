// Phase 1 of one query slab by slab; its distances to all words serve both directions.
#include "backends/cpu/queries/slab_query.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/pieces.hpp"

namespace navvy::backends {
namespace {

using kernels::slab_rows;

std::size_t table_size(const SlabGround& ground, const Levels& levels) {
  return ground.slabs() * slab_rows * 2 * table_width(levels);
}

}  // namespace

SlabQuery::SlabQuery(const Engine& engine, Levels levels, Destinations destinations, core::Run& run)
    : engine_(engine),
      destinations_(destinations_of(engine, destinations)),
      levels_(levels),
      stored_(static_cast<std::size_t>(levels.count) + (levels.finish ? 1 : 0)),
      width_(table_width(levels)),
      table_(run.buffer<float>(table_size(engine.slabs, levels), "the table of a query")),
      bin_distances_(engine.slabs),
      all_rows_(run.buffer<std::uint32_t>(engine.rows.rows(), "the rows of a query")) {
  std::fill_n(table_.data(), table_.size(), 0.0F);
  std::iota(all_rows_.data(), all_rows_.data() + all_rows_.size(), 0U);
  for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
    workers_.push_back({core::Buffer<float>(2 * stored_ * slab_rows),
                        TableWriter(engine.rows.kernels(), levels),
                        {SlabNearest(engine.slabs), SlabNearest(engine.slabs), {}},
                        {},
                        {},
                        {}});
}

std::uint64_t SlabQuery::memory(const Engine& engine, const Levels& levels) noexcept {
  return std::uint64_t{table_size(engine.slabs, levels)} * sizeof(float) +
         std::uint64_t{engine.rows.rows()} * sizeof(std::uint32_t);
}

void SlabQuery::set_query(const Histogram& query, core::Run& run) {
  query_ = query;
  ends_ = core::piece_ends(engine_.index.vocabulary, query);
  places_.resize(query.size());
  std::iota(places_.begin(), places_.end(), 0U);
  for (Worker& worker : workers_) worker.pairs.query.set_query(query);
  own_bins_.reset();
  if (!bin_distances_.set_query(query.coordinates, 0, run) && !levels_.finish) set_own_bins();
  bin_distances_.fill(run, [&](std::size_t slab, const float* squares, unsigned thread) {
    TableWriter& writer = workers_[thread].writer;
    engine_.rows.kernels().k_smallest(squares,
                                      {places_.data(), query_.weights.data(), query_.size()},
                                      stored_, levels_.overflow, writer.planes(0));
    writer.put(slab, width_, table_.data(), nullptr);
  });
}

void SlabQuery::set_own_bins() {
  const Vocabulary& all = engine_.index.vocabulary;
  std::vector<float> coordinates;
  coordinates.reserve(query_.size() * all.dimensions());
  for (const std::uint32_t id : query_.coordinates) {
    const auto coordinate = all.coordinate(id);
    coordinates.insert(coordinates.end(), coordinate.begin(), coordinate.end());
  }
  const Vocabulary own(all.dimensions(), Array(std::move(coordinates)));
  own_bins_.emplace(Ground::euclidean(own, engine_.threshold), engine_.rows.kernels());
}

void SlabQuery::into_query(std::size_t first, std::span<float> costs) const {
  this->costs(all_rows_.span().subspan(first, costs.size()), costs);
}

void SlabQuery::into_query(std::span<const std::uint32_t> rows, std::span<float> costs,
                           unsigned /*thread*/) {
  this->costs(rows, costs);
}

void SlabQuery::costs(std::span<const std::uint32_t> rows, std::span<float> costs) const {
  engine_.rows.kernels().candidate_costs(engine_.rows.whole_rows(), rows.data(), costs.size(),
                                         {table_.data(), width_}, costs.data());
}

float SlabQuery::into_query(std::uint32_t row, unsigned thread) {
  return workers_[thread].pairs.into_query(engine_.rows, row, charged(levels_, query_.size()),
                                           levels_.overflow);
}

// Words have the numbers of the query's bins: equal coordinates are at distance 0 by number.
void SlabQuery::pack_row(const Histogram& row, Worker& worker) const {
  constexpr std::uint32_t none = 0xffffffff;
  worker.words = engine_.slabs.pack(row.coordinates);
  worker.slab.require(worker.words.slab_size());
  worker.places.resize(row.size());
  std::iota(worker.places.begin(), worker.places.end(), 0U);
  const auto bins = query_.coordinates;
  for (std::size_t word = 0; word < row.size(); ++word) {
    const auto place = std::ranges::lower_bound(bins, row.coordinates[word]);
    const bool common = place != bins.end() && *place == row.coordinates[word];
    worker.words.ids[word] = common ? static_cast<std::uint32_t>(place - bins.begin()) : none;
  }
}

float SlabQuery::into_row(std::uint32_t row, unsigned thread) {
  Worker& worker = workers_[thread];
  const Histogram target = destinations_[row];
  if (levels_.finish) return worker.pairs.into_row(query_, ends_, target, levels_);
  const bool kept = bin_distances_.are_kept();
  if (!kept) pack_row(target, worker);
  const auto squares = [&](std::size_t bundle) -> const float* {
    if (kept) return bin_distances_.squares(bundle);
    own_bins_->squared_distances(bundle, worker.words, worker.slab.data());
    return worker.slab.data();
  };
  const kernels::QueryBins bins{kept ? target.coordinates.data() : worker.places.data(),
                                target.weights.data(), target.size()};
  std::size_t filled = query_.size();  // the bundle of bins that the planes hold; none yet
  return worker.pairs.cost(
      query_, ends_, static_cast<std::size_t>(levels_.count),
      [&](std::size_t bin, std::span<float> capacities, std::span<float> steps) {
        float* planes = worker.planes.data();
        const std::size_t bundle = bin / slab_rows;
        if (bundle != filled)
          engine_.rows.kernels().k_smallest(squares(bundle), bins, stored_, levels_.overflow,
                                            planes);
        filled = bundle;
        const std::size_t lane = bin % slab_rows;
        for (std::size_t level = 0; level < steps.size(); ++level) {
          capacities[level] = level == 0 ? 0 : planes[(stored_ + level - 1) * slab_rows + lane];
          steps[level] = planes[level * slab_rows + lane];
        }
        return steps.size();
      });
}

float SlabQuery::ict(std::uint32_t row, unsigned thread) {
  return workers_[thread].pairs.ict(query_, ends_, engine_.rows, row);
}

}  // namespace navvy::backends
