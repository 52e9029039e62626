// Slabs of the query's bins against the words of a row, from which the nearest are picked.
#include "backends/cpu/queries/row_nearest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "backends/cpu/ground/word_pieces.hpp"

namespace navvy::backends {
namespace {

using kernels::slab_rows;

// Bundles of the query that a piece of a row serves before the next is copied together.
constexpr std::size_t bundles_together = WordPieces::slabs_together;

}  // namespace

RowNearest::RowNearest(const Engine& engine, const Histograms& rows, const Levels& levels,
                       unsigned threads)
    : engine_(engine),
      overflow_(levels.overflow),
      stored_(static_cast<std::size_t>(levels.count) + (levels.finish ? 1 : 0)),
      workers_(threads) {
  const auto offsets = rows.offsets().span();
  for (std::size_t row = 0; row < rows.size(); ++row)
    most_bins_ = std::max<std::size_t>(most_bins_, offsets[row + 1] - offsets[row]);
}

std::size_t RowNearest::plane_floats() const noexcept { return 2 * stored_ * slab_rows; }

void RowNearest::set_query(const Histogram& query, core::Run& run) {
  query_ = query;
  own_bins_.reset();
  for (Worker& worker : workers_) worker = Worker();
  reserved_ = core::Reservation();
  if (!try_whole(run)) take_pieces(run);
  places_.resize(piece_ == 0 ? most_bins_ : piece_);
  std::iota(places_.begin(), places_.end(), 0U);
}

bool RowNearest::try_whole(core::Run& run) {
  if (query_.size() > WordPieces::most || most_bins_ > WordPieces::most) return false;
  const std::size_t dimensions = engine_.slabs.dimensions();
  const std::uint64_t own = SlabGround::memory(query_.size() + slab_rows, dimensions) +
                            std::uint64_t{query_.size()} * dimensions * sizeof(float);
  const std::uint64_t per_thread = WordPieces::memory(WordPieces::wanted(most_bins_), dimensions) +
                                   plane_floats() * sizeof(float);
  const std::uint64_t needed = own + workers_.size() * per_thread;
  // A small share: others have no smaller way.
  if (needed > run.budget.left() / 4) return false;
  auto reserved = run.budget.try_reserve(needed);
  if (!reserved) return false;
  reserved_ = *std::move(reserved);
  piece_ = 0;
  own_bins_.emplace(bins_ground({0, query_.size()}));
  for (Worker& worker : workers_) {
    worker.slab = core::Buffer<float>(WordPieces::wanted(most_bins_) * slab_rows);
    worker.planes = core::Buffer<float>(plane_floats());
  }
  return true;
}

void RowNearest::take_pieces(core::Run& run) {
  const std::size_t dimensions = engine_.slabs.dimensions();
  const auto threads = static_cast<unsigned>(workers_.size());
  piece_ = WordPieces::fitting(most_bins_, dimensions, threads, run.budget);
  // Some bins of the query, twice as they become a vocabulary, and their planes.
  const std::size_t bins = bundles_together * slab_rows;
  const std::uint64_t own =
      SlabGround::memory(bins, 2 * dimensions) + bundles_together * plane_floats() * sizeof(float);
  reserved_ = run.budget.reserve(threads * (WordPieces::memory(piece_, dimensions) + own),
                                 "the ground distances of a pair");
  for (Worker& worker : workers_) {
    worker.slab = core::Buffer<float>(piece_ * slab_rows);
    worker.planes = core::Buffer<float>(bundles_together * plane_floats());
  }
}

void RowNearest::set_row(const Histogram& row, unsigned thread) {
  Worker& worker = workers_[thread];
  worker.row = row;
  worker.first = none;
  if (piece_ == 0) worker.words = pack(row.coordinates, {0, query_.size()});
}

SlabGround RowNearest::bins_ground(core::Range bins) const {
  const Vocabulary& all = engine_.index.vocabulary;
  std::vector<float> coordinates;
  coordinates.reserve(bins.size() * all.dimensions());
  for (const std::uint32_t id : query_.coordinates.subspan(bins.begin, bins.size())) {
    const auto coordinate = all.coordinate(id);
    coordinates.insert(coordinates.end(), coordinate.begin(), coordinate.end());
  }
  const Vocabulary own(all.dimensions(), Array(std::move(coordinates)));
  return {Ground::euclidean(own, engine_.threshold), engine_.rows.kernels()};
}

PackedWords RowNearest::pack(std::span<const std::uint32_t> coordinates, core::Range bins) const {
  constexpr std::uint32_t no_bin = 0xffffffff;
  const auto own = query_.coordinates.subspan(bins.begin, bins.size());
  PackedWords words = engine_.slabs.pack(coordinates);
  for (std::uint32_t& id : words.ids) {
    const auto place = std::ranges::lower_bound(own, id);
    const bool common = place != own.end() && *place == id;
    id = common ? static_cast<std::uint32_t>(place - own.begin()) : no_bin;
  }
  return words;
}

const float* RowNearest::planes(std::size_t bundle, unsigned thread) {
  Worker& worker = workers_[thread];
  const std::size_t together = piece_ == 0 ? 1 : bundles_together;
  const std::size_t first = bundle / together * together;
  if (worker.first != first) {
    if (piece_ == 0)
      fill_whole(bundle, worker);
    else
      fill_pieces(first, worker);
    worker.first = first;
  }
  return worker.planes.data() + (bundle - first) * plane_floats();
}

void RowNearest::fill_whole(std::size_t bundle, Worker& worker) {
  own_bins_->squared_distances(bundle, worker.words, worker.slab.data());
  engine_.rows.kernels().k_smallest(worker.slab.data(),
                                    {places_.data(), worker.row.weights.data(), worker.row.size()},
                                    stored_, overflow_, worker.planes.data());
}

void RowNearest::fill_pieces(std::size_t first, Worker& worker) {
  const kernels::KernelTable& kernels = engine_.rows.kernels();
  const core::Range bins{first * slab_rows,
                         std::min((first + bundles_together) * slab_rows, query_.size())};
  const SlabGround own = bins_ground(bins);
  const Histogram& row = worker.row;
  const std::size_t half = stored_ * slab_rows;
  float* planes = worker.planes.data();
  for (std::size_t slab = 0; slab < own.slabs(); ++slab, planes += 2 * half) {
    std::fill_n(planes, half, std::numeric_limits<float>::infinity());
    std::fill_n(planes + half, half, 0.0F);
  }
  walk_pieces(
      {own, {0, own.slabs()}, row.size(), piece_, worker.slab.data()},
      [&](core::Range piece) {
        return pack(row.coordinates.subspan(piece.begin, piece.size()), bins);
      },
      [&](std::size_t slab, core::Range piece, const float* squares) {
        float* to = worker.planes.data() + slab * 2 * half;
        kernels.nearer(squares, {places_.data(), row.weights.data() + piece.begin, piece.size()},
                       stored_, to);
        if (piece.end == row.size()) kernels.finish_nearest(row.size(), stored_, overflow_, to);
      });
}

}  // namespace navvy::backends
