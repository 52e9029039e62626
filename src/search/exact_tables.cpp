#include "search/exact_tables.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace navvy::search {
namespace {

// Enough that few rows are left to dearer bounds; each costs as much memory as the rows of an image
// have bins.
constexpr std::size_t line_count = 8;

// Unit vectors: evenly turned in the plane; the axes and fixed random ones in space.
std::vector<std::vector<double>> directions(std::size_t dimensions) {
  if (dimensions == 1) return {{1.0}};
  std::vector<std::vector<double>> result;
  std::mt19937_64 rng(1);
  for (std::size_t line = 0; line < line_count; ++line) {
    std::vector<double> direction(dimensions, 0.0);
    if (dimensions == 2) {
      const double angle = std::numbers::pi * static_cast<double>(line) / line_count;
      direction = {std::cos(angle), std::sin(angle)};
    } else if (line < dimensions) {
      direction[line] = 1;
    } else {
      for (double& x : direction) x = static_cast<double>(rng() >> 11U) * 0x1p-52 - 1;
      const double length =
          std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
      for (double& x : direction) x /= length;
    }
    result.push_back(std::move(direction));
  }
  return result;
}

double mass_of(const Histogram& histogram) {
  double mass = 0;
  for (const float weight : histogram.weights) mass += static_cast<double>(weight);
  return mass;
}

bool projected(const Vocabulary& vocabulary, double threshold) {
  return vocabulary.dimensions() <= Projections::max_dimensions && std::isinf(threshold);
}

// Twice the largest distance from one coordinate: at least the diameter, by the triangle.
double diameter_bound(const Vocabulary& vocabulary) {
  double farthest = 0;
  for (std::size_t id = 1; id < vocabulary.size(); ++id)
    farthest = std::max(farthest, ground_distance(vocabulary, 0, id));
  return 2 * farthest;
}

}  // namespace

Projections::Projections(const Vocabulary& vocabulary, const Histograms& rows,
                         core::ThreadPool& pool) {
  for (const std::vector<double>& direction : directions(vocabulary.dimensions())) {
    lines_.push_back(make_line(vocabulary, direction));
    longest_ = std::max(longest_, lines_.back().length * intervals);
  }
  shadows_ = core::Buffer<float>(rows.size() * width());
  constexpr std::size_t block = 256;
  pool.run((rows.size() + block - 1) / block, [&](std::size_t b, unsigned) {
    const std::size_t last = std::min((b + 1) * block, rows.size());
    for (std::size_t row = b * block; row < last; ++row)
      fill_shadow(rows[row], shadows_.data() + row * width());
  });
}

std::uint64_t Projections::memory(std::size_t dimensions, std::size_t rows) noexcept {
  const std::size_t lines = dimensions == 1 ? 1 : line_count;
  return std::uint64_t{rows} * lines * intervals * sizeof(float);
}

Projections::Line Projections::make_line(const Vocabulary& vocabulary,
                                         std::span<const double> direction) {
  Line line;
  for (std::size_t id = 0; id < vocabulary.size(); ++id) {
    const auto point = vocabulary.coordinate(id);
    double place = 0;
    for (std::size_t d = 0; d < direction.size(); ++d)
      place += direction[d] * static_cast<double>(point[d]);
    line.position.push_back(place);
  }
  if (line.position.empty()) return line;
  const auto [first, last] = std::ranges::minmax(line.position);
  line.length = (last - first) / intervals;
  for (double& place : line.position) place = line.length > 0 ? (place - first) / line.length : 0;
  return line;
}

// A weight at position t fills the interval it lies in from t on, and all later ones.
void Projections::fill_shadow(const Histogram& histogram, float* out) const {
  const double mass = mass_of(histogram);
  for (const Line& line : lines_) {
    double part[intervals + 1] = {};
    double whole[intervals + 1] = {};
    for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
      const double position = line.position[histogram.coordinates[bin]];
      const auto interval = std::min(static_cast<std::size_t>(position), intervals - 1);
      const auto weight = static_cast<double>(histogram.weights[bin]);
      part[interval] += weight * (static_cast<double>(interval + 1) - position);
      whole[interval + 1] += weight;
    }
    double before = 0;
    for (std::size_t i = 0; i < intervals; ++i) {
      before += whole[i];
      *out++ = mass > 0 ? static_cast<float>(line.length * (part[i] + before) / mass) : 0.0F;
    }
  }
}

std::vector<float> Projections::shadow(const Histogram& histogram) const {
  std::vector<float> result(width());
  fill_shadow(histogram, result.data());
  return result;
}

float Projections::distance(std::span<const float> shadow, std::size_t row) const noexcept {
  const float* a = shadow.data();
  const float* b = shadows_.data() + row * width();
  float largest = 0;
  for (std::size_t line = 0; line < lines_.size(); ++line, a += intervals, b += intervals) {
    float sums[lanes] = {};
    for (std::size_t i = 0; i < intervals; i += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        sums[lane] += std::abs(a[i + lane] - b[i + lane]);
    float sum = 0;
    for (const float lane : sums) sum += lane;
    largest = std::max(largest, sum);
  }
  return largest;
}

std::uint64_t ExactTables::memory(const Vocabulary& vocabulary, double threshold,
                                  std::size_t rows) noexcept {
  const std::uint64_t masses = rows * sizeof(double);
  if (!projected(vocabulary, threshold)) return masses;
  return masses + Projections::memory(vocabulary.dimensions(), rows);
}

ExactTables::ExactTables(const Vocabulary& vocabulary, double threshold, const Histograms& rows,
                         core::ThreadPool& pool)
    : diameter(std::min(diameter_bound(vocabulary), threshold)) {
  masses.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) masses.push_back(mass_of(rows[row]));
  if (projected(vocabulary, threshold)) projections.emplace(vocabulary, rows, pool);
}

}  // namespace navvy::search
