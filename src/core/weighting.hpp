// What words weigh in the histogram of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "navvy/histograms.hpp"
#include "navvy/index.hpp"
#include "navvy/text.hpp"

namespace navvy::core {

/// Whether a weighting makes words light that stand in many documents, for which it must know them
/// all.
constexpr bool knows_collection(Weighting weighting) noexcept {
  return weighting == Weighting::tfidf || weighting == Weighting::bm25 ||
         weighting == Weighting::sif;
}

/// The weighting that the properties of an index tell; none where they tell none.
std::optional<Weighting> weighting_of(const Index& index);

/// Whether that of an index is such a one.
bool knows_collection(const Index& index);

/// A collection of documents that words are weighed against: how many there are, and by coordinate
/// how many of them have the word; under sif how often all of them together have it, and how many
/// words they have.
struct Frequencies {
  std::uint64_t documents = 0;
  std::span<const std::uint32_t> of;
  std::uint64_t tokens = 0;
};

/// What the words of an index are weighed against where the weighting asks for it: what it has, or
/// what its rows are.
void complete_frequencies(Index& index);

/// What the rows and the queries of an index are weighed against.
Frequencies frequencies_of(const Index& index);

/// What words weigh, depending on the collection of documents or on lengths of vectors where the
/// weighting says so.
class WordWeights {
 public:
  WordWeights(Weighting weighting, const Frequencies& frequencies, std::span<const float> lengths);

  /// Of a word that stands `count` > 0 times in a document, before scaling.
  [[nodiscard]] double operator()(std::uint32_t coordinate, std::uint32_t count) const noexcept;

  /// Of a word that none of the documents has; its vector has this length where anyone asks.
  [[nodiscard]] double of_new(std::uint32_t count, float length) const noexcept;

 private:
  [[nodiscard]] double weight(double factor, std::uint32_t count) const noexcept;

  Weighting weighting_;
  std::vector<double> factors_;  // per word, where the weighting has any
  double new_factor_ = 1;        // of a word that no document has, but under norm
};

/// Documents as compressed rows of word counts; bins as in Histograms.
struct CountRows {
  std::size_t vocabulary_size = 0;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<std::uint32_t> counts;
};

/// The histograms of these documents, which are their own collection. Takes counts that are
/// positive, so that no bin is dropped; `lengths` of coordinates serve the weighting norm.
Histograms weigh(Weighting weighting, const CountRows& rows, std::span<const float> lengths = {});

/// The rows of an index weighed against its frequencies; a count for each bin.
Histograms weighed_anew(const Index& index);

}  // namespace navvy::core
