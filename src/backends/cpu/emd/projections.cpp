// Shadows of all rows on a few lines, and their distances.
#include "backends/cpu/emd/projections.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace navvy::backends {
namespace {

// In the plane four lines leave few more rows to dearer bounds than eight, for half of the memory
// and of the time to make them, which a single search feels.
std::size_t lines_in(std::size_t dimensions) {
  return dimensions == 1 ? 1 : dimensions == 2 ? 4 : Projections::max_lines;
}

// Unit vectors: evenly turned in the plane; the axes and fixed random ones in space.
std::vector<std::vector<double>> directions(std::size_t dimensions) {
  const std::size_t line_count = lines_in(dimensions);
  if (dimensions == 1) return {{1.0}};
  std::vector<std::vector<double>> result;
  std::mt19937_64 rng(1);
  for (std::size_t line = 0; line < line_count; ++line) {
    std::vector<double> direction(dimensions, 0.0);
    if (dimensions == 2) {
      const double angle =
          std::numbers::pi * static_cast<double>(line) / static_cast<double>(line_count);
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

// Asked for before anything is made.
core::Reservation reserve_tables(const Ground& ground, std::size_t rows,
                                 const core::Budget& budget) {
  const std::uint64_t masses = std::uint64_t{rows} * sizeof(double);
  if (!ExactTables::has_projections(ground))
    return budget.reserve(masses, "the masses of all rows");
  return budget.reserve(masses + Projections::memory(ground.vocabulary(), rows),
                        "the projections of all rows");
}

}  // namespace

Projections::Projections(const Vocabulary& vocabulary, const Histograms& rows,
                         std::span<double> masses, const core::Run& run) {
  const auto lines = directions(vocabulary.dimensions());
  places_.resize(vocabulary.size() * lines.size());
  for (std::size_t line = 0; line < lines.size(); ++line) {
    lengths_.push_back(0);
    if (vocabulary.size() > 0) place_all(vocabulary, lines[line], line, lines.size());
    longest_ = std::max(longest_, lengths_.back() * intervals);
  }
  shadows_ = core::Buffer<float>(rows.size() * width());
  constexpr std::size_t block = 256;
  run.pool.run((rows.size() + block - 1) / block, [&](std::size_t b, unsigned) {
    const std::size_t last = std::min((b + 1) * block, rows.size());
    for (std::size_t row = b * block; row < last; ++row)
      masses[row] = fill_shadow(rows[row], shadows_.data() + row * width());
  });
}

std::uint64_t Projections::memory(const Vocabulary& vocabulary, std::size_t rows) noexcept {
  return lines_in(vocabulary.dimensions()) *
         (std::uint64_t{rows} * intervals * sizeof(float) + vocabulary.size() * sizeof(Place));
}

void Projections::place_all(const Vocabulary& vocabulary, std::span<const double> direction,
                            std::size_t line, std::size_t lines) {
  std::vector<double> positions;
  for (std::size_t id = 0; id < vocabulary.size(); ++id) {
    const auto point = vocabulary.coordinate(id);
    double position = 0;
    for (std::size_t d = 0; d < direction.size(); ++d)
      position += direction[d] * static_cast<double>(point[d]);
    positions.push_back(position);
  }
  const auto [first, last] = std::ranges::minmax(positions);
  const double length = (last - first) / intervals;
  lengths_[line] = length;
  for (std::size_t id = 0; id < vocabulary.size(); ++id) {
    const double position = length > 0 ? (positions[id] - first) / length : 0;
    const auto interval = std::min(static_cast<std::size_t>(position), intervals - 1);
    places_[id * lines + line] = {static_cast<double>(interval + 1) - position,
                                  static_cast<std::uint32_t>(interval)};
  }
}

// A weight at a place fills the interval it lies in from there on, and all later ones. What each
// interval has more than the one before is added up first: two numbers per weight and line, and
// lines do not wait for each other.
double Projections::fill_shadow(const Histogram& histogram, float* out) const {
  double steps[intervals + 1][max_lines] = {};
  double mass = 0;
  const std::size_t lines = lengths_.size();
  for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
    const auto weight = static_cast<double>(histogram.weights[bin]);
    const Place* places = places_.data() + histogram.coordinates[bin] * lines;
    for (std::size_t line = 0; line < lines; ++line) {
      const std::size_t interval = places[line].interval;
      const double filled = weight * places[line].filled;
      steps[interval][line] += filled;
      steps[interval + 1][line] += weight - filled;
    }
    mass += weight;
  }
  for (std::size_t i = 1; i < intervals; ++i)
    for (std::size_t line = 0; line < max_lines; ++line) steps[i][line] += steps[i - 1][line];
  for (std::size_t line = 0; line < lines; ++line) {
    const double scale = mass > 0 ? lengths_[line] / mass : 0;
    for (std::size_t i = 0; i < intervals; ++i) *out++ = static_cast<float>(scale * steps[i][line]);
  }
  return mass;
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
  for (std::size_t line = 0; line < lengths_.size(); ++line, a += intervals, b += intervals) {
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

bool ExactTables::has_projections(const Ground& ground) noexcept {
  return ground.promises().norm && ground.vocabulary().dimensions() <= Projections::max_dimensions;
}

ExactTables::ExactTables(const Ground& ground, const Histograms& rows, const core::Run& run)
    : reserved(reserve_tables(ground, rows.size(), run.budget)), masses(rows.size()) {
  if (has_projections(ground))
    projections.emplace(ground.vocabulary(), rows, masses, run);
  else
    for (std::size_t row = 0; row < rows.size(); ++row) masses[row] = mass_of(rows[row]);
}

}  // namespace navvy::backends
