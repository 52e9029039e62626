#pragma once

#include <cstddef>
#include <ostream>
#include <vector>

#include "support/random_histograms.hpp"

/// What RapidCheck needs to make a counterexample small and to print it.
namespace navvy::test {

/// A sample that can be edited.
struct LooseSample {
  struct Bin {
    std::uint32_t coordinate;
    double weight;
  };
  std::size_t dimensions = 0;
  std::vector<std::vector<float>> coordinates;
  std::vector<std::vector<Bin>> rows;

  explicit LooseSample(const Sample& sample) : dimensions(sample.vocabulary.dimensions()) {
    for (std::size_t id = 0; id < sample.vocabulary.size(); ++id) {
      const auto place = sample.vocabulary.coordinate(id);
      coordinates.emplace_back(place.begin(), place.end());
    }
    for (std::size_t row = 0; row < sample.rows.size(); ++row) {
      rows.emplace_back();
      for (std::size_t i = 0; i < sample.rows[row].size(); ++i) {
        rows.back().push_back({sample.rows[row].coordinates[i], sample.rows[row].weights[i]});
      }
    }
  }

  [[nodiscard]] bool every_row_has_weight() const {
    return std::all_of(rows.begin(), rows.end(), [](const std::vector<Bin>& row) {
      return std::any_of(row.begin(), row.end(), [](const Bin& bin) { return bin.weight > 0; });
    });
  }

  void remove_coordinate(std::uint32_t id) {
    coordinates.erase(coordinates.begin() + static_cast<std::ptrdiff_t>(id));
    for (std::vector<Bin>& row : rows) {
      std::erase_if(row, [&](const Bin& bin) { return bin.coordinate == id; });
      for (Bin& bin : row) bin.coordinate -= bin.coordinate > id ? 1 : 0;
    }
  }

  [[nodiscard]] Sample firm(const Sample& origin) const {
    std::vector<float> values;
    for (const std::vector<float>& place : coordinates) {
      values.insert(values.end(), place.begin(),
                    place.begin() + static_cast<std::ptrdiff_t>(dimensions));
    }
    HistogramsBuilder builder(coordinates.size(), ZeroBins::keep);
    for (const std::vector<Bin>& row : rows) {
      std::vector<std::uint32_t> ids;
      std::vector<double> weights;
      for (const Bin& bin : row) {
        ids.push_back(bin.coordinate);
        weights.push_back(bin.weight);
      }
      builder.add(ids, weights);
    }
    SampleShape shape = origin.shape;
    shape.dimensions = dimensions;
    shape.vocabulary_size = coordinates.size();
    return {shape, Vocabulary(dimensions, Array(std::move(values))), builder.build(), origin.seed};
  }
};

/// Samples with one thing less, the largest steps first. Each keeps what its shape promises.
inline std::vector<Sample> smaller_samples(const Sample& sample) {
  std::vector<Sample> smaller;
  const LooseSample origin(sample);
  const auto keep = [&](const LooseSample& loose) {
    if (loose.every_row_has_weight()) smaller.push_back(loose.firm(sample));
  };
  for (std::size_t fewer = 1; fewer < origin.dimensions; fewer *= 2) {
    LooseSample loose = origin;
    loose.dimensions = fewer;
    keep(loose);
  }
  for (std::uint32_t id = 0; id < origin.coordinates.size(); ++id) {
    LooseSample loose = origin;
    loose.remove_coordinate(id);
    keep(loose);
  }
  for (std::size_t row = 0; !sample.shape.shared_support && row < origin.rows.size(); ++row) {
    for (std::size_t i = 0; i < origin.rows[row].size(); ++i) {
      LooseSample loose = origin;
      loose.rows[row].erase(loose.rows[row].begin() + static_cast<std::ptrdiff_t>(i));
      keep(loose);
    }
  }
  return smaller;
}

/// How RapidCheck prints a counterexample.
inline void showValue(const Sample& sample, std::ostream& out) {
  const LooseSample loose(sample);
  const auto list = [&](const char* name, const auto& values, const auto& print) {
    out << name << ":";
    for (const auto& value : values) print(value);
    out << '\n';
  };
  out << loose.dimensions << " dimensions, seed " << sample.seed << '\n';
  for (std::size_t id = 0; id < loose.coordinates.size(); ++id) {
    const std::string name = "  coordinate " + std::to_string(id);
    list(name.c_str(), loose.coordinates[id], [&](float value) { out << ' ' << value; });
  }
  for (const std::vector<LooseSample::Bin>& row : loose.rows) {
    list("  row", row, [&](const LooseSample::Bin& bin) {
      out << ' ' << bin.weight << " at " << bin.coordinate << ',';
    });
  }
}

}  // namespace navvy::test
