// Counts of words to weights: by frequency, its logarithm, or tf-idf.
#include "core/weighting.hpp"

#include <cmath>
#include <string>

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

WordWeights::WordWeights(Weighting weighting, std::size_t documents, std::size_t vocabulary_size,
                         std::span<const std::uint32_t> coordinates)
    : weighting_(weighting) {
  if (weighting != Weighting::tfidf) return;
  factors_.assign(vocabulary_size, 0.0);
  for (const std::uint32_t coordinate : coordinates) factors_[coordinate] += 1;
  for (double& factor : factors_)
    factor = 1 + std::log((1 + static_cast<double>(documents)) / (1 + factor));
}

double WordWeights::operator()(std::uint32_t coordinate, std::uint32_t count) const noexcept {
  switch (weighting_) {
    case Weighting::log:
      return 1 + std::log(static_cast<double>(count));
    case Weighting::tfidf:
      return count * factors_[coordinate];
    case Weighting::tf:
      break;
  }
  return count;
}

Histograms weigh(Weighting weighting, const CountRows& rows) {
  const std::size_t size = rows.offsets.size() - 1;
  const WordWeights weight(weighting, size, rows.vocabulary_size, rows.coordinates);
  HistogramsBuilder builder(rows.vocabulary_size);
  std::vector<double> weights;
  for (std::size_t row = 0; row < size; ++row) {
    const std::size_t first = rows.offsets[row];
    const std::size_t count = rows.offsets[row + 1] - first;
    weights.clear();
    for (std::size_t bin = first; bin < first + count; ++bin)
      weights.push_back(weight(rows.coordinates[bin], rows.counts[bin]));
    builder.add(std::span(rows.coordinates).subspan(first, count), weights);
  }
  return builder.build();
}

}  // namespace core
}  // namespace navvy
