// Rows of bins: their checks, and how they are put together.
#include "navvy/histograms.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "navvy/error.hpp"
#include "navvy/fields.hpp"

namespace navvy {
namespace {

[[noreturn]] void fail(std::size_t row, const std::string& message) {
  throw Error(ErrorCode::bad_input, "histogram row " + std::to_string(row) + ": " + message);
}

// Says what is wrong with a row that the fast check has refused.
[[noreturn]] void explain(std::size_t row, const Histogram& histogram, std::size_t size) {
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    const std::uint32_t coordinate = histogram.coordinates[i];
    if (coordinate >= size)
      fail(row, "bin " + std::to_string(i) + " has coordinate " + std::to_string(coordinate) +
                    ", but the vocabulary has " + std::to_string(size));
    if (i > 0 && coordinate <= histogram.coordinates[i - 1])
      fail(row, "bin " + std::to_string(i) + " has coordinate " + std::to_string(coordinate) +
                    ", which does not exceed the one before");
    if (!std::isfinite(histogram.weights[i]) || histogram.weights[i] < 0)
      fail(row, "bin " + std::to_string(i) + " has weight " + std::to_string(histogram.weights[i]) +
                    ", expected a finite number of at least 0");
  }
  fail(row, "invalid");
}

// Written without branches so that compilers vectorise it: opening an index checks every bin.
bool row_is_valid(const Histogram& histogram, std::size_t size) {
  const std::size_t count = histogram.size();
  if (count == 0) return true;
  const std::uint32_t* coordinates = histogram.coordinates.data();
  const float* weights = histogram.weights.data();
  unsigned bad = 0;
  for (std::size_t i = 1; i < count; ++i)
    bad |= static_cast<unsigned>(coordinates[i] <= coordinates[i - 1]);
  for (std::size_t i = 0; i < count; ++i)
    bad |= static_cast<unsigned>(!(weights[i] >= 0 && weights[i] <= 3.0e38F));
  return bad == 0 && coordinates[count - 1] < size;
}

void check_masses(const Histograms& rows) {
  const Array<double>& masses = rows.masses();
  if (masses.empty()) return;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (is_empty(rows[row]) ? masses[row] == 0 : masses[row] > 0 && std::isfinite(masses[row]))
      continue;
    fail(row, "its mass is " + number_text(masses[row]) + ", expected " +
                  (is_empty(rows[row]) ? "0, since it has no weight" : "a finite number above 0"));
  }
}

}  // namespace

bool is_empty(const Histogram& histogram) noexcept {
  return std::none_of(histogram.weights.begin(), histogram.weights.end(),
                      [](float weight) { return weight > 0; });
}

Histograms::Histograms(std::size_t vocabulary_size, Array<std::uint64_t> offsets,
                       Array<std::uint32_t> coordinates, Array<float> weights, Array<double> masses)
    : vocabulary_size_(vocabulary_size),
      offsets_(std::move(offsets)),
      coordinates_(std::move(coordinates)),
      weights_(std::move(weights)),
      masses_(std::move(masses)) {
  const std::uint64_t bins = coordinates_.size();
  if (weights_.size() != bins)
    throw Error(ErrorCode::bad_input, "histograms: " + std::to_string(weights_.size()) +
                                          " weights for " + std::to_string(bins) + " bins");
  // First of all: a row is looked at with its mass.
  if (!masses_.empty() && masses_.size() != size())
    throw Error(ErrorCode::bad_input, "histograms: " + std::to_string(masses_.size()) +
                                          " masses for " + std::to_string(size()) + " rows");
  if (offsets_.empty() ? bins != 0 : offsets_[0] != 0)
    throw Error(ErrorCode::bad_input, "histograms: offsets do not start at 0");
  for (std::size_t row = 0; row < size(); ++row) {
    if (offsets_[row + 1] < offsets_[row] || offsets_[row + 1] > bins)
      fail(row, "ends at bin " + std::to_string(offsets_[row + 1]) + ", expected between " +
                    std::to_string(offsets_[row]) + " and " + std::to_string(bins));
    const Histogram histogram = (*this)[row];
    if (!row_is_valid(histogram, vocabulary_size_)) explain(row, histogram, vocabulary_size_);
  }
  if (!offsets_.empty() && offsets_[size()] != bins)
    throw Error(ErrorCode::bad_input, "histograms: the last row ends at bin " +
                                          std::to_string(offsets_[size()]) + ", expected " +
                                          std::to_string(bins));
  check_masses(*this);
}

HistogramsBuilder::HistogramsBuilder(std::size_t vocabulary_size, ZeroBins zero_bins)
    : vocabulary_size_(vocabulary_size), zero_bins_(zero_bins) {}

void HistogramsBuilder::add(std::span<const std::uint32_t> coordinates,
                            std::span<const double> weights) {
  if (coordinates.size() != weights.size())
    fail(size(), std::to_string(weights.size()) + " weights for " +
                     std::to_string(coordinates.size()) + " coordinates");
  row_.clear();
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (coordinates[i] >= vocabulary_size_)
      fail(size(), "bin " + std::to_string(i) + " has coordinate " +
                       std::to_string(coordinates[i]) + ", but the vocabulary has " +
                       std::to_string(vocabulary_size_));
    if (!std::isfinite(weights[i]) || weights[i] < 0)
      fail(size(), "coordinate " + std::to_string(coordinates[i]) + " has weight " +
                       std::to_string(weights[i]) + ", expected a finite number of at least 0");
    row_.push_back({coordinates[i], weights[i]});
  }
  const auto by_coordinate = [](const Bin& a, const Bin& b) { return a.coordinate < b.coordinate; };
  if (!std::is_sorted(row_.begin(), row_.end(), by_coordinate))
    std::stable_sort(row_.begin(), row_.end(), by_coordinate);

  // Merge duplicates in place; the sum is over the merged bins so that its order is fixed.
  std::size_t kept = 0;
  for (const Bin& bin : row_) {
    if (kept > 0 && row_[kept - 1].coordinate == bin.coordinate)
      row_[kept - 1].weight += bin.weight;
    else
      row_[kept++] = bin;
  }
  row_.resize(kept);
  double sum = 0;
  for (const Bin& bin : row_) sum += bin.weight;
  if (!std::isfinite(sum)) fail(size(), "the sum of its weights is not finite");

  for (const Bin& bin : row_) {
    const auto weight = sum > 0 ? static_cast<float>(bin.weight / sum) : 0.0F;
    // A positive weight may round to zero here; such a bin carries no mass and is a zero bin.
    if (zero_bins_ == ZeroBins::drop && weight == 0) continue;
    coordinates_.push_back(bin.coordinate);
    weights_.push_back(weight);
  }
  offsets_.push_back(coordinates_.size());
  masses_.push_back(sum);
}

Histograms HistogramsBuilder::build() {
  Histograms result(vocabulary_size_, Array(std::move(offsets_)), Array(std::move(coordinates_)),
                    Array(std::move(weights_)), Array(std::move(masses_)));
  offsets_.assign(1, 0);
  coordinates_.clear();
  weights_.clear();
  masses_.clear();
  return result;
}

}  // namespace navvy
