// The inner loops, one table of functions per instruction set.
//
// Kernels allocate nothing, throw nothing and touch only what they are given; callers own blocking,
// buffers and threads. Every table gives the same bits: sums run in a fixed order with one rounding
// per multiply-add, whatever the width of the vectors. Blocks of lanes are best aligned to 64
// bytes; nothing breaks when they are not. README.md beside this file gives formulas and reasons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace navvy::kernels {

/// One bin of a row: where and how much.
struct Bin {
  std::uint32_t coordinate;
  float weight;
};

/// The bins of one row that lie in one piece of the vocabulary: the unit of every sum.
struct Segment {
  std::uint32_t row;    ///< of the block: its place in `out`
  std::uint32_t count;  ///< of bins, at least 1
};

/// Segments of a block of rows in the order in which they are charged; their bins follow each other
/// without gaps in the same order. A row's segments come in ascending order of their pieces, over
/// all calls; beyond that the order is free, and segments of equal count are best kept together.
struct Segments {
  const Segment* segments;
  std::size_t count;
  const Bin* bins;
  const Bin* last;  ///< one past the bins that can be read, at least those of the segments
};

/// Lanes are queries: entry (coordinate, lane) is at coordinate * stride + lane. `lanes` is a
/// multiple of 16; 64 lanes without gaps are the fastest.
struct LaneTable {
  const float* values;
  std::size_t stride;  ///< floats from one coordinate to the next
  std::size_t lanes;
};

/// One level of overflow, both tables shaped like a LaneTable. The fastest are 64 lanes of
/// capacities, 64 of steps, and so on: stride 128.
struct OverflowTable {
  const float* capacities;
  const float* steps;
  std::size_t stride;
  std::size_t lanes;
};

/// Queries side by side in a table of coarse nearest distances, and in one of coarse overflow.
inline constexpr std::size_t coarse_lanes = 128;
inline constexpr std::size_t coarse_group = 16;

/// One bin in 16-bit integers: where, and how many units of mass.
struct CoarseBin {
  std::uint16_t coordinate;
  std::uint16_t weight;
};

/// Like Segments; since sums of integers are exact, any order gives the same bits.
struct CoarseSegments {
  const Segment* segments;
  std::size_t count;
  const CoarseBin* bins;
};

/// The same bins row by row: row r has [offsets[r], offsets[r + 1]).
struct CoarseRowBins {
  const std::uint64_t* offsets;
  const CoarseBin* bins;
};

/// Lanes are 16 queries. A coordinate has for each level 16 capacities and 16 steps.
struct CoarseOverflow {
  const std::uint16_t* values;
  std::size_t levels;
};

/// Rows and lanes of a square of coarse costs.
inline constexpr std::size_t coarse_square = 64;

/// The cost of (row, lane) is forward[row * coarse_lanes + lane] or, where there is a backward, the
/// larger of that and backward[lane * coarse_lanes + row]. All 64 x 64 entries can be read.
struct CoarseSquare {
  const std::uint16_t* forward;
  const std::uint16_t* backward;
  std::size_t rows;  ///< looked at
};

/// Bytes of a signature: a row's weights added up over so many groups of coordinates.
inline constexpr std::size_t signature_bytes = 64;

/// Signatures one after the other, and what rounding may have put apart in each.
struct Signatures {
  const std::uint8_t* bytes;
  const std::uint16_t* slacks;
  std::size_t count;
};

/// Whole rows, for kernels that walk chosen rows only. Bins stand in order of coordinate.
struct Rows {
  const std::uint64_t* offsets;  ///< row r has the bins [offsets[r], offsets[r + 1])
  const std::uint32_t* coordinates;
  const float* weights;
  const std::uint64_t* segment_offsets;  ///< row r has the segments [.[r], .[r + 1])
  const std::uint32_t* segment_ends;     ///< one past a segment's last bin, counted in its row
};

/// Lanes are levels of one query: the capacity of (coordinate, level) is at
/// coordinate * 2 * width + level and its step `width` floats further. Level 0 has capacity 0 and
/// the nearest distance as its step; levels that are not used have step 0.
struct LevelTable {
  const float* values;
  std::size_t width;  ///< 4 or a multiple of 8
};

/// Vocabulary rows stand in strips of 16: component d of row r is at
/// (r / 16 * dimensions + d) * 16 + r % 16. The last strip is filled up with zeros.
inline constexpr std::size_t strip_rows = 16;

/// Coordinates per slab of squared distances: two strips.
inline constexpr std::size_t slab_rows = 32;

/// Words stand in packs of 6: component d of word w is at (w / 6 * dimensions + d) * 6 + w % 6.
/// The last pack is filled up with zeros.
inline constexpr std::size_t word_pack = 6;

/// The 32 coordinates from `first` on against some words (coordinates of a batch of queries).
struct DistanceSlab {
  const float* strips;  ///< of the whole vocabulary
  const float* norms;   ///< squared_norms of the whole vocabulary, whole slabs
  std::size_t dimensions;
  std::uint32_t first;      ///< a multiple of 32
  const float* words;       ///< in packs
  const float* word_norms;  ///< squared, whole packs
  const std::uint32_t* word_ids;
  std::size_t word_count;
};

/// One query's bins in a slab, in ascending order of coordinate.
struct QueryBins {
  const std::uint32_t* words;  ///< places of the bins' coordinates in DistanceSlab::word_ids
  const float* weights;
  std::size_t count;  ///< at least 1
};

/// Larger than all ranks.
inline constexpr std::uint16_t no_rank = 0xffff;

/// Where overflow pays: OMR charges it only where the nearest bin is at distance 0.
enum class Overflow { everywhere, at_distance_zero };

/// `max(row_thresholds[row], lane_thresholds[lane])` for each entry of a tile.
struct Thresholds {
  const float* rows;
  const float* lanes;
};

/// Doubles in a row of a Scaling come in groups of this many.
inline constexpr std::size_t scaling_lanes = 8;

/// An entropic plan u_i K_ij v_j on its way to the marginals p and q. Rows of the kernel, v, q and
/// sums have `stride` entries, a multiple of scaling_lanes; beyond `columns` K, v and q are 0.
struct Scaling {
  const double* kernel;
  std::size_t rows;
  std::size_t columns;
  std::size_t stride;
  const double* p;
  const double* q;
  double* u;
  double* v;
  double* sums;  ///< scratch
};

/// Floats in a row of ArcCosts come in groups of this many.
inline constexpr std::size_t arc_lanes = 16;

/// What arcs from sources (rows) to targets cost, row by row, each target with a number of its own
/// to add. `stride` is a multiple of arc_lanes; costs beyond the last target are infinite.
struct ArcCosts {
  const float* costs;
  std::size_t stride;
  const float* raises;  ///< stride of them
};

/// Functions that least_differences evaluates side by side.
inline constexpr std::size_t function_lanes = 8;

struct KernelTable {
  const char* name;  ///< "avx512", "avx2", "neon" or "baseline"

  /// out[row * lanes + lane] += sum of weight * value over the bins of each segment.
  void (*charge_nearest)(const Segments&, const LaneTable&, float* out) noexcept;

  /// out[row * lanes + lane] += sum of step * max(0, weight - capacity) over each segment's bins.
  void (*charge_overflow)(const Segments&, const OverflowTable&, float* out) noexcept;

  /// costs[i] of moving row rows[i] into the query: the bits that charge_nearest and
  /// charge_overflow of each level give when their results are added in order of level.
  void (*candidate_costs)(const Rows&, const std::uint32_t* rows, std::size_t count,
                          const LevelTable&, float* costs) noexcept;

  /// out[row * coarse_lanes + lane] += sum over the bins of each segment of weight * nearest /
  /// 2^16, rounded down, with nearest[coordinate * coarse_lanes + lane]. Sums must stay below 2^16.
  void (*charge_coarse)(const CoarseSegments&, const std::uint16_t* nearest,
                        std::uint16_t* out) noexcept;

  /// out[row * coarse_lanes + lane] += sum over the bins of chosen rows and over the levels of
  /// max(0, weight - capacity) * step / 2^16, rounded down; 16 lanes.
  void (*charge_coarse_overflow)(const CoarseRowBins&, const std::uint32_t* rows, std::size_t count,
                                 const CoarseOverflow&, std::uint16_t* out) noexcept;

  /// Writes the places row * 64 + lane, ascending, of entries that are at most the larger of
  /// row_limits[row] and lane_limits[lane], and returns how many there are.
  std::size_t (*at_most)(const CoarseSquare&, const std::uint16_t* row_limits,
                         const std::uint16_t* lane_limits, std::uint32_t* places) noexcept;

  /// out[row * lanes + lane] += sum of weight * value over the bins of each segment, in double,
  /// where the products are exact.
  void (*dot)(const Segments&, const LaneTable&, double* out) noexcept;

  /// norms[r] of `strips` strips of vectors.
  void (*squared_norms)(const float* vectors, std::size_t strips, std::size_t dimensions,
                        float* norms) noexcept;

  /// slab[word * 32 + i] = squared distance of the word and coordinate first + i; the same bits
  /// when the two are exchanged, and exactly 0 when they are the same coordinate. Writes whole
  /// packs of words.
  void (*squared_distances)(const DistanceSlab&, float* slab) noexcept;

  /// The k nearest bins of one query for each of the 32 coordinates of a slab, ties to the earlier
  /// bin. Writes planes of 32 floats: plane 0 the nearest distance, plane l (0 < l < k) the step
  /// from the l-th to the next, plane k + l - 1 the weight of the l nearest bins together. Plane
  /// 2 * k - 1 is scratch. Beyond the query's last bin steps are 0.
  void (*k_smallest)(const float* slab, const QueryBins&, std::size_t k, Overflow,
                     float* planes) noexcept;

  /// The same for bins that come in several slabs over the same coordinates, one after the other:
  /// planes l < k hold the squared distances of the nearest bins so far and planes k + l their
  /// weights, infinity and 0 at the beginning, in rising order, and take those of a further slab.
  void (*nearer)(const float* slab, const QueryBins&, std::size_t k, float* planes) noexcept;

  /// Turns what nearer() has left, of so many bins altogether, into the planes of k_smallest, to
  /// the bit.
  void (*finish_nearest)(std::size_t bins, std::size_t k, Overflow, float* planes) noexcept;

  /// The k smallest of a query's ranks, which differ, for each of the 32 coordinates of a slab:
  /// slab[word * 32 + i] is the rank of a word for coordinate i. Plane l of 32 gets the l-th, or
  /// no_rank beyond the query's last bin.
  void (*k_smallest_ranks)(const std::uint16_t* slab, const std::uint32_t* words, std::size_t count,
                           std::size_t k, std::uint16_t* planes) noexcept;

  /// to[c * to_stride + r] = from[r * from_stride + c].
  void (*transpose)(const float* from, std::size_t from_stride, std::size_t rows,
                    std::size_t columns, float* to, std::size_t to_stride) noexcept;

  /// a[r * a_stride + c] = the larger of itself and b[c * b_stride + r].
  void (*larger_with_transposed)(float* a, std::size_t a_stride, std::size_t rows,
                                 std::size_t columns, const float* b,
                                 std::size_t b_stride) noexcept;

  /// Writes the places row * lanes + lane, ascending, of entries below their threshold and returns
  /// how many there are. `lanes` is a multiple of 16; `places` has room for rows * lanes.
  std::size_t (*below)(const float* values, std::size_t rows, std::size_t lanes, const Thresholds&,
                       std::uint32_t* places) noexcept;

  /// The largest of some values, none of which is below 0; 0 if there are none.
  float (*largest)(const float* values, std::size_t count) noexcept;

  /// out[i] = exp(-factor * costs[i]) where that is at least exp(-700); `count` is a multiple of
  /// scaling_lanes.
  void (*exp_of_costs)(const float* costs, std::size_t count, double factor, double* out) noexcept;

  /// One iteration of Sinkhorn: u meets the rows for the v given, then v the columns. Returns the
  /// sum of |u_i (K v)_i - p_i| for the u given, the error of a plan that met the columns.
  double (*scale)(const Scaling&) noexcept;

  /// The cost of the plan; `costs` are laid out like the kernel.
  double (*plan_cost)(const Scaling&, const float* costs) noexcept;

  /// smallest[i] = the smallest cost + raise in row first + i.
  void (*smallest_in_rows)(const ArcCosts&, std::size_t first, std::size_t count,
                           float* smallest) noexcept;

  /// The first place in a row where cost + raise is that value; stride if there is none.
  std::size_t (*place_in_row)(const ArcCosts&, std::size_t row, float value) noexcept;

  /// Writes the places in a row, ascending, where cost + raise is below the limit, and returns how
  /// many there are; `places` has room for stride.
  std::size_t (*places_below)(const ArcCosts&, std::size_t row, float limit,
                              std::uint32_t* places) noexcept;

  /// The largest of some values, none of which is below 0; 0 if there are none.
  double (*largest_double)(const double* values, std::size_t count) noexcept;

  /// scaled[i] = values[i] * factors[0] * factors[1], rounded to a float.
  void (*scaled_floats)(const double* values, std::size_t count, const double* factors,
                        float* scaled) noexcept;

  /// The Euclidean distances of a point to `size` others in double, dimension by dimension with two
  /// roundings each; component d of the j-th stands at columns[d * size + j].
  void (*exact_distances)(const float* point, std::size_t dimensions, const double* columns,
                          std::size_t size, double* distances) noexcept;

  /// least[lane] = the smallest distances[i] - values[i * function_lanes + lane]; infinity if there
  /// are none.
  void (*least_differences)(const float* distances, std::size_t count, const float* values,
                            float* least) noexcept;

  /// out[row] = unit * max(0, sum over bytes |row - query| - the row's slack - slack).
  void (*signature_bounds)(const Signatures& rows, const std::uint8_t* query, std::uint32_t slack,
                           float unit, float* out) noexcept;

  /// Runs about `count` multiply-adds of single floats in registers alone and returns how many:
  /// the peak that benchmarks compare with.
  std::uint64_t (*fma_peak)(std::uint64_t count) noexcept;
};

/// The tables that this processor can run, the fastest first; never empty.
std::span<const KernelTable* const> supported_kernels() noexcept;

inline const KernelTable& best_kernels() noexcept { return *supported_kernels().front(); }

/// The supported table of that name, or null.
const KernelTable* find_kernels(std::string_view name) noexcept;

}  // namespace navvy::kernels
