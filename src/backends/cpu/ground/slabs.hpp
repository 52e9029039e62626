// Ground distances in slabs, for vocabularies of any size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "backends/cpu/relaxation/nearest.hpp"
#include "backends/cpu/tables/lane_tables.hpp"
#include "backends/ground/ground.hpp"
#include "core/buffer.hpp"
#include "core/run.hpp"
#include "kernels/kernels.hpp"
#include "navvy/histograms.hpp"

namespace navvy::backends {

/// Words (coordinates) as the kernel of squared distances walks them: copied side by side, since
/// they lie scattered in the vocabulary and serve many slabs.
struct PackedWords {
  std::vector<std::uint32_t> ids;
  core::Buffer<float> vectors;
  core::Buffer<float> norms;

  /// Floats of a slab of distances to them.
  [[nodiscard]] std::size_t slab_size() const noexcept { return norms.size() * kernels::slab_rows; }
};

/// Ground distances in slabs of 32 coordinates against some words, to the bit those of Ground.
/// Phase 1 for large vocabularies (text) picks the nearest bins of a batch of queries from each
/// slab at once, so that the matrix D of all distances is never stored.
class SlabGround {
 public:
  SlabGround(const Ground& ground, const kernels::KernelTable& kernels);

  static std::uint64_t memory(std::size_t size, std::size_t dimensions) {
    return std::uint64_t{size} * (dimensions + 1) * sizeof(float);
  }

  [[nodiscard]] std::size_t size() const noexcept { return ground_.vocabulary().size(); }
  [[nodiscard]] std::size_t slabs() const noexcept {
    return (size() + kernels::slab_rows - 1) / kernels::slab_rows;
  }
  [[nodiscard]] std::size_t dimensions() const noexcept {
    return ground_.vocabulary().dimensions();
  }
  [[nodiscard]] const kernels::KernelTable& kernels() const noexcept { return kernels_; }

  /// Floats of a slab of distances to so many words: they come in whole packs.
  [[nodiscard]] static std::size_t slab_size(std::size_t words) noexcept {
    return (words + kernels::word_pack - 1) / kernels::word_pack * kernels::word_pack *
           kernels::slab_rows;
  }

  [[nodiscard]] PackedWords pack(std::span<const std::uint32_t> ids) const;

  /// out[word * 32 + i] = squared distance of a word and coordinate 32 * slab + i; writes all of
  /// words.slab_size().
  void squared_distances(std::size_t slab, const PackedWords& words, float* out) const noexcept;

  /// One of the squares, for pairs that come one at a time.
  [[nodiscard]] float squared_distance(std::uint32_t a, std::uint32_t b) const noexcept {
    return ground_.squared(a, b, norms_[a], norms_[b]);
  }

 private:
  Ground ground_;
  const kernels::KernelTable& kernels_;
  core::Buffer<float> strips_;
  core::Buffer<float> norms_;
};

/// For the rare bins that need more levels than tables hold: all distances are computed and sorted.
class SlabNearest : public Nearest {
 public:
  explicit SlabNearest(const SlabGround& ground) : ground_(ground) {}

  void set_query(const Histogram& query) override { query_ = query; }
  std::size_t find_for(float weight, std::size_t coordinate, kernels::Overflow overflow,
                       const NearestLevels& levels) override;

 private:
  const SlabGround& ground_;
  Histogram query_;
  std::vector<std::pair<float, std::uint32_t>> order_;  // squared distance, bin
};

/// A batch of queries with its distinct words, each of which is compared with the vocabulary once.
class QueryBatch {
 public:
  QueryBatch(const Histograms& queries, std::size_t first, std::size_t count);

  [[nodiscard]] std::span<const std::uint32_t> words() const noexcept { return words_; }

  /// Of all bins, one query after the other: their place among words().
  [[nodiscard]] std::span<const std::uint32_t> places() const noexcept { return places_; }

  /// The bins of some queries by their place among words(), cut at the batch's end. The histograms
  /// must be alive.
  [[nodiscard]] std::span<const kernels::QueryBins> bins(std::size_t first,
                                                         std::size_t count) const noexcept {
    const std::size_t begin = std::min(first, bins_.size());
    return std::span(bins_).subspan(begin, std::min(count, bins_.size() - begin));
  }

 private:
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> places_;
  std::vector<kernels::QueryBins> bins_;
};

/// Fills the tables of a batch of queries: table t has the queries from t * lanes on.
void fill_tables(const SlabGround& ground, const QueryBatch& batch, std::span<LaneTables> tables,
                 core::Run& run);

/// Bytes that fill_tables takes at most beside the tables, for a batch with all words.
[[nodiscard]] std::uint64_t tables_memory(const SlabGround& ground, unsigned threads) noexcept;

}  // namespace navvy::backends
