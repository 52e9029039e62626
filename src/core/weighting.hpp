// What words weigh in the histogram of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "navvy/histograms.hpp"
#include "navvy/text.hpp"

namespace navvy::core {

/// A collection of documents that words are weighed against: how many there are, and by coordinate
/// how many of them have the word.
struct Frequencies {
  std::uint64_t documents = 0;
  std::span<const std::uint32_t> of;
};

/// By coordinate, how many documents have it; `coordinates` are the bins of all of them.
std::vector<std::uint32_t> document_frequencies(std::size_t vocabulary_size,
                                                std::span<const std::uint32_t> coordinates);

/// What words weigh, depending on the collection of documents where the weighting says so.
class WordWeights {
 public:
  /// Only tfidf looks at the frequencies.
  WordWeights(Weighting weighting, const Frequencies& frequencies);

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

/// The histograms of these documents, which are their own collection. Takes counts that are
/// positive, so that no bin is dropped.
Histograms weigh(Weighting weighting, const CountRows& rows);

/// The same rows weighed by tfidf against another collection; a count for each bin.
Histograms weighed_anew(const Histograms& rows, std::span<const std::uint32_t> counts,
                        const Frequencies& frequencies);

}  // namespace navvy::core
