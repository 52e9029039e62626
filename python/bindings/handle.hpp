#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "navvy/index.hpp"
#include "navvy/search.hpp"

namespace navvy::python {

/// An index as Python holds it: with what is prepared to search it, safe to use from several
/// threads. Queries are indexes as well, so that they are made by the same code as the rows.
class Handle {
 public:
  explicit Handle(Index index) : index_(std::move(index)), wide_(index_) {}

  [[nodiscard]] const Index& index() const noexcept { return index_; }

  Matches search(const Index& queries, const SearchOptions& options);
  Matches search_rows(std::span<const std::uint32_t> rows, const SearchOptions& options);
  Matches knn(const SearchOptions& options);
  /// Row-major: the rows of `range.query_*` against those of `range.row_*`.
  std::vector<float> distances(const MatrixRange& range, const RunOptions& options);
  Evaluation evaluate(std::span<const std::size_t> tops, std::size_t queries,
                      const RunOptions& options);

 private:
  Searcher& searcher();
  /// The same, after coordinates that the index lacks have been added.
  Searcher& searcher_for(const Vocabulary& vocabulary);

  Index index_;
  std::mutex mutex_;
  Index wide_;  // the index with the coordinates that queries had besides
  std::optional<Searcher> searcher_;
};

/// Rows over the columns of a matrix as rows over the coordinates of an index. Throws
/// Error(bad_input) naming a coordinate that the index does not have.
Histograms over_vocabulary(const Histograms& rows, const Vocabulary& vocabulary);

/// Adds coordinates that the index lacks; false where it has them all. Throws Error(bad_input)
/// where those of the same number differ.
bool extend(Index& index, const Vocabulary& more);

/// Rows over one vocabulary as rows over another that has all their coordinates.
Histograms renumbered(const Histograms& rows, const Vocabulary& from, const Vocabulary& to);

}  // namespace navvy::python
