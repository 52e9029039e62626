// Evaluates the functions that solves leave at the coordinates of some rows.
#include "backends/cpu/emd/potentials.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace navvy::backends {
namespace {

constexpr std::uint32_t none = 0xffffffff;

}  // namespace

PotentialBounds::PotentialBounds(const Engine& engine, const ExactTables& tables,
                                 const QueryAgainstRows& ground)
    : engine_(engine),
      tables_(tables),
      ground_(ground),
      values_(engine.index.vocabulary.size() * lanes),
      round_(engine.index.vocabulary.size(), 0),
      place_(engine.index.vocabulary.size(), none) {}

void PotentialBounds::set_query(const Histogram& query) {
  query_ = query;
  std::ranges::fill(place_, none);
  places_ = 0;
  query_mass_ = std::accumulate(query.weights.begin(), query.weights.end(), 0.0);
}

void PotentialBounds::set_functions(std::span<const std::vector<double>> g,
                                    std::span<const std::uint32_t> rows, const core::Run& run) {
  // Bins without a value never give the minimum. Lanes that are not used repeat the first.
  constexpr float never = -1e30F;
  g_.assign(query_.size() * lanes, never);
  double largest = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::vector<double>& values = g[lane < g.size() ? lane : 0];
    // A constant added to f changes no bound; small values round best.
    const double shift = *std::ranges::max_element(values);
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
      if (!std::isfinite(values[bin])) continue;
      g_[bin * lanes + lane] = static_cast<float>(values[bin] - shift);
      largest = std::max(largest, shift - values[bin]);
    }
  }
  // Every value of f is off by the error of one distance and one rounded difference, and counts
  // once for the row and once for the query.
  const Promises& promises = engine_.ground.promises();
  slack_ = 2 * (promises.relative_error + 0x1p-22) * (promises.diameter + largest);

  ++present_;
  wanted_.clear();
  const auto want = [&](std::uint32_t coordinate) {
    if (round_[coordinate] == present_) return;
    round_[coordinate] = present_;
    wanted_.push_back(coordinate);
  };
  for (const std::uint32_t coordinate : query_.coordinates) want(coordinate);
  for (const std::uint32_t row : rows)
    for (const std::uint32_t coordinate : engine_.rows.sources()[row].coordinates) want(coordinate);
  const std::uint32_t first_new = places_;
  for (const std::uint32_t coordinate : wanted_)
    if (place_[coordinate] == none) place_[coordinate] = places_++;
  distances_.resize(places_ * query_.size());
  constexpr std::size_t block = 64;
  run.pool.run((wanted_.size() + block - 1) / block, [&](std::size_t b, unsigned) {
    const std::size_t last = std::min((b + 1) * block, wanted_.size());
    for (std::size_t i = b * block; i < last; ++i) evaluate(wanted_[i], first_new);
  });
  mean_over(query_, query_mass_, query_means_);
}

void PotentialBounds::evaluate(std::uint32_t coordinate, std::uint32_t first_new) {
  const std::uint32_t place = place_[coordinate];
  const auto distances = std::span(distances_).subspan(place * query_.size(), query_.size());
  if (place >= first_new) ground_.distances(coordinate, distances);
  engine_.rows.kernels().least_differences(distances.data(), distances.size(), g_.data(),
                                           values_.data() + coordinate * lanes);
}

void PotentialBounds::mean_over(const Histogram& histogram, double mass,
                                double (&means)[lanes]) const {
  double sums[lanes] = {};
  for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
    const auto weight = static_cast<double>(histogram.weights[bin]);
    const float* values = values_.data() + histogram.coordinates[bin] * lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      sums[lane] += weight * static_cast<double>(values[lane]);
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) means[lane] = sums[lane] / mass;
}

double PotentialBounds::lower_bound(std::uint32_t row) const {
  double means[lanes];
  mean_over(engine_.rows.sources()[row], tables_.masses[row], means);
  double largest = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane)
    largest = std::max(largest, means[lane] - query_means_[lane]);
  return largest - slack_;
}

}  // namespace navvy::backends
