// Searching an index: nearest rows, all pairs, matrices, evaluation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "navvy/evaluation.hpp"
#include "navvy/histograms.hpp"
#include "navvy/index.hpp"
#include "navvy/matches.hpp"
#include "navvy/options.hpp"
#include "navvy/rows.hpp"
#include "navvy/version.hpp"

namespace navvy {

/// Where long work keeps what is done, so that it can go on after an interruption.
struct Checkpoint {
  std::filesystem::path file;  ///< empty: nothing is kept
  /// Of work between two saves; more where saving is slow, so that it takes a twentieth of the time
  /// at most. 0: after every part, whatever that costs. Never changes results.
  double seconds = 1;
};

/// Receives distances block by block: `values` is row-major, rows [first_query, first_query +
/// count) of the matrix, each as long as the database range.
using DistanceSink =
    std::function<void(std::size_t first_query, std::size_t count, std::span<const float> values)>;

/// Receives the distances of one query after the other.
using LineSink = std::function<void(std::size_t query, std::span<const double> distances)>;

/// A part of the matrix of all distances: queries are the rows [query_begin, query_end) of the
/// index, columns the rows [row_begin, row_end).
struct MatrixRange {
  std::size_t query_begin = 0, query_end = 0;
  std::size_t row_begin = 0, row_end = 0;
};

/// An index made ready for computing by the first call that needs it. This takes time and memory in
/// proportion to the bins of the index, so keep one for many calls. Calls may come from any number
/// of threads at once; each gives the bits that it would give alone.
class Searcher {
 public:
  /// `backend`: who computes: "cpu" with its fastest kernels, "cpu:avx2" with named ones,
  /// "cpu-uncached" (the same bits with less memory) or, slowly and in double, "reference". Throws
  /// Error(usage) for another name.
  explicit Searcher(const Index& index, const std::string& backend = default_backend());

  /// Several indexes as one: answers are those over their merger, to the bit, with its row numbers
  /// (the rows of one index after those of the other) and ids. index() is that merger: queries are
  /// over its vocabulary. It is made in memory and counts against the budget of every call. Throws
  /// as merged() does.
  explicit Searcher(std::span<const Index> parts, const std::string& backend = default_backend());
  ~Searcher();
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;

  [[nodiscard]] const Index& index() const noexcept;

  /// Makes the index ready for a measure now, so that the first answer is as quick as the others:
  /// all rows, or those that SearchOptions::among will name.
  void prepare(const Question& question, const RunOptions& run,
               const Array<std::uint8_t>& among = {}) const;

  /// The nearest rows of each given histogram. Rows without weight never match; a query without
  /// weight throws Error(bad_input).
  Matches search(const Histograms& queries, const SearchOptions& options) const;

  /// Queries over coordinates of their own, which are those of the index where numbers are the
  /// same: answers have the bits that they would have if the index had them all. Coordinates that
  /// are new are kept for later calls, so that rows are made ready again only for those; at most
  /// some 2 MB of them, and none that stands in the way of another query. Throws Error(bad_input)
  /// where dimensions differ, or coordinates of the same number do from those of the index.
  Matches search(const Histograms& queries, const Vocabulary& vocabulary,
                 const SearchOptions& options) const;

  /// The nearest rows of some rows of the index; a row is left out of its own matches.
  Matches search_rows(std::span<const std::uint32_t> rows, const SearchOptions& options) const;

  /// All rows against all: search_rows for every row, at the speed of the machine. Rows without
  /// weight have no matches.
  ///
  /// With a checkpoint, work that was interrupted goes on from there and gives the same matches;
  /// counters, and the stages of proofs, speak of this call alone. The caller removes the file once
  /// the matches are safe. Throws Error(usage) where it belongs to another index or other options
  /// (the same memory among them), and Error(bad_input) where it is damaged.
  Matches knn(const SearchOptions& options, const Checkpoint& checkpoint = {}) const;

  /// Distances without pruning. Pairs with a row without weight are NaN. Returns how many pairs'
  /// sinkhorn stopped at its iteration limit.
  std::uint64_t distances(const MatrixRange& range, const Question& question, const RunOptions& run,
                          const DistanceSink& sink) const;

  /// Of given histograms to the rows [row_begin, row_end). NaN where one has no weight.
  std::uint64_t distances(const Histograms& queries, std::size_t row_begin, std::size_t row_end,
                          const Question& question, const RunOptions& run,
                          const LineSink& sink) const;

  /// The same over coordinates of their own, as in search().
  std::uint64_t distances(const Histograms& queries, const Vocabulary& vocabulary,
                          const RowRange& rows, const Question& question, const RunOptions& run,
                          const LineSink& sink) const;

  /// Of rows to rows, streamed to a two-dimensional float32 .npy file, written whole or not at all.
  void write_distances(const MatrixRange& range, const Question& question, const RunOptions& run,
                       const std::filesystem::path& path) const;

  /// Precision leave-one-out by row: rows with a label and weight ask, rows with weight are found.
  /// Throws Error(usage) where the index has no labels, a length exceeds the rows to find, or no
  /// row can ask.
  Evaluation evaluate(const EvaluateOptions& options) const;

  /// The same for a test set, whose labels are compared by name: queries with a label and weight
  /// ask. A label that no row has is asked for all the same, and counted.
  Evaluation evaluate(const LabelledQueries& test, const EvaluateOptions& options) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace navvy
