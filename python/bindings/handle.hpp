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

/// The property that tells that labels were given as integers. It says nothing of how rows were
/// made.
inline constexpr const char* label_type_property = "label_type";

/// An index with what is prepared to search it. Any number of threads may call at once, without the
/// interpreter's lock. Queries are indexes as well, so that they are made by the same code as the
/// rows.
class Handle {
 public:
  using Range = std::pair<std::size_t, std::size_t>;

  /// Which queries an evaluation asks with, and for how many neighbours.
  struct Sampling {
    std::vector<std::size_t> tops;
    std::size_t queries = 0;
    std::uint64_t seed = usual_seed;
  };

  /// A test set: queries made as the rows were, and the names of their labels.
  struct Test {
    const Index& queries;
    std::vector<std::string> labels;
  };

  explicit Handle(Index index) : index_(std::move(index)) {}

  [[nodiscard]] const Index& index() const noexcept { return index_; }

  /// Whether all labels are integers, given as such. The first call looks at each distinct one.
  [[nodiscard]] bool has_integer_labels() const;

  /// Of queries made of texts: the words of each without a vector.
  std::vector<std::vector<std::string>> unknown;

  Matches search(const Index& queries, const Options& options);
  Matches search_rows(std::span<const std::uint32_t> rows, const Options& options);
  Matches knn(const Options& options);
  /// Row-major: the rows of one range against those of the other; and how many pairs' sinkhorn
  /// stopped at its iteration limit.
  std::pair<std::vector<float>, std::uint64_t> distances(const Range& queries, const Range& rows,
                                                         const Options& options);
  std::pair<std::vector<double>, std::uint64_t> distances(const Index& queries, const Range& rows,
                                                          const Options& options);
  /// `test`: null: the rows ask.
  Evaluation evaluate(const Sampling& sampling, const Test* test, const Options& options);

 private:
  using Ready = std::shared_ptr<const Searcher>;

  /// The searcher on that device, made by the first call that names it.
  Ready ready_for(const Options& options);

  Index index_;
  mutable std::once_flag labels_seen_;
  mutable bool integer_labels_ = false;
  std::mutex mutex_;
  std::map<std::string, Ready> searchers_;  // by who computes
};

}  // namespace navvy::python
