// Fills slabs with all threads and turns them so that the bins of a coordinate stand together.
#include "backends/cpu/ground/bin_distances.hpp"

#include <algorithm>
#include <cmath>

namespace navvy::backends {
namespace {

using kernels::slab_rows;

std::size_t bundles_of(std::size_t bins) { return (bins + slab_rows - 1) / slab_rows; }

}  // namespace

std::uint64_t BinDistances::memory(const SlabGround& ground, std::size_t bins,
                                   unsigned threads) noexcept {
  return (ground.slabs() + threads) * bundles_of(bins) * slab_rows * slab_rows * sizeof(float);
}

bool BinDistances::set_query(std::span<const std::uint32_t> coordinates, std::uint64_t beside,
                             core::Run& run) {
  coordinates_ = coordinates;
  const std::size_t per_slab = bundles_of(coordinates.size()) * slab_rows * slab_rows;
  const std::size_t computed = SlabGround::slab_size(coordinates.size());
  // What must be there comes before what may.
  slabs_.resize(std::max<std::size_t>(slabs_.size(), run.pool.threads()));
  for (core::Buffer<float>& slab : slabs_) {
    if (std::max(per_slab, computed) > slab.size()) squares_ = core::Buffer<float>();
    run.require(slab, std::max(per_slab, computed), "the ground distances of a query");
  }
  const std::size_t all = per_slab * ground_.slabs();
  const std::uint64_t more = all > squares_.size() ? all * sizeof(float) : 0;
  kept_ = run.budget.fits(more + beside) && run.try_require(squares_, all);
  return kept_;
}

void BinDistances::fill(core::Run& run, const Visit& visit) {
  words_ = ground_.pack(coordinates_);
  // Nothing asks for the bins that fill the last bundle, but they are copied.
  for (core::Buffer<float>& slab : slabs_) std::fill_n(slab.data(), slab.size(), 0.0F);
  // Several slabs at once: one alone is done in microseconds.
  constexpr std::size_t step = 16;
  run.pool.run((ground_.slabs() + step - 1) / step,
               [&](std::size_t block, unsigned thread) {
                 float* squares = slabs_[thread].data();
                 const std::size_t last = std::min((block + 1) * step, ground_.slabs());
                 for (std::size_t slab = block * step; slab < last; ++slab) {
                   ground_.squared_distances(slab, words_, squares);
                   visit(slab, squares, thread);
                   if (kept_) keep(slab, squares);
                 }
               },
               &run.monitor);
}

void BinDistances::keep(std::size_t slab, const float* squares) {
  const std::size_t first = slab * slab_rows;
  for (std::size_t bundle = 0; bundle < bundles_of(coordinates_.size()); ++bundle)
    ground_.kernels().transpose(
        squares + bundle * slab_rows * slab_rows, slab_rows, slab_rows, slab_rows,
        const_cast<float*>(this->squares(bundle)) + first * slab_rows, slab_rows);
}

void BinDistances::line(std::uint32_t coordinate, std::span<float> out) const {
  for (std::size_t bin = 0; bin < out.size(); ++bin)
    out[bin] = std::sqrt(kept_ ? squares(bin / slab_rows)[coordinate * slab_rows + bin % slab_rows]
                               : ground_.squared_distance(coordinate, coordinates_[bin]));
}

}  // namespace navvy::backends
