// What the kernels compute, as plain loops over small made-up histograms.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace navvy::test {

/// As the kernels have it: the highest bit marks the last bin of a piece.
struct DeviceBin {
  std::uint32_t coordinate;
  float weight;
  [[nodiscard]] std::uint32_t id() const { return coordinate & 0x7fffffffu; }
  [[nodiscard]] bool ends_piece() const { return coordinate >> 31 != 0; }
};

/// Sizes that divide nothing.
struct SmallData {
  std::uint32_t size = 55;
  std::uint32_t dimensions = 19;
  std::uint32_t rows = 9;
  float largest = 14.0f;  ///< of the squared distances
  std::vector<float> coordinates;
  std::vector<std::uint64_t> offsets{0};
  std::vector<DeviceBin> bins;

  SmallData() {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(-1.0f, 1.0f);
    coordinates.resize(std::size_t{size} * dimensions);
    for (float& x : coordinates) x = number(random);
    // Two coordinates at one place: a tie.
    std::copy_n(&coordinates[3 * dimensions], dimensions, &coordinates[7 * dimensions]);
    for (std::uint32_t row = 0; row < rows; ++row) {
      std::vector<std::uint32_t> ids(size);
      std::iota(ids.begin(), ids.end(), 0u);
      std::shuffle(ids.begin(), ids.end(), random);
      ids.resize(1 + row * 7 % 20);
      std::sort(ids.begin(), ids.end());
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool last = i + 1 == ids.size() || i % 4 == 3;
        bins.push_back({ids[i] | (last ? 0x80000000u : 0u), 0.01f + std::abs(number(random))});
      }
      offsets.push_back(bins.size());
    }
  }

  [[nodiscard]] std::span<const DeviceBin> row(std::size_t number) const {
    return std::span(bins).subspan(offsets[number], offsets[number + 1] - offsets[number]);
  }
  [[nodiscard]] const float* at(std::uint32_t id) const {
    return &coordinates[std::size_t{id} * dimensions];
  }
};

inline float plain_dot(const float* a, const float* b, std::size_t dimensions) {
  float sum = 0.0f;
  for (std::size_t d = 0; d < dimensions; ++d) sum = std::fma(a[d], b[d], sum);
  return sum;
}

inline float plain_square(const SmallData& data, std::uint32_t a, std::uint32_t b) {
  if (a == b) return 0.0f;
  const float* x = data.at(a);
  const float* y = data.at(b);
  const std::size_t m = data.dimensions;
  const float norms = plain_dot(x, x, m) + plain_dot(y, y, m);
  float square = std::max(0.0f, std::fma(plain_dot(x, y, m), -2.0f, norms));
  if (square < norms * 0.25f) {
    square = 0.0f;
    for (std::size_t d = 0; d < m; ++d) square = std::fma(x[d] - y[d], x[d] - y[d], square);
  }
  return std::min(square, data.largest);
}

/// Planes of one coordinate against a histogram: the nearest distance, then capacity and step of
/// each level; `levels` of them are charged, the others have steps of 0.
inline std::vector<float> plain_levels(const SmallData& data, std::uint32_t id,
                                       std::span<const DeviceBin> other, std::size_t levels,
                                       std::size_t planes_levels, bool only_at_zero) {
  std::vector<std::pair<float, float>> found;
  for (const DeviceBin& bin : other) {
    found.emplace_back(plain_square(data, id, bin.id()), bin.weight);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<float> planes(2 * planes_levels - 1, 0.0f);
  float reached = 0.0f;
  float filled = 0.0f;
  bool pays = true;
  for (std::size_t level = 0; level < planes_levels; ++level) {
    if (level > 0) planes[2 * level - 1] = filled;
    if (level >= std::min(levels, found.size())) continue;
    const float distance = std::sqrt(found[level].first);
    planes[2 * level] = pays ? distance - reached : 0.0f;
    reached = distance;
    filled += found[level].second;
    if (level == 0 && only_at_zero) pays = reached == 0.0f;
  }
  return planes;
}

/// The cost of moving one histogram into another.
inline float plain_cost(const SmallData& data, std::span<const DeviceBin> from,
                        std::span<const DeviceBin> into, std::size_t levels, bool only_at_zero) {
  std::vector<float> piece(levels, 0.0f);
  std::vector<float> total(levels, 0.0f);
  for (const DeviceBin& bin : from) {
    const auto planes = plain_levels(data, bin.id(), into, levels, levels, only_at_zero);
    for (std::size_t level = 0; level < levels; ++level) {
      const float over = level == 0 ? bin.weight : bin.weight - planes[2 * level - 1];
      piece[level] = std::fma(planes[2 * level], std::max(over, 0.0f), piece[level]);
      if (!bin.ends_piece()) continue;
      total[level] += piece[level];
      piece[level] = 0.0f;
    }
  }
  return std::accumulate(total.begin() + 1, total.end(), total[0]);
}

inline double plain_product(std::span<const DeviceBin> a, std::span<const DeviceBin> b) {
  double piece = 0.0;
  double total = 0.0;
  for (const DeviceBin& bin : a) {
    const auto other = std::find_if(b.begin(), b.end(),
                                    [&](const DeviceBin& each) { return each.id() == bin.id(); });
    piece = std::fma(double{bin.weight}, other == b.end() ? 0.0 : double{other->weight}, piece);
    if (!bin.ends_piece()) continue;
    total += piece;
    piece = 0.0;
  }
  return total;
}

inline float plain_bow(std::span<const DeviceBin> row, std::span<const DeviceBin> query) {
  const double product = plain_product(row, query);
  const double square = plain_product(row, row) * plain_product(query, query);
  const double cosine = std::sqrt(product * product / square);
  return static_cast<float>(cosine < 1.0 ? 1.0 - cosine : 0.0);
}

inline float plain_wcd(const SmallData& data, std::span<const DeviceBin> a,
                       std::span<const DeviceBin> b) {
  const auto mean = [&](std::span<const DeviceBin> histogram, std::size_t d) {
    double sum = 0.0;
    double mass = 0.0;
    for (const DeviceBin& bin : histogram) {
      mass += double{bin.weight};
      sum += double{bin.weight} * double{data.at(bin.id())[d]};
    }
    return sum / mass;
  };
  double sum = 0.0;
  for (std::size_t d = 0; d < data.dimensions; ++d) {
    const double difference = mean(a, d) - mean(b, d);
    sum += difference * difference;
  }
  return static_cast<float>(std::sqrt(sum));
}

/// Weights that sum to 1.
inline std::vector<double> plain_shares(std::span<const DeviceBin> histogram) {
  double mass = 0.0;
  for (const DeviceBin& bin : histogram) mass += double{bin.weight};
  std::vector<double> shares;
  for (const DeviceBin& bin : histogram) shares.push_back(double{bin.weight} / mass);
  return shares;
}

/// So many iterations, the first side scaled first; costs are divided by the largest.
inline double plain_sinkhorn(const SmallData& data, std::span<const DeviceBin> first,
                             std::span<const DeviceBin> second, double lambda,
                             std::size_t iterations) {
  const std::size_t n = first.size();
  const std::size_t m = second.size();
  std::vector<double> costs;
  for (const DeviceBin& a : first) {
    for (const DeviceBin& b : second) {
      costs.push_back(double{std::sqrt(plain_square(data, a.id(), b.id()))});
    }
  }
  const double largest = *std::max_element(costs.begin(), costs.end());
  const auto kernel = [&](std::size_t i, std::size_t j) {
    return std::exp(-lambda / largest * costs[i * m + j]);
  };
  const std::vector<double> first_shares = plain_shares(first);
  const std::vector<double> second_shares = plain_shares(second);
  std::vector<double> u(n, 0.0);
  std::vector<double> v(m, 1.0);
  for (std::size_t iteration = 0; iteration < iterations; ++iteration) {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < m; ++j) sum += kernel(i, j) * v[j];
      u[i] = first_shares[i] / sum;
    }
    for (std::size_t j = 0; j < m; ++j) {
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i) sum += kernel(i, j) * u[i];
      v[j] = second_shares[j] / sum;
    }
  }
  double cost = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) cost += u[i] * kernel(i, j) * v[j] * costs[i * m + j];
  }
  return cost;
}

}  // namespace navvy::test
