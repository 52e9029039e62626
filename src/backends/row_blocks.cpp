#include "backends/row_blocks.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "backends/active_kernels.hpp"
#include "core/pieces.hpp"

namespace navvy::backends {
namespace {

// Bins without weight cost nothing to move; most indexes have none and are used as they are.
Histograms with_weight_only(const Histograms& rows) {
  const auto weights = rows.weights().span();
  if (std::find(weights.begin(), weights.end(), 0.0F) == weights.end()) return rows;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> kept;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Histogram histogram = rows[row];
    for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
      if (histogram.weights[bin] == 0) continue;
      coordinates.push_back(histogram.coordinates[bin]);
      kept.push_back(histogram.weights[bin]);
    }
    offsets.push_back(coordinates.size());
  }
  return {rows.vocabulary_size(), Array(std::move(offsets)), Array(std::move(coordinates)),
          Array(std::move(kept))};
}

}  // namespace

RowBlocks::RowBlocks(const Vocabulary& vocabulary, const Histograms& rows, bool by_piece)
    : kernels_(&active_kernels()), sources_(with_weight_only(rows)) {
  std::vector<std::uint32_t> pieces(vocabulary.size());
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    pieces[id] = core::piece_of(vocabulary.number(id));

  piece_offsets_.reserve(sources_.size() + 1);
  piece_offsets_.push_back(0);
  for (std::size_t row = 0; row < sources_.size(); ++row) {
    const auto coordinates = sources_[row].coordinates;
    for (std::size_t bin = 1; bin <= coordinates.size(); ++bin)
      if (bin == coordinates.size() || pieces[coordinates[bin]] != pieces[coordinates[bin - 1]])
        piece_ends_.push_back(static_cast<std::uint32_t>(bin));
    piece_offsets_.push_back(piece_ends_.size());
  }

  for (std::size_t first = 0; first < sources_.size(); first += block_rows)
    blocks_.push_back(make_block(first, by_piece ? pieces : std::vector<std::uint32_t>{}));
}

RowBlocks::Block RowBlocks::make_block(std::size_t first,
                                       const std::vector<std::uint32_t>& pieces) const {
  struct Part {
    std::uint32_t row, count;
    const std::uint32_t* coordinates;
    const float* weights;
  };
  std::vector<Part> parts;
  const std::size_t last = std::min(first + block_rows, sources_.size());
  for (std::size_t row = first; row < last; ++row) {
    const Histogram histogram = sources_[row];
    std::uint32_t begin = 0;
    for (const std::uint32_t end : piece_ends(row)) {
      parts.push_back({static_cast<std::uint32_t>(row - first), end - begin,
                       histogram.coordinates.data() + begin, histogram.weights.data() + begin});
      begin = end;
    }
  }
  // Within a piece, segments of equal length follow each other: the loop over their bins then ends
  // as the processor expects.
  if (!pieces.empty())
    std::stable_sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) {
      const std::uint32_t piece_a = pieces[*a.coordinates];
      const std::uint32_t piece_b = pieces[*b.coordinates];
      return piece_a < piece_b || (piece_a == piece_b && a.count < b.count);
    });
  Block block;
  for (const Part& part : parts) {
    block.segments.push_back({part.row, part.count});
    for (std::uint32_t bin = 0; bin < part.count; ++bin)
      block.bins.push_back({part.coordinates[bin], part.weights[bin]});
  }
  return block;
}

kernels::Segments RowBlocks::segments(std::size_t block) const noexcept {
  const Block& source = blocks_[block];
  return {source.segments.data(), source.segments.size(), source.bins.data(),
          source.bins.data() + source.bins.size()};
}

kernels::Rows RowBlocks::whole_rows() const noexcept {
  return {sources_.offsets().data(), sources_.coordinates().data(), sources_.weights().data(),
          piece_offsets_.data(), piece_ends_.data()};
}

Histograms chosen_rows(const Histograms& rows, std::span<const std::uint32_t> chosen) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
  for (const std::uint32_t row : chosen) {
    const Histogram histogram = rows[row];
    coordinates.insert(coordinates.end(), histogram.coordinates.begin(),
                       histogram.coordinates.end());
    weights.insert(weights.end(), histogram.weights.begin(), histogram.weights.end());
    offsets.push_back(coordinates.size());
  }
  return {rows.vocabulary_size(), Array(std::move(offsets)), Array(std::move(coordinates)),
          Array(std::move(weights))};
}

}  // namespace navvy::backends
