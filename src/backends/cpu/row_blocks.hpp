// The rows as kernels walk them: without bins of no weight, cut into pieces, in blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/backend.hpp"
#include "core/run.hpp"
#include "kernels/kernels.hpp"
#include "navvy/histograms.hpp"

namespace navvy::backends {

/// What a budget leaves for what need not be kept, once there is room for a few queries against all
/// rows: their tables and costs. Else a larger budget could refuse what a smaller one does.
std::uint64_t left_beside_queries(const RowSet& source, const core::Budget& budget);

/// The rows of an index as Phases 2 and 3 walk them: bins without weight left out, and each row cut
/// into its pieces.
class RowBlocks {
 public:
  /// Rows per block: with 64 lanes a block of costs is 64 KB, so that it stays in the second-level
  /// cache while the pieces of the vocabulary pass by.
  static constexpr std::size_t block_rows = 256;

  /// `by_piece`: a block's segments are ordered by piece and then by row, so that one piece of a
  /// table is used by all rows while it is in the first-level cache; for small supports. Otherwise
  /// by row and then by piece; for large vocabularies, where a row has few bins per piece.
  ///
  /// The budget of the run is charged for what is kept. Blocks, a copy of all bins, are only kept
  /// where they take a small share of it; else each thread makes those that it walks.
  RowBlocks(const RowSet& source, const kernels::KernelTable& kernels, bool by_piece,
            const core::Run& run);

  [[nodiscard]] const kernels::KernelTable& kernels() const noexcept { return *kernels_; }
  [[nodiscard]] std::size_t rows() const noexcept { return sources_.size(); }
  [[nodiscard]] std::size_t blocks() const noexcept {
    return (rows() + block_rows - 1) / block_rows;
  }
  [[nodiscard]] const Histograms& sources() const noexcept { return sources_; }
  [[nodiscard]] bool is_empty(std::size_t row) const noexcept { return sources_[row].size() == 0; }

  /// The most bins that a row has.
  [[nodiscard]] std::size_t most_bins() const noexcept { return most_bins_; }

  /// The segments of one block for the kernels; valid until the same thread asks for those of
  /// another.
  [[nodiscard]] kernels::Segments segments(std::size_t block) const;

  /// The ends of a row's pieces, counted in bins from its first.
  [[nodiscard]] std::span<const std::uint32_t> piece_ends(std::size_t row) const noexcept {
    return std::span(piece_ends_)
        .subspan(piece_offsets_[row], piece_offsets_[row + 1] - piece_offsets_[row]);
  }

  /// How many pieces all rows have together.
  [[nodiscard]] std::size_t pieces() const noexcept { return piece_ends_.size(); }

  /// Whole rows with their pieces for the kernels.
  [[nodiscard]] kernels::Rows whole_rows() const noexcept;

 private:
  struct Block {
    std::vector<kernels::Segment> segments;
    std::vector<kernels::Bin> bins;  // in the order of the segments

    [[nodiscard]] kernels::Segments walk() const noexcept {
      return {segments.data(), segments.size(), bins.data(), bins.data() + bins.size()};
    }
  };
  struct Made;

  // Blocks of a tile, see pairs/tiles.hpp: its panels walk them again and again.
  static constexpr std::size_t most_made = 4;

  void cut(const std::vector<std::uint32_t>& pieces, const core::Run& run);
  void keep_blocks(std::uint64_t share, const core::Run& run);
  [[nodiscard]] std::uint64_t block_memory(std::size_t first, std::size_t count) const noexcept;
  void make_block(std::size_t number, Block& block) const;

  const kernels::KernelTable* kernels_;
  std::uint64_t id_;  // no other rows of this process have it
  core::Reservation reserved_;
  Histograms sources_;
  std::size_t most_bins_ = 0;
  std::vector<std::uint32_t> pieces_;         // by coordinate; empty: segments stay in row order
  std::vector<Block> blocks_;                 // empty: not kept, but
  std::size_t made_at_once_ = 1;              // by each thread
  std::vector<std::uint64_t> piece_offsets_;  // row r has the pieces [r], [r + 1)
  // One past a piece's last bin, counted from the row's first.
  std::vector<std::uint32_t> piece_ends_;
};

}  // namespace navvy::backends
