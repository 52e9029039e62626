// An index as Python holds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "navvy/index.hpp"
#include "navvy/search.hpp"
#include "options.hpp"

namespace navvy::python {

/// An index with what is prepared to search it. Any number of threads may call at once, without the
/// interpreter's lock. Queries are indexes as well, so that they are made by the same code as the
/// rows.
class Handle {
 public:
  using Range = std::pair<std::size_t, std::size_t>;

  explicit Handle(Index index) : index_(std::move(index)) {}

  [[nodiscard]] const Index& index() const noexcept { return index_; }

  Matches search(const Index& queries, const Options& options);
  Matches search_rows(std::span<const std::uint32_t> rows, const Options& options);
  Matches knn(const Options& options);
  /// Row-major: the rows of one range against those of the other.
  std::vector<float> distances(const Range& queries, const Range& rows, const Options& options);
  std::vector<double> distances(const Index& queries, const Range& rows, const Options& options);
  Evaluation evaluate(std::span<const std::size_t> tops, std::size_t queries,
                      const Options& options);

 private:
  /// Whoever computes keeps the searcher alive, since other threads may replace it meanwhile.
  using Ready = std::shared_ptr<const Searcher>;

  /// The searcher on that device, made by the first call that names it.
  Ready ready_for(const Options& options);
  /// The same, after coordinates that its index lacks have been added.
  Ready ready_for(const Vocabulary& vocabulary, const Options& options);

  Index index_;
  std::mutex mutex_;
  // By who computes, over the index and the coordinates that queries had besides.
  std::map<std::string, Ready> searchers_;
};

}  // namespace navvy::python
