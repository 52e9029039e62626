// Slabs of ground distances to more words than there is room for at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "backends/cpu/ground/slabs.hpp"
#include "core/budget.hpp"
#include "core/range.hpp"

namespace navvy::backends {

/// How many words stand in a slab of distances together. The bins of a row beyond that come piece
/// by piece, and the nearest of all are picked as they come (KernelTable::nearer): what a row takes
/// does not grow with its length, and its bits do not depend on where it is cut.
struct WordPieces {
  /// A slab of so many is 1 MB and stays in the second-level cache.
  static constexpr std::size_t most = 8160;
  /// Whole packs of words and whole bundles of bins.
  static constexpr std::size_t least = 96;
  static_assert(least % kernels::word_pack == 0 && least % kernels::slab_rows == 0);
  static_assert(most % least == 0);

  /// Slabs that are walked with one piece before the next is copied together, so that this is
  /// little beside computing.
  static constexpr std::size_t slabs_together = 16;

  /// The piece for so many words where memory does not matter.
  [[nodiscard]] static std::size_t wanted(std::size_t words) noexcept {
    return std::min((words + least - 1) / least * least, most);
  }

  /// Bytes of a piece on one thread: the words, and their slab.
  [[nodiscard]] static std::uint64_t words_memory(std::size_t size,
                                                  std::size_t dimensions) noexcept {
    return std::uint64_t{size} * ((dimensions + 1) * sizeof(float) + 2 * sizeof(std::uint32_t));
  }
  [[nodiscard]] static std::uint64_t slab_memory(std::size_t size) noexcept {
    return std::uint64_t{size} * kernels::slab_rows * sizeof(float);
  }
  [[nodiscard]] static std::uint64_t memory(std::size_t size, std::size_t dimensions) noexcept {
    return words_memory(size, dimensions) + slab_memory(size);
  }

  /// The largest piece, up to the wanted one, that takes a small share of a budget on so many
  /// threads, since others have no smaller way; the least where there is none.
  [[nodiscard]] static std::size_t fitting(std::size_t words, std::size_t dimensions,
                                           unsigned threads, const core::Budget& budget) noexcept {
    std::size_t size = wanted(words);
    while (size > least && threads * memory(size, dimensions) > budget.left() / 8)
      size = std::max(least, size / 2 / least * least);
    return size;
  }
};

/// Some slabs of a ground against words in pieces of at most `size`.
struct PieceWalk {
  const SlabGround& ground;
  core::Range slabs;
  std::size_t words;
  std::size_t size;
  float* out;  ///< with room for the slab of a piece
};

/// Calls visit(slab, piece, squares) for all slabs and pieces, in order for every slab.
/// `pack(piece)` copies the words of a piece together.
template <class Pack, class Visit>
void walk_pieces(const PieceWalk& walk, const Pack& pack, const Visit& visit) {
  for (std::size_t first = 0; first < walk.words; first += walk.size) {
    const core::Range piece{first, std::min(first + walk.size, walk.words)};
    const PackedWords packed = pack(piece);
    for (std::size_t slab = walk.slabs.begin; slab < walk.slabs.end; ++slab) {
      walk.ground.squared_distances(slab, packed, walk.out);
      visit(slab, piece, walk.out);
    }
  }
}

}  // namespace navvy::backends
