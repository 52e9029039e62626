// An index as Python holds it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "navvy/index.hpp"
#include "navvy/search.hpp"

namespace navvy::python {

/// An index with what is prepared to search it. Any number of threads may call at once, without the
/// interpreter's lock. Queries are indexes as well, so that they are made by the same code as the
/// rows.
class Handle {
 public:
  using Range = std::pair<std::size_t, std::size_t>;

  explicit Handle(Index index)
      : index_(std::move(index)), searcher_(std::make_shared<const Searcher>(index_)) {}

  [[nodiscard]] const Index& index() const noexcept { return index_; }

  Matches search(const Index& queries, const SearchOptions& options);
  [[nodiscard]] Matches search_rows(std::span<const std::uint32_t> rows,
                                    const SearchOptions& options) const;
  [[nodiscard]] Matches knn(const SearchOptions& options) const;
  /// Row-major: the rows of one range against those of the other.
  [[nodiscard]] std::vector<float> distances(const Range& queries, const Range& rows,
                                             const SearchOptions& options) const;
  std::vector<double> distances(const Index& queries, const Range& rows,
                                const SearchOptions& options);
  [[nodiscard]] Evaluation evaluate(std::span<const std::size_t> tops, std::size_t queries,
                                    const SearchOptions& options) const;

 private:
  /// Whoever computes keeps the searcher alive, since other threads may replace it meanwhile.
  using Ready = std::shared_ptr<const Searcher>;

  /// The searcher, after coordinates that its index lacks have been added.
  Ready ready_for(const Vocabulary& vocabulary);

  Index index_;
  std::atomic<Ready> searcher_;  // over the index and the coordinates that queries had besides
};

}  // namespace navvy::python
