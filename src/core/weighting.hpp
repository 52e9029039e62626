// What words weigh in the histogram of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "navvy/histograms.hpp"
#include "navvy/text.hpp"

namespace navvy::core {

/// What words weigh, depending on the collection of documents where the weighting says so.
class WordWeights {
 public:
  /// `coordinates` are the bins of all `documents` documents; only tfidf looks at them.
  WordWeights(Weighting weighting, std::size_t documents, std::size_t vocabulary_size,
              std::span<const std::uint32_t> coordinates);

  /// Of a word that stands `count` > 0 times in a document, before scaling.
  [[nodiscard]] double operator()(std::uint32_t coordinate, std::uint32_t count) const noexcept;

 private:
  Weighting weighting_;
  std::vector<double> factors_;  // per word, only for tfidf
};

/// Documents as compressed rows of word counts; bins as in Histograms.
struct CountRows {
  std::size_t vocabulary_size = 0;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<std::uint32_t> counts;
};

/// The histograms of these documents. Takes counts that are positive, so that no bin is dropped.
Histograms weigh(Weighting weighting, const CountRows& rows);

}  // namespace navvy::core
