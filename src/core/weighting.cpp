// Counts of words to weights: by frequency, by what the collection has, by lengths of vectors.
#include "core/weighting.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/logarithm.hpp"
#include "core/properties.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace {

constexpr std::array<std::pair<Weighting, std::string_view>, 6> weightings{{
    {Weighting::tf, "tf"},
    {Weighting::log, "log"},
    {Weighting::tfidf, "tfidf"},
    {Weighting::bm25, "bm25"},
    {Weighting::sif, "sif"},
    {Weighting::norm, "norm"},
}};

std::optional<Weighting> weighting_called(std::string_view name) {
  for (const auto& [weighting, known] : weightings)
    if (name == known) return weighting;
  return {};
}

}  // namespace

Weighting parse_weighting(std::string_view name) {
  std::string plain;  // TF-IDF is tfidf
  for (const char c : name) {
    if (std::string_view(" \t-_").find(c) != std::string_view::npos) continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  if (const auto weighting = weighting_called(plain)) return *weighting;
  throw Error(ErrorCode::usage, "unknown weighting '" + std::string(name) +
                                    "'; expected tf, log, tfidf, bm25, sif or norm");
}

std::string to_string(Weighting weighting) {
  return std::string(weightings[static_cast<std::size_t>(weighting)].second);
}

namespace core {
namespace {

// By coordinate, how many documents have it; `coordinates` are the bins of all of them.
std::vector<std::uint32_t> document_frequencies(std::size_t vocabulary_size,
                                                std::span<const std::uint32_t> coordinates) {
  std::vector<std::uint32_t> frequencies(vocabulary_size);
  for (const std::uint32_t coordinate : coordinates) ++frequencies[coordinate];
  return frequencies;
}

// By coordinate, how often it stands in all of them; what is beyond 2^32 - 1 counts as that.
std::vector<std::uint32_t> token_frequencies(std::size_t vocabulary_size,
                                             std::span<const std::uint32_t> coordinates,
                                             std::span<const std::uint32_t> counts) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> frequencies(vocabulary_size);
  for (std::size_t bin = 0; bin < std::min(counts.size(), coordinates.size()); ++bin) {
    std::uint32_t& sum = frequencies[coordinates[bin]];
    sum = counts[bin] > most - sum ? most : sum + counts[bin];
  }
  return frequencies;
}

std::vector<std::uint32_t> own_frequencies(Weighting weighting, std::size_t vocabulary_size,
                                           std::span<const std::uint32_t> coordinates,
                                           std::span<const std::uint32_t> counts) {
  if (weighting == Weighting::sif) return token_frequencies(vocabulary_size, coordinates, counts);
  return document_frequencies(vocabulary_size, coordinates);
}

std::uint64_t sum_of(std::span<const std::uint32_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

double inverse_frequency(std::uint64_t documents, std::uint32_t frequency) {
  return 1 +
         natural_log((1 + static_cast<double>(documents)) / (1 + static_cast<double>(frequency)));
}

double smooth_inverse_frequency(std::uint64_t tokens, std::uint32_t frequency) {
  constexpr double a = 1e-3;
  const double share =
      tokens == 0 ? 0 : static_cast<double>(frequency) / static_cast<double>(tokens);
  return a / (a + share);
}

// Words without any length weigh next to nothing, yet more than 0: they are bins all the same.
double norm_factor(float length) {
  constexpr double least = 1e-30;
  return std::max(least, static_cast<double>(length));
}

}  // namespace

std::optional<Weighting> weighting_of(const Index& index) {
  return weighting_called(property::get(index, property::weighting));
}

bool knows_collection(const Index& index) {
  const auto weighting = weighting_of(index);
  return weighting && knows_collection(*weighting);
}

void complete_frequencies(Index& index) {
  if (!knows_collection(index) || !index.frequencies.empty()) return;
  const auto counts = index.counts.span();
  const bool is_sif = *weighting_of(index) == Weighting::sif;
  index.frequencies = Array(own_frequencies(*weighting_of(index), index.vocabulary.size(),
                                            index.rows.coordinates().span(), counts));
  index.documents = index.rows.size();
  index.tokens = is_sif ? sum_of(counts) : 0;
}

Frequencies frequencies_of(const Index& index) {
  return {index.documents, index.frequencies.span(), index.tokens};
}

WordWeights::WordWeights(Weighting weighting, const Frequencies& frequencies,
                         std::span<const float> lengths)
    : weighting_(weighting) {
  if (weighting == Weighting::norm)
    for (const float length : lengths) factors_.push_back(norm_factor(length));
  if (!knows_collection(weighting)) return;
  const auto factor = [&](std::uint32_t frequency) {
    return weighting == Weighting::sif ? smooth_inverse_frequency(frequencies.tokens, frequency)
                                       : inverse_frequency(frequencies.documents, frequency);
  };
  factors_.reserve(frequencies.of.size());
  for (const std::uint32_t frequency : frequencies.of) factors_.push_back(factor(frequency));
  new_factor_ = factor(0);
}

double WordWeights::operator()(std::uint32_t coordinate, std::uint32_t count) const noexcept {
  return weight(factors_.empty() ? 1 : factors_[coordinate], count);
}

double WordWeights::of_new(std::uint32_t count, float length) const noexcept {
  return weight(weighting_ == Weighting::norm ? norm_factor(length) : new_factor_, count);
}

double WordWeights::weight(double factor, std::uint32_t count) const noexcept {
  constexpr double saturation = 1.2;
  switch (weighting_) {
    case Weighting::log:
      return 1 + natural_log(static_cast<double>(count));
    case Weighting::tfidf:
    case Weighting::sif:
    case Weighting::norm:
      return count * factor;
    case Weighting::bm25:
      return count / (count + saturation) * factor;
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

Histograms weigh(Weighting weighting, const CountRows& rows, std::span<const float> lengths) {
  const auto frequencies =
      own_frequencies(weighting, rows.vocabulary_size, rows.coordinates, rows.counts);
  const WordWeights weight(weighting, {rows.offsets.size() - 1, frequencies, sum_of(rows.counts)},
                           lengths);
  return weighed(weight, rows.vocabulary_size, rows.offsets, rows.coordinates, rows.counts);
}

Histograms weighed_anew(const Index& index) {
  const WordWeights weight(weighting_of(index).value_or(Weighting::tf), frequencies_of(index),
                           index.vocabulary.lengths().span());
  const Histograms& rows = index.rows;
  return weighed(weight, rows.vocabulary_size(), rows.offsets().span(), rows.coordinates().span(),
                 index.counts.span());
}

}  // namespace core
}  // namespace navvy
