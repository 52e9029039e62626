#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"
#include "navvy/histograms.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::backends {

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
  RowBlocks(const Vocabulary& vocabulary, const Histograms& rows, bool by_piece);

  [[nodiscard]] const kernels::KernelTable& kernels() const noexcept { return *kernels_; }
  [[nodiscard]] std::size_t rows() const noexcept { return sources_.size(); }
  [[nodiscard]] std::size_t blocks() const noexcept { return blocks_.size(); }
  [[nodiscard]] const Histograms& sources() const noexcept { return sources_; }
  [[nodiscard]] bool is_empty(std::size_t row) const noexcept { return sources_[row].size() == 0; }

  /// The segments of one block for the kernels.
  [[nodiscard]] kernels::Segments segments(std::size_t block) const noexcept;

  /// The ends of a row's pieces, counted in bins from its first.
  [[nodiscard]] std::span<const std::uint32_t> piece_ends(std::size_t row) const noexcept {
    return std::span(piece_ends_)
        .subspan(piece_offsets_[row], piece_offsets_[row + 1] - piece_offsets_[row]);
  }

  /// Whole rows with their pieces for the kernels.
  [[nodiscard]] kernels::Rows whole_rows() const noexcept;

 private:
  struct Block {
    std::vector<kernels::Segment> segments;
    std::vector<kernels::Bin> bins;  // in the order of the segments
  };

  // Empty `pieces`: the segments stay in the order of rows.
  [[nodiscard]] Block make_block(std::size_t first, const std::vector<std::uint32_t>& pieces) const;

  const kernels::KernelTable* kernels_;
  Histograms sources_;
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> piece_offsets_;  // row r has the pieces [r], [r + 1)
  std::vector<std::uint32_t>
      piece_ends_;  // one past a piece's last bin, counted from the row's first
};

/// A copy of some rows.
Histograms chosen_rows(const Histograms& rows, std::span<const std::uint32_t> chosen);

}  // namespace navvy::backends
