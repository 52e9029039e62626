// Phase 1 of one query slab by slab; its distances to all words serve both directions.
#include "backends/cpu/queries/slab_query.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "backends/cpu/ground/word_pieces.hpp"
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
      row_nearest_(engine, destinations_, levels, run.pool.threads()),
      all_rows_(run.buffer<std::uint32_t>(engine.rows.rows(), "the rows of a query")) {
  std::fill_n(table_.data(), table_.size(), 0.0F);
  std::iota(all_rows_.data(), all_rows_.data() + all_rows_.size(), 0U);
  for (unsigned thread = 0; thread < run.pool.threads(); ++thread)
    workers_.push_back({core::Buffer<float>(2 * stored_ * slab_rows),
                        TableWriter(engine.rows.kernels(), levels),
                        {SlabNearest(engine.slabs), SlabNearest(engine.slabs), {}}});
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
  if (!bin_distances_.set_query(query.coordinates, 0, run) && !levels_.finish)
    row_nearest_.set_query(query, run);
  bin_distances_.fill(
      run, [&](std::size_t slab, core::Range bins, const float* squares, unsigned thread) {
        pick(slab, bins, squares, workers_[thread].writer);
      });
}

void SlabQuery::pick(std::size_t slab, core::Range bins, const float* squares,
                     TableWriter& writer) {
  const kernels::KernelTable& kernels = engine_.rows.kernels();
  const kernels::QueryBins some{places_.data(), query_.weights.data() + bins.begin, bins.size()};
  if (bins.size() == query_.size()) {
    kernels.k_smallest(squares, some, stored_, levels_.overflow, writer.planes(0));
    writer.put(slab, width_, table_.data(), nullptr);
    return;
  }
  // The slabs that a thread has under way each have planes of their own.
  static_assert(WordPieces::slabs_together <= TableWriter::group);
  const std::size_t place = slab % WordPieces::slabs_together;
  float* planes = writer.planes(place);
  if (bins.begin == 0) {
    std::fill_n(planes, stored_ * slab_rows, std::numeric_limits<float>::infinity());
    std::fill_n(planes + stored_ * slab_rows, stored_ * slab_rows, 0.0F);
  }
  kernels.nearer(squares, some, stored_, planes);
  if (bins.end < query_.size()) return;
  kernels.finish_nearest(query_.size(), stored_, levels_.overflow, planes);
  writer.put(slab, width_, table_.data(), nullptr, place);
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

float SlabQuery::into_row(std::uint32_t row, unsigned thread) {
  Worker& worker = workers_[thread];
  const Histogram target = destinations_[row];
  if (levels_.finish) return worker.pairs.into_row(query_, ends_, target, levels_);
  const bool kept = bin_distances_.are_kept();
  if (!kept) row_nearest_.set_row(target, thread);
  const auto planes_of = [&](std::size_t bundle) -> const float* {
    if (!kept) return row_nearest_.planes(bundle, thread);
    engine_.rows.kernels().k_smallest(
        bin_distances_.squares(bundle),
        {target.coordinates.data(), target.weights.data(), target.size()}, stored_,
        levels_.overflow, worker.planes.data());
    return worker.planes.data();
  };
  const float* planes = nullptr;
  std::size_t filled = query_.size();  // the bundle of bins that the planes hold; none yet
  return worker.pairs.cost(
      query_, ends_, static_cast<std::size_t>(levels_.count),
      [&](std::size_t bin, std::span<float> capacities, std::span<float> steps) {
        const std::size_t bundle = bin / slab_rows;
        if (bundle != filled) planes = planes_of(bundle);
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
