// The definitions of the kernels once more, one value at a time.
#include "devices/self_test_plain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace navvy::devices::plain {
namespace {

constexpr std::size_t m = Sample::dimensions;

float square(const float* x, const float* y, float norms, float largest) {
  float dot = 0;
  for (std::size_t d = 0; d < m; ++d) dot = std::fma(x[d], y[d], dot);
  const float difference = std::max(std::fma(dot, -2.0F, norms), 0.0F);
  if (difference >= norms * 0.25F) return std::min(difference, largest);
  float direct = 0;
  for (std::size_t d = 0; d < m; ++d) direct = std::fma(x[d] - y[d], x[d] - y[d], direct);
  return std::min(direct, largest);
}

// The sum of add(bin, sum) over the bins of each piece, then over pieces.
template <class Real, class Add>
Real sum_of_pieces(std::span<const SampleBin> bins, const Add& add) {
  Real total = 0;
  Real piece = 0;
  for (std::size_t bin = 0; bin < bins.size(); ++bin) {
    piece = add(bin, piece);
    if (bins[bin].ends_piece()) total += std::exchange(piece, Real{0});
  }
  return total;
}

}  // namespace

std::vector<float> squared_norms(const Sample& sample) {
  std::vector<float> norms(Sample::size);
  for (std::size_t i = 0; i < sample.coordinates.size(); ++i)
    norms[i / m] = std::fma(sample.coordinates[i], sample.coordinates[i], norms[i / m]);
  return norms;
}

std::vector<float> squares(const Sample& sample, std::span<const float> norms, float largest) {
  const std::size_t n = Sample::size;
  std::vector<float> out(n * n);
  for (std::size_t b = 0; b < n; ++b)
    for (std::size_t a = 0; a < n; ++a)
      if (a != b)
        out[b * n + a] = square(&sample.coordinates[a * m], &sample.coordinates[b * m],
                                norms[a] + norms[b], largest);
  return out;
}

std::vector<Neighbour> neighbours(std::span<const float> squares, std::size_t size) {
  std::vector<Neighbour> all;
  for (std::size_t id = 0; id * size < squares.size(); ++id) {
    const auto own = squares.subspan(id * size, size);
    std::vector<std::uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t other) { return own[other]; });
    for (const std::uint32_t other : order) all.push_back({other, std::sqrt(own[other])});
  }
  return all;
}

std::vector<float> planes(std::span<const float> squares, std::span<const SampleBin> bins,
                          const Levels& levels) {
  std::vector<std::size_t> order(bins.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t bin) { return squares[bin]; });
  std::vector<float> out(levels.planes());
  float reached = 0;
  float filled = 0;
  for (std::size_t level = 0; level < levels.count; ++level) {
    if (level > 0) out[2 * level - 1] = filled;
    if (level >= bins.size() || level >= levels.charged) continue;
    const float distance = std::sqrt(squares[order[level]]);
    const bool pays = level == 0 || levels.only_at_zero == 0 || std::sqrt(squares[order[0]]) == 0;
    out[2 * level] = pays ? distance - reached : 0;
    reached = distance;
    filled += bins[order[level]].weight;
  }
  return out;
}

std::vector<float> tables(const Sample& sample, std::span<const float> squares,
                          const Levels& levels) {
  const std::size_t n = Sample::size;
  const std::size_t lanes = Sample::lanes;
  std::vector<float> out(Sample::blocks * n * levels.planes() * lanes);
  for (std::size_t query = 0; query < sample.queries.size(); ++query)
    for (std::size_t id = 0; id < n; ++id) {
      std::vector<float> own;
      for (const SampleBin& bin : sample.queries[query]) own.push_back(squares[bin.id() * n + id]);
      const std::vector<float> picked = planes(own, sample.queries[query], levels);
      const std::size_t entry = query / lanes * n + id;
      for (std::size_t plane = 0; plane < picked.size(); ++plane)
        out[(entry * picked.size() + plane) * lanes + query % lanes] = picked[plane];
    }
  return out;
}

float cost(std::span<const SampleBin> source, std::span<const std::vector<float>> planes,
           std::size_t levels) {
  float total = 0;
  for (std::size_t level = 0; level < levels; ++level)
    total += sum_of_pieces<float>(source, [&](std::size_t bin, float sum) {
      const float capacity = level > 0 ? planes[bin][2 * level - 1] : 0;
      const float overflow = source[bin].weight - capacity;
      return overflow > 0 ? std::fma(planes[bin][2 * level], overflow, sum) : sum;
    });
  return total;
}

std::vector<float> spread(const Sample& sample, float absent) {
  const std::size_t lanes = Sample::lanes;
  std::vector<float> out(std::size_t{Sample::blocks} * Sample::size * lanes, absent);
  for (std::size_t query = 0; query < sample.queries.size(); ++query)
    for (const SampleBin& bin : sample.queries[query])
      out[(query / lanes * Sample::size + bin.id()) * lanes + query % lanes] = bin.weight;
  return out;
}

std::vector<double> squared_lengths(const SampleHistograms& histograms) {
  std::vector<double> lengths;
  for (std::size_t i = 0; i < histograms.size(); ++i) {
    const auto bins = histograms[i];
    lengths.push_back(sum_of_pieces<double>(bins, [&](std::size_t bin, double sum) {
      const auto weight = static_cast<double>(bins[bin].weight);
      return std::fma(weight, weight, sum);
    }));
  }
  return lengths;
}

std::vector<float> bow_costs(const Sample& sample) {
  const std::vector<double> row_lengths = squared_lengths(sample.rows);
  const std::vector<double> query_lengths = squared_lengths(sample.queries);
  std::vector<float> costs;
  for (std::size_t row = 0; row < sample.rows.size(); ++row)
    for (std::size_t query = 0; query < sample.queries.size(); ++query) {
      std::vector<double> weights(Sample::size);
      for (const SampleBin& bin : sample.queries[query])
        weights[bin.id()] = static_cast<double>(bin.weight);
      const auto bins = sample.rows[row];
      const auto product = sum_of_pieces<double>(bins, [&](std::size_t bin, double sum) {
        return std::fma(static_cast<double>(bins[bin].weight), weights[bins[bin].id()], sum);
      });
      const double cosine =
          std::sqrt(product * product / (row_lengths[row] * query_lengths[query]));
      costs.push_back(static_cast<float>(cosine < 1 ? 1 - cosine : 0));
    }
  return costs;
}

std::vector<double> centroids(const Sample& sample, const SampleHistograms& histograms) {
  std::vector<double> out(histograms.size() * m);
  for (std::size_t i = 0; i < histograms.size(); ++i)
    for (std::size_t d = 0; d < m; ++d) {
      double mass = 0;
      double sum = 0;
      for (const SampleBin& bin : histograms[i]) {
        const auto weight = static_cast<double>(bin.weight);
        mass += weight;
        sum += weight * static_cast<double>(sample.coordinates[bin.id() * m + d]);
      }
      out[i * m + d] = mass > 0 ? sum / mass : sum;
    }
  return out;
}

std::vector<float> wcd_costs(const Sample& sample) {
  const std::vector<double> rows = centroids(sample, sample.rows);
  const std::vector<double> queries = centroids(sample, sample.queries);
  std::vector<float> costs;
  for (std::size_t row = 0; row < sample.rows.size(); ++row)
    for (std::size_t query = 0; query < sample.queries.size(); ++query) {
      double sum = 0;
      for (std::size_t d = 0; d < m; ++d) {
        const double difference = rows[row * m + d] - queries[query * m + d];
        sum += difference * difference;
      }
      costs.push_back(static_cast<float>(std::sqrt(sum)));
    }
  return costs;
}

}  // namespace navvy::devices::plain
