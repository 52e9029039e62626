// The kernels on one thread, beside the peak of the machine. Rows and queries are MNIST where it is
// at hand (NAVVY_DATA or shared/data beside the project), otherwise random rows of the same shape.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/buffer.hpp"
#include "core/pieces.hpp"
#include "kernels/kernels.hpp"
#include "navvy/loaders.hpp"

namespace {

using namespace navvy;
using namespace navvy::kernels;
using Random = std::mt19937;

constexpr std::size_t lanes = 64;
constexpr std::size_t row_count = 512;
constexpr std::uint32_t side = 28;
constexpr std::uint32_t coordinate_count = side * side;

Images images() {
  const char* folder = std::getenv("NAVVY_DATA");
  const std::filesystem::path data = folder != nullptr ? folder : "../shared/data";
  const std::filesystem::path path = data / "mnist" / "train-images-idx3-ubyte.gz";
  if (std::filesystem::exists(path)) return read_idx_images(path);
  Random random(1);
  std::bernoulli_distribution is_white(0.19);
  Images noise{row_count, side, side, {}};
  for (std::size_t i = 0; i < row_count * coordinate_count; ++i) {
    noise.pixels.push_back(is_white(random) ? static_cast<std::uint8_t>(1 + random() % 255) : 0);
  }
  return noise;
}

struct Data {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
  std::vector<std::uint64_t> segment_offsets{0};
  std::vector<std::uint32_t> segment_ends;
  std::vector<Segment> segments;
  std::vector<Bin> bins;
  core::Buffer<float> nearest{lanes * coordinate_count};       // 64 queries
  core::Buffer<float> overflow{2 * lanes * coordinate_count};  // their first level, stride 128

  [[nodiscard]] Segments work() const {
    return {segments.data(), segments.size(), bins.data(), bins.data() + bins.size()};
  }
  [[nodiscard]] Rows rows() const {
    return {offsets.data(), coordinates.data(), weights.data(), segment_offsets.data(),
            segment_ends.data()};
  }
};

void append_row(Data& data, const std::uint8_t* pixels) {
  double sum = 0;
  for (std::uint32_t c = 0; c < coordinate_count; ++c) sum += pixels[c];
  for (std::uint32_t c = 0; c < coordinate_count; ++c) {
    if (pixels[c] == 0) continue;
    const std::uint64_t first = data.offsets.back();
    const bool has_bins = data.coordinates.size() > first;
    if (has_bins && core::piece_of(data.coordinates.back()) != core::piece_of(c)) {
      data.segment_ends.push_back(static_cast<std::uint32_t>(data.coordinates.size() - first));
    }
    data.coordinates.push_back(c);
    data.weights.push_back(static_cast<float>(pixels[c] / sum));
  }
  const std::uint64_t last = data.coordinates.size();
  data.segment_ends.push_back(static_cast<std::uint32_t>(last - data.offsets.back()));
  data.offsets.push_back(last);
  data.segment_offsets.push_back(data.segment_ends.size());
}

// Piece after piece, and by count in each.
void order_segments(Data& data) {
  struct Place {
    std::uint32_t piece;
    Segment segment;
    std::uint64_t first;
  };
  std::vector<Place> places;
  for (std::uint32_t row = 0; row < row_count; ++row) {
    std::uint32_t done = 0;
    for (auto s = data.segment_offsets[row]; s < data.segment_offsets[row + 1]; ++s) {
      const std::uint64_t first = data.offsets[row] + done;
      const Segment segment{row, data.segment_ends[s] - done};
      places.push_back({core::piece_of(data.coordinates[first]), segment, first});
      done = data.segment_ends[s];
    }
  }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.piece != b.piece ? a.piece < b.piece : a.segment.count > b.segment.count;
  });
  for (const Place& place : places) {
    data.segments.push_back(place.segment);
    for (std::uint64_t bin = place.first; bin < place.first + place.segment.count; ++bin) {
      data.bins.push_back({data.coordinates[bin], data.weights[bin]});
    }
  }
}

float pixel_distance(std::uint32_t a, std::uint32_t b) {
  const auto rows = static_cast<int>(a / side) - static_cast<int>(b / side);
  const auto columns = static_cast<int>(a % side) - static_cast<int>(b % side);
  return std::sqrt(static_cast<float>(rows * rows + columns * columns));
}

// The tables of the first 64 rows as queries.
void make_tables(Data& data) {
  for (std::uint32_t c = 0; c < coordinate_count; ++c) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      float nearest = INFINITY;
      float second = INFINITY;
      float weight = 0;
      for (std::uint64_t bin = data.offsets[lane]; bin < data.offsets[lane + 1]; ++bin) {
        const std::uint32_t other = data.coordinates[bin];
        const float distance = pixel_distance(c, other);
        second = std::min(second, std::max(nearest, distance));
        if (distance < nearest) weight = data.weights[bin];
        nearest = std::min(nearest, distance);
      }
      data.nearest[c * lanes + lane] = nearest;
      data.overflow[2 * lanes * c + lane] = weight;
      data.overflow[2 * lanes * c + lanes + lane] = second - nearest;
    }
  }
}

const Data& data() {
  static const Data made = [] {
    const Images source = images();
    Data result;
    for (std::size_t row = 0; row < row_count; ++row) {
      append_row(result, source.pixels.data() + row * coordinate_count);
    }
    order_segments(result);
    make_tables(result);
    return result;
  }();
  return made;
}

template <class T>
core::Buffer<T> zeros(std::size_t size) {
  core::Buffer<T> buffer(size);
  std::fill_n(buffer.data(), size, T{});
  return buffer;
}

// Multiply-adds per second of one thread, the best of several short runs.
double peak(const KernelTable& kernels) {
  double best = 0;
  for (int run = 0; run < 20; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const auto count = static_cast<double>(kernels.fma_peak(20'000'000));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, count / seconds.count());
  }
  return best;
}

// Reports `count` items per call, as a rate and as a share of the peak.
void report(benchmark::State& state, const KernelTable& kernels, double count) {
  using benchmark::Counter;
  state.counters["items"] = Counter(count, Counter::kIsIterationInvariantRate);
  state.counters["of_peak"] = Counter(count / peak(kernels), Counter::kIsIterationInvariantRate);
}

void charge_nearest(benchmark::State& state, const KernelTable& kernels) {
  const Segments work = data().work();
  core::Buffer<float> out = zeros<float>(row_count * lanes);
  for (auto _ : state)
    kernels.charge_nearest(work, {data().nearest.data(), lanes, lanes}, out.data());
  report(state, kernels, static_cast<double>(data().bins.size() * lanes));
}

void charge_overflow(benchmark::State& state, const KernelTable& kernels) {
  const Segments work = data().work();
  const float* values = data().overflow.data();
  core::Buffer<float> out = zeros<float>(row_count * lanes);
  for (auto _ : state) {
    kernels.charge_overflow(work, {values, values + lanes, 2 * lanes, lanes}, out.data());
  }
  report(state, kernels, static_cast<double>(data().bins.size() * lanes));
}

void dot(benchmark::State& state, const KernelTable& kernels) {
  const Segments work = data().work();
  core::Buffer<double> out = zeros<double>(row_count * lanes);
  for (auto _ : state) kernels.dot(work, {data().nearest.data(), lanes, lanes}, out.data());
  report(state, kernels, static_cast<double>(data().bins.size() * lanes));
}

std::vector<CoarseBin> coarse_bins(std::span<const Bin> bins) {
  std::vector<CoarseBin> result;
  for (const Bin bin : bins) {
    result.push_back({static_cast<std::uint16_t>(bin.coordinate),
                      static_cast<std::uint16_t>(bin.weight * 0x1p15F)});
  }
  return result;
}

std::vector<std::uint16_t> random_shorts(std::size_t size) {
  Random random(6);
  std::vector<std::uint16_t> values(size);
  for (auto& value : values) value = static_cast<std::uint16_t>(random() % 4096);
  return values;
}

void charge_coarse(benchmark::State& state, const KernelTable& kernels) {
  const std::vector<CoarseBin> bins = coarse_bins(data().bins);
  const std::vector<std::uint16_t> nearest = random_shorts(coordinate_count * coarse_lanes);
  core::Buffer<std::uint16_t> out = zeros<std::uint16_t>(row_count * coarse_lanes);
  for (auto _ : state) {
    kernels.charge_coarse({data().segments.data(), data().segments.size(), bins.data()},
                          nearest.data(), out.data());
  }
  report(state, kernels, static_cast<double>(bins.size() * coarse_lanes));
}

// Every third row, as few are wanted.
void charge_coarse_overflow(benchmark::State& state, const KernelTable& kernels,
                            std::size_t levels) {
  std::vector<Bin> by_row;
  for (std::size_t bin = 0; bin < data().coordinates.size(); ++bin) {
    by_row.push_back({data().coordinates[bin], data().weights[bin]});
  }
  const std::vector<CoarseBin> bins = coarse_bins(by_row);
  const std::vector<std::uint16_t> values =
      random_shorts(coordinate_count * levels * 2 * coarse_group);
  core::Buffer<std::uint16_t> out = zeros<std::uint16_t>(row_count * coarse_lanes);
  std::vector<std::uint32_t> listed;
  std::uint64_t walked = 0;
  for (std::uint32_t row = 0; row < row_count; row += 3) {
    listed.push_back(row);
    walked += data().offsets[row + 1] - data().offsets[row];
  }
  for (auto _ : state) {
    kernels.charge_coarse_overflow({data().offsets.data(), bins.data()}, listed.data(),
                                   listed.size(), {values.data(), levels}, out.data());
  }
  report(state, kernels, static_cast<double>(walked * levels * coarse_group));
}

void candidate_costs(benchmark::State& state, const KernelTable& kernels, std::size_t levels) {
  Random random(2);
  core::Buffer<float> table(2 * levels * coordinate_count);
  for (float& value : table.span()) value = std::uniform_real_distribution<float>(0, 0.02F)(random);
  std::vector<std::uint32_t> listed(row_count);
  for (std::uint32_t row = 0; row < row_count; ++row) listed[row] = row;
  std::shuffle(listed.begin(), listed.end(), random);
  std::vector<float> costs(row_count);
  for (auto _ : state) {
    kernels.candidate_costs(data().rows(), listed.data(), row_count, {table.data(), levels},
                            costs.data());
  }
  report(state, kernels, static_cast<double>(data().bins.size() * levels));
}

void squared_distances(benchmark::State& state, const KernelTable& kernels,
                       std::size_t dimensions) {
  constexpr std::size_t rows = 8192;
  constexpr std::size_t word_count = 168 * word_pack;
  Random random(3);
  std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(dimensions)));
  std::vector<float> vectors(rows * dimensions);
  for (float& value : vectors) value = normal(random);
  core::Buffer<float> strips(vectors.size());
  for (std::size_t first = 0; first < vectors.size(); first += strip_rows * dimensions) {
    kernels.transpose(vectors.data() + first, dimensions, strip_rows, dimensions,
                      strips.data() + first, strip_rows);
  }
  std::vector<float> norms(rows);
  kernels.squared_norms(strips.data(), rows / strip_rows, dimensions, norms.data());
  std::vector<std::uint32_t> words(word_count);
  for (auto& word : words) word = static_cast<std::uint32_t>(random() % rows);
  std::sort(words.begin(), words.end());
  std::vector<float> packed(word_count * dimensions);
  std::vector<float> word_norms(word_count);
  for (std::size_t word = 0; word < word_count; ++word) {
    word_norms[word] = norms[words[word]];
    for (std::size_t d = 0; d < dimensions; ++d) {
      packed[(word / word_pack * dimensions + d) * word_pack + word % word_pack] =
          vectors[words[word] * dimensions + d];
    }
  }
  core::Buffer<float> tile(word_count * slab_rows);
  std::uint32_t first = 0;
  for (auto _ : state) {
    kernels.squared_distances({strips.data(), norms.data(), dimensions, first, packed.data(),
                               word_norms.data(), words.data(), word_count},
                              tile.data());
    first = (first + slab_rows) % rows;
  }
  report(state, kernels, static_cast<double>(word_count * slab_rows * dimensions));
}

void k_smallest(benchmark::State& state, const KernelTable& kernels, std::size_t k) {
  constexpr std::size_t word_count = 8000;
  constexpr std::size_t bins = 76;
  constexpr std::size_t queries = 256;
  Random random(4);
  core::Buffer<float> tile(word_count * slab_rows);
  for (float& value : tile.span()) value = std::uniform_real_distribution<float>(0, 2)(random);
  std::vector<std::uint32_t> words(queries * bins);
  for (auto& word : words) word = static_cast<std::uint32_t>(random() % word_count);
  const std::vector<float> weights(bins, 1.0F / bins);
  core::Buffer<float> planes(2 * k * slab_rows);
  for (auto _ : state) {
    for (std::size_t query = 0; query < queries; ++query) {
      kernels.k_smallest(tile.data(), {words.data() + query * bins, weights.data(), bins}, k,
                         Overflow::everywhere, planes.data());
    }
  }
  report(state, kernels, static_cast<double>(queries * bins * slab_rows));
}

void k_smallest_ranks(benchmark::State& state, const KernelTable& kernels, std::size_t k) {
  constexpr std::size_t bins = 150;
  Random random(5);
  std::vector<std::uint16_t> tile(coordinate_count * slab_rows);
  for (auto& rank : tile) rank = static_cast<std::uint16_t>(random() % coordinate_count);
  std::vector<std::uint32_t> words(bins);
  for (auto& word : words) word = static_cast<std::uint32_t>(random() % coordinate_count);
  std::vector<std::uint16_t> planes(k * slab_rows);
  for (auto _ : state) kernels.k_smallest_ranks(tile.data(), words.data(), bins, k, planes.data());
  report(state, kernels, static_cast<double>(bins * slab_rows));
}

void fma_peak(benchmark::State& state, const KernelTable& kernels) {
  constexpr std::uint64_t count = 20'000'000;
  for (auto _ : state) benchmark::DoNotOptimize(kernels.fma_peak(count));
  report(state, kernels, count);
}

void add_all(const KernelTable& kernels) {
  const auto add = [&](const std::string& name, auto run, auto... arguments) {
    benchmark::RegisterBenchmark(
        (kernels.name + ("/" + name)).c_str(),
        [=, &kernels](benchmark::State& state) { run(state, kernels, arguments...); });
  };
  add("fma_peak", fma_peak);
  add("charge_nearest", charge_nearest);
  add("charge_overflow", charge_overflow);
  add("dot", dot);
  add("charge_coarse", charge_coarse);
  for (const std::size_t levels : {1U, 2U}) {
    add("charge_coarse_overflow/levels:" + std::to_string(levels), charge_coarse_overflow, levels);
  }
  for (const std::size_t levels : {4U, 8U, 16U}) {
    add("candidate_costs/levels:" + std::to_string(levels), candidate_costs, levels);
  }
  for (const std::size_t dimensions : {100U, 300U}) {
    add("squared_distances/dimensions:" + std::to_string(dimensions), squared_distances,
        dimensions);
  }
  for (const std::size_t k : {1U, 2U, 4U, 8U, 16U}) {
    add("k_smallest/k:" + std::to_string(k), k_smallest, k);
    add("k_smallest_ranks/k:" + std::to_string(k), k_smallest_ranks, k);
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const KernelTable* kernels : supported_kernels()) add_all(*kernels);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
