// Fills slabs with all threads and turns them so that the bins of a coordinate stand together.
#include "backends/cpu/ground/bin_distances.hpp"

#include <algorithm>
#include <cmath>

#include "backends/cpu/ground/word_pieces.hpp"

namespace navvy::backends {
namespace {

using kernels::slab_rows;

std::size_t bundles_of(std::size_t bins) { return (bins + slab_rows - 1) / slab_rows; }

}  // namespace

std::uint64_t BinDistances::memory(const SlabGround& ground, std::size_t bins,
                                   unsigned threads) noexcept {
  return ground.slabs() * bundles_of(bins) * slab_rows * slab_rows * sizeof(float) +
         threads * WordPieces::memory(WordPieces::wanted(bins), ground.dimensions());
}

bool BinDistances::set_query(std::span<const std::uint32_t> coordinates, std::uint64_t beside,
                             core::Run& run) {
  coordinates_ = coordinates;
  words_ = PackedWords();
  choose_piece(run);  // what must be there comes before what may
  const std::size_t all = bundles_of(coordinates.size()) * slab_rows * slab_rows * ground_.slabs();
  // Those of the query before make room: for what this one keeps, or for what it needs beside.
  if (all > squares_.size()) squares_ = core::Buffer<float>();
  const std::uint64_t more = squares_.size() == 0 ? all * sizeof(float) : 0;
  kept_ = run.budget.fits(more + beside) && run.try_require(squares_, all);
  if (!kept_) squares_ = core::Buffer<float>();
  return kept_;
}

void BinDistances::choose_piece(core::Run& run) {
  constexpr const char* what = "the ground distances of a query";
  slabs_.resize(std::max<std::size_t>(slabs_.size(), run.pool.threads()));
  const std::size_t wanted = WordPieces::wanted(coordinates_.size());
  if (wanted > room_) {
    squares_ = core::Buffer<float>();
    for (core::Buffer<float>& slab : slabs_) slab = core::Buffer<float>();
    packed_ = core::Reservation();
    const auto threads = static_cast<unsigned>(slabs_.size());
    room_ = WordPieces::fitting(coordinates_.size(), ground_.dimensions(), threads, run.budget);
    packed_ =
        run.budget.reserve(threads * WordPieces::words_memory(room_, ground_.dimensions()), what);
    for (core::Buffer<float>& slab : slabs_) run.require(slab, room_ * slab_rows, what);
  }
  piece_ = std::min(wanted, room_);
}

void BinDistances::fill(core::Run& run, const Visit& visit) {
  if (coordinates_.size() <= piece_) words_ = ground_.pack(coordinates_);
  // Nothing asks for the bins that fill the last bundle, but they are copied.
  for (core::Buffer<float>& slab : slabs_) std::fill_n(slab.data(), slab.size(), 0.0F);
  // Several slabs at once: one alone is done in microseconds.
  constexpr std::size_t step = WordPieces::slabs_together;
  run.pool.run(
      (ground_.slabs() + step - 1) / step,
      [&](std::size_t block, unsigned thread) {
        fill_slabs({block * step, std::min((block + 1) * step, ground_.slabs())}, thread, visit);
      },
      &run.monitor);
}

void BinDistances::fill_slabs(core::Range slabs, unsigned thread, const Visit& visit) {
  float* out = slabs_[thread].data();
  const auto show = [&](std::size_t slab, core::Range bins, const float* squares) {
    visit(slab, bins, squares, thread);
    if (kept_) keep(slab, bins, squares);
  };
  if (coordinates_.size() > piece_) {
    const auto pack = [&](core::Range piece) {
      return ground_.pack(coordinates_.subspan(piece.begin, piece.size()));
    };
    walk_pieces({ground_, slabs, coordinates_.size(), piece_, out}, pack, show);
    return;
  }
  for (std::size_t slab = slabs.begin; slab < slabs.end; ++slab) {
    ground_.squared_distances(slab, words_, out);
    show(slab, {0, coordinates_.size()}, out);
  }
}

void BinDistances::keep(std::size_t slab, core::Range bins, const float* squares) {
  const std::size_t first = slab * slab_rows;
  for (std::size_t bundle = 0; bundle < bundles_of(bins.size()); ++bundle)
    ground_.kernels().transpose(
        squares + bundle * slab_rows * slab_rows, slab_rows, slab_rows, slab_rows,
        const_cast<float*>(this->squares(bins.begin / slab_rows + bundle)) + first * slab_rows,
        slab_rows);
}

void BinDistances::line(std::uint32_t coordinate, std::span<float> out) const {
  for (std::size_t bin = 0; bin < out.size(); ++bin)
    out[bin] = std::sqrt(kept_ ? squares(bin / slab_rows)[coordinate * slab_rows + bin % slab_rows]
                               : ground_.squared_distance(coordinate, coordinates_[bin]));
}

}  // namespace navvy::backends
