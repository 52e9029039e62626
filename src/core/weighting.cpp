// Counts of words to weights: by frequency, its logarithm, or tf-idf.
#include "core/weighting.hpp"

#include <string>

#include "core/logarithm.hpp"
#include "navvy/error.hpp"

namespace navvy {

Weighting parse_weighting(std::string_view name) {
  for (const Weighting weighting : {Weighting::tf, Weighting::log, Weighting::tfidf})
    if (name == to_string(weighting)) return weighting;
  throw Error(ErrorCode::usage,
              "unknown weighting '" + std::string(name) + "'; expected tf, log or tfidf");
}

std::string to_string(Weighting weighting) {
  switch (weighting) {
    case Weighting::log:
      return "log";
    case Weighting::tfidf:
      return "tfidf";
    case Weighting::tf:
      break;
  }
  return "tf";
}

namespace core {

std::vector<std::uint32_t> document_frequencies(std::size_t vocabulary_size,
                                                std::span<const std::uint32_t> coordinates) {
  std::vector<std::uint32_t> frequencies(vocabulary_size);
  for (const std::uint32_t coordinate : coordinates) ++frequencies[coordinate];
  return frequencies;
}

WordWeights::WordWeights(Weighting weighting, const Frequencies& frequencies)
    : weighting_(weighting) {
  if (weighting != Weighting::tfidf) return;
  const auto documents = static_cast<double>(frequencies.documents);
  factors_.reserve(frequencies.of.size());
  for (const std::uint32_t frequency : frequencies.of)
    factors_.push_back(1 + natural_log((1 + documents) / (1 + static_cast<double>(frequency))));
}

double WordWeights::operator()(std::uint32_t coordinate, std::uint32_t count) const noexcept {
  switch (weighting_) {
    case Weighting::log:
      return 1 + natural_log(static_cast<double>(count));
    case Weighting::tfidf:
      return count * factors_[coordinate];
    case Weighting::tf:
      break;
  }
  return count;
}

namespace {

Histograms weighed(const WordWeights& weight, std::size_t vocabulary_size,
                   std::span<const std::uint64_t> offsets,
                   std::span<const std::uint32_t> coordinates,
                   std::span<const std::uint32_t> counts) {
  HistogramsBuilder builder(vocabulary_size);
  std::vector<double> weights;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    const std::size_t first = offsets[row];
    const std::size_t count = offsets[row + 1] - first;
    weights.clear();
    for (std::size_t bin = first; bin < first + count; ++bin)
      weights.push_back(weight(coordinates[bin], counts[bin]));
    builder.add(coordinates.subspan(first, count), weights);
  }
  return builder.build();
}

}  // namespace

Histograms weigh(Weighting weighting, const CountRows& rows) {
  const auto frequencies = document_frequencies(rows.vocabulary_size, rows.coordinates);
  const WordWeights weight(weighting, {rows.offsets.size() - 1, frequencies});
  return weighed(weight, rows.vocabulary_size, rows.offsets, rows.coordinates, rows.counts);
}

Histograms weighed_anew(const Histograms& rows, std::span<const std::uint32_t> counts,
                        const Frequencies& frequencies) {
  const WordWeights weight(Weighting::tfidf, frequencies);
  return weighed(weight, rows.vocabulary_size(), rows.offsets().span(), rows.coordinates().span(),
                 counts);
}

}  // namespace core
}  // namespace navvy
