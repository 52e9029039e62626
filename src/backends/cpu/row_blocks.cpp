// Copies bins into the order in which kernels walk them.
#include "backends/cpu/row_blocks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <span>
#include <utility>

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

// Bytes of the copy that with_weight_only makes, and of what it grows out of meanwhile.
std::uint64_t copied_memory(const Histograms& rows) {
  const auto weights = rows.weights().span();
  const auto zeros = static_cast<std::uint64_t>(std::count(weights.begin(), weights.end(), 0.0F));
  if (zeros == 0) return 0;
  return 2 * ((weights.size() - zeros) * sizeof(kernels::Bin) +
              (rows.size() + 1) * sizeof(std::uint64_t));
}

core::Reservation charged(const core::Run& run, std::uint64_t bytes) {
  return run.budget.reserve(bytes, "rows made ready");
}

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::size_t count_pieces(const Histogram& histogram, const std::vector<std::uint32_t>& pieces) {
  std::size_t count = histogram.size() > 0 ? 1 : 0;
  for (std::size_t bin = 1; bin < histogram.size(); ++bin)
    if (pieces[histogram.coordinates[bin]] != pieces[histogram.coordinates[bin - 1]]) ++count;
  return count;
}

}  // namespace

std::uint64_t left_beside_queries(const RowSet& source, const core::Budget& budget) {
  constexpr std::uint64_t row_bytes = 96;
  constexpr std::uint64_t coordinate_bytes = 512;
  constexpr std::uint64_t fixed = std::uint64_t{256} << 10U;
  const std::uint64_t needed =
      source.rows.size() * row_bytes + source.vocabulary.size() * coordinate_bytes + fixed;
  return budget.left() - std::min(budget.left(), needed);
}

RowBlocks::RowBlocks(const RowSet& source, const kernels::KernelTable& kernels, bool by_piece,
                     const core::Run& run)
    : kernels_(&kernels),
      id_(next_id()),
      reserved_(charged(run, copied_memory(source.rows))),
      sources_(with_weight_only(source.rows)) {
  const Vocabulary& vocabulary = source.vocabulary;
  std::vector<std::uint32_t> pieces(vocabulary.size());
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    pieces[id] = core::piece_of(vocabulary.number(id));
  cut(pieces, run);
  if (by_piece) pieces_ = std::move(pieces);
  keep_blocks(left_beside_queries(source, run.budget) / 4, run);
}

void RowBlocks::cut(const std::vector<std::uint32_t>& pieces, const core::Run& run) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < sources_.size(); ++row) {
    count += count_pieces(sources_[row], pieces);
    most_bins_ = std::max(most_bins_, sources_[row].size());
  }
  reserved_.merge(
      charged(run, count * sizeof(std::uint32_t) + (sources_.size() + 1) * sizeof(std::uint64_t)));
  piece_ends_.reserve(count);
  piece_offsets_.reserve(sources_.size() + 1);
  piece_offsets_.push_back(0);
  for (std::size_t row = 0; row < sources_.size(); ++row) {
    const auto coordinates = sources_[row].coordinates;
    for (std::size_t bin = 1; bin <= coordinates.size(); ++bin)
      if (bin == coordinates.size() || pieces[coordinates[bin]] != pieces[coordinates[bin - 1]])
        piece_ends_.push_back(static_cast<std::uint32_t>(bin));
    piece_offsets_.push_back(piece_ends_.size());
  }
}

std::uint64_t RowBlocks::block_memory(std::size_t first, std::size_t count) const noexcept {
  const std::size_t last = std::min(first + count, rows());
  const auto offsets = sources_.offsets().span();
  return (offsets[last] - offsets[first]) * sizeof(kernels::Bin) +
         (piece_offsets_[last] - piece_offsets_[first]) * sizeof(kernels::Segment);
}

void RowBlocks::keep_blocks(std::uint64_t share, const core::Run& run) {
  const std::uint64_t all = block_memory(0, rows());
  if (all <= share) {
    reserved_.merge(charged(run, all));
    std::vector<Block> made(blocks());
    for (std::size_t block = 0; block < made.size(); ++block) make_block(block, made[block]);
    blocks_ = std::move(made);
    return;
  }
  std::uint64_t largest = 0;
  for (std::size_t block = 0; block < blocks(); ++block)
    largest = std::max(largest, block_memory(block * block_rows, block_rows));
  const std::uint64_t per_block = largest * run.pool.threads();
  if (per_block * most_made <= share) made_at_once_ = most_made;
  reserved_.merge(charged(run, per_block * made_at_once_));
}

void RowBlocks::make_block(std::size_t number, Block& block) const {
  struct Part {
    std::uint32_t row, count;
    const std::uint32_t* coordinates;
    const float* weights;
  };
  const std::size_t first = number * block_rows;
  const std::size_t last = std::min(first + block_rows, sources_.size());
  std::vector<Part> parts;
  parts.reserve(piece_offsets_[last] - piece_offsets_[first]);
  std::size_t bins = 0;
  for (std::size_t row = first; row < last; ++row) {
    const Histogram histogram = sources_[row];
    bins += histogram.size();
    std::uint32_t begin = 0;
    for (const std::uint32_t end : piece_ends(row)) {
      parts.push_back({static_cast<std::uint32_t>(row - first), end - begin,
                       histogram.coordinates.data() + begin, histogram.weights.data() + begin});
      begin = end;
    }
  }
  // Within a piece, segments of equal length follow each other: the loop over their bins then ends
  // as the processor expects.
  if (!pieces_.empty())
    std::stable_sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) {
      const std::uint32_t piece_a = pieces_[*a.coordinates];
      const std::uint32_t piece_b = pieces_[*b.coordinates];
      return piece_a < piece_b || (piece_a == piece_b && a.count < b.count);
    });
  block.segments.clear();
  block.segments.reserve(parts.size());
  block.bins.clear();
  block.bins.reserve(bins);
  for (const Part& part : parts) {
    block.segments.push_back({part.row, part.count});
    for (std::uint32_t bin = 0; bin < part.count; ++bin)
      block.bins.push_back({part.coordinates[bin], part.weights[bin]});
  }
}

// What this thread made last of rows whose blocks are not kept.
struct RowBlocks::Made {
  std::uint64_t id = 0;
  std::size_t number = 0;
  Block block;
};

kernels::Segments RowBlocks::segments(std::size_t block) const {
  if (!blocks_.empty()) return blocks_[block].walk();
  static thread_local std::array<Made, most_made> all;
  Made& made = all[block % made_at_once_];
  if (made.id != id_ || made.number != block) {
    made.id = 0;  // so that what throws leaves no half of a block
    make_block(block, made.block);
    made.id = id_;
    made.number = block;
  }
  return made.block.walk();
}

kernels::Rows RowBlocks::whole_rows() const noexcept {
  return {sources_.offsets().data(), sources_.coordinates().data(), sources_.weights().data(),
          piece_offsets_.data(), piece_ends_.data()};
}

}  // namespace navvy::backends
