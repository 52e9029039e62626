#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "navvy/histograms.hpp"
#include "navvy/index.hpp"
#include "navvy/measure.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/progress.hpp"

namespace navvy {

/// What every computation over an index understands.
struct RunOptions {
  Measure measure;
  Direction direction = Direction::symmetric;
  SinkhornOptions sinkhorn;
  unsigned threads = 0;      ///< 0: all cores
  std::uint64_t memory = 0;  ///< budget in bytes, held; 0: half of the RAM
  std::size_t batch = 0;     ///< queries per step, 0: chosen by the budget. Never changes results
  ProgressCallback progress;
};

struct SearchOptions : RunOptions {
  std::size_t top = 10;
  // The rest is for emd, whose search goes on until the answer is proven unless told to stop.
  double deadline = 0;           ///< seconds per query after which it stops; 0: none
  std::uint64_t max_solves = 0;  ///< exact distances per query after which it stops; 0: no limit
  /// A row that is nearer than the last match by less than this share need not be looked at: 0.01
  /// proves the order up to 1 %.
  double tolerance = 0;
};

/// How an answer was reached: rows costed per stage of the cascade, and how often a list had to
/// grow before it was proven complete.
struct SearchCounters {
  struct Stage {
    std::string measure;
    std::uint64_t rows = 0;
    double seconds = 0;
  };
  std::vector<Stage> stages;
  std::uint64_t list_growths = 0;
  std::uint64_t unconverged = 0;  ///< pairs whose sinkhorn stopped at its iteration limit
};

/// How far the answer to one query under emd is proven.
struct Proof {
  std::vector<SearchCounters::Stage> stages;  ///< rows bounded, or solved, and seconds
  std::uint64_t rows = 0;                     ///< that could have matched
  std::uint64_t solves = 0;                   ///< exact distances computed
  std::uint64_t undecided = 0;                ///< neither solved nor left out when it stopped
  std::uint64_t matches = 0;                  ///< rows in the answer
  /// Of these, rows that are certain to be among the true nearest. All of them where the search was
  /// not stopped.
  std::uint64_t certain = 0;
  double seconds = 0;  ///< of all stages together
};

/// The nearest rows of each query: rank r of query i is at i * top + r, ascending by distance, then
/// by row. Queries with fewer matches (small or filtered databases) are padded with `no_row`.
struct Matches {
  static constexpr std::uint32_t no_row = 0xffffffff;

  std::size_t queries = 0;
  std::size_t top = 0;
  std::vector<std::uint32_t> rows;
  std::vector<double> distances;
  SearchCounters counters;
  /// Only for emd: the true distance lies in [lower, upper]. Where `exact` is set both are the
  /// distance; elsewhere the search was stopped early, and the distance given is `upper`, the cost
  /// of a plan that exists.
  std::vector<double> lower{}, upper{};
  std::vector<std::uint8_t> exact{};
  std::vector<Proof> proofs{};  ///< one per query
};

/// Receives distances block by block: `values` is row-major, rows [first_query, first_query +
/// count) of the matrix, each as long as the database range.
using DistanceSink =
    std::function<void(std::size_t first_query, std::size_t count, std::span<const float> values)>;

/// A part of the matrix of all distances: queries are the rows [query_begin, query_end) of the
/// index, columns the rows [row_begin, row_end).
struct MatrixRange {
  std::size_t query_begin = 0, query_end = 0;
  std::size_t row_begin = 0, row_end = 0;
};

/// Precision of nearest-neighbour lists against labels.
struct Evaluation {
  std::vector<double> precision;  ///< one per entry of tops: the mean share of equal labels
  std::uint64_t queries = 0;
  std::uint64_t distances = 0;  ///< query-row pairs answered
  double seconds = 0;           ///< wall time of the distance and top work
  SearchCounters counters;
};

/// An index made ready for computing by the first call that needs it. This takes time and memory in
/// proportion to the bins of the index, so keep one for many calls. The calls may not overlap in
/// time.
class Searcher {
 public:
  explicit Searcher(const Index& index);
  ~Searcher();
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;

  [[nodiscard]] const Index& index() const noexcept;

  /// Makes the index ready for a measure now, so that the first answer is as quick as the others.
  void prepare(const RunOptions& options);

  /// The nearest rows of each given histogram. Rows without weight never match; a query without
  /// weight throws Error(bad_input).
  Matches search(const Histograms& queries, const SearchOptions& options);

  /// The nearest rows of some rows of the index; a row is left out of its own matches.
  Matches search_rows(std::span<const std::uint32_t> rows, const SearchOptions& options);

  /// All rows against all: search_rows for every row, at the speed of the machine. Rows without
  /// weight have no matches.
  Matches knn(const SearchOptions& options);

  /// Distances without pruning. Pairs with a row without weight are NaN.
  void distances(const MatrixRange& range, const RunOptions& options, const DistanceSink& sink);

  /// The same, streamed to a two-dimensional float32 .npy file, written whole or not at all.
  void write_distances(const MatrixRange& range, const RunOptions& options,
                       const std::filesystem::path& path);

  /// Precision at each of `tops`, leave-one-out by row, with the first `queries` rows as queries
  /// (0: all). Throws Error(usage) where the index has no labels or a top exceeds the rows to find.
  Evaluation evaluate(std::span<const std::size_t> tops, std::size_t queries,
                      const RunOptions& options);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes the matches of all rows as a sparse matrix that scipy.sparse.load_npz reads: n x n, row i
/// holds the distances to its nearest rows, ascending; written whole or not at all.
void write_graph(const Matches& matches, std::size_t rows, const std::filesystem::path& path);

/// The name of the kernels in use ("avx512", "avx2", "baseline"), chosen by the machine or by the
/// environment variable NAVVY_KERNELS. Throws Error(usage) if that names none that runs here.
std::string kernels_in_use();

/// The names of all kernels that this machine can run, fastest first.
std::vector<std::string> available_kernels();

/// The library's version, such as "0.1.0".
std::string version();

}  // namespace navvy
