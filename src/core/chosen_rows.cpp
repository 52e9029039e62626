// Copies the bins of the chosen rows.
#include "core/chosen_rows.hpp"

#include <utility>
#include <vector>

namespace navvy::core {

Histograms chosen_rows(const Histograms& rows, std::span<const std::uint32_t> chosen) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
  std::vector<double> masses;
  for (const std::uint32_t row : chosen) {
    const Histogram histogram = rows[row];
    coordinates.insert(coordinates.end(), histogram.coordinates.begin(),
                       histogram.coordinates.end());
    weights.insert(weights.end(), histogram.weights.begin(), histogram.weights.end());
    offsets.push_back(coordinates.size());
    if (rows.has_masses()) masses.push_back(histogram.mass);
  }
  return {rows.vocabulary_size(), Array(std::move(offsets)), Array(std::move(coordinates)),
          Array(std::move(weights)), Array(std::move(masses))};
}

}  // namespace navvy::core
