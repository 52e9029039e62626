#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "kernels/reference.hpp"

namespace navvy::kernels {
namespace {

using reference::Random;

float squared_norm(const float* vector, std::size_t dimensions) {
  float sum = 0;
  for (std::size_t d = 0; d < dimensions; ++d) sum = std::fma(vector[d], vector[d], sum);
  return sum;
}

float squared_distance(const float* a, const float* b, std::size_t dimensions) {
  float product = 0;
  float direct = 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    product = std::fma(a[d], b[d], product);
    direct = std::fma(a[d] - b[d], a[d] - b[d], direct);
  }
  const float norms = squared_norm(a, dimensions) + squared_norm(b, dimensions);
  const float squared = std::max(0.0F, std::fma(product, -2.0F, norms));
  return squared < 0.25F * norms ? direct : squared;
}

// A vocabulary of 64 coordinates; the second half nearly repeats the first.
struct Vocabulary {
  std::size_t dimensions;
  std::vector<float> vectors;
  std::vector<float> strips;
  std::vector<float> norms;

  Vocabulary(Random& random, const KernelTable& kernels, std::size_t m)
      : dimensions(m), vectors(64 * m), strips(64 * m), norms(64) {
    std::normal_distribution<float> normal;
    for (std::size_t i = 0; i < 32 * m; ++i) {
      vectors[i] = normal(random);
      vectors[32 * m + i] = vectors[i] + 1e-3F * normal(random);
    }
    for (std::size_t strip = 0; strip < 4; ++strip) {
      const std::size_t first = strip * strip_rows * m;
      kernels.transpose(vectors.data() + first, m, strip_rows, m, strips.data() + first,
                        strip_rows);
    }
    kernels.squared_norms(strips.data(), 4, m, norms.data());
  }

  // The distances of some words to the 32 coordinates from `first` on.
  std::vector<float> distances(const KernelTable& kernels, std::uint32_t first,
                               const std::vector<std::uint32_t>& words) const {
    const std::size_t whole = (words.size() + word_pack - 1) / word_pack * word_pack;
    std::vector<float> packed(whole * dimensions);
    std::vector<float> word_norms(whole);
    for (std::size_t word = 0; word < words.size(); ++word) {
      word_norms[word] = norms[words[word]];
      for (std::size_t d = 0; d < dimensions; ++d) {
        packed[(word / word_pack * dimensions + d) * word_pack + word % word_pack] =
            vectors[words[word] * dimensions + d];
      }
    }
    std::vector<float> out(whole * slab_rows);
    kernels.squared_distances({strips.data(), norms.data(), dimensions, first, packed.data(),
                               word_norms.data(), words.data(), words.size()},
                              out.data());
    out.resize(words.size() * slab_rows);
    return out;
  }
};

TEST(SquaredDistances, HaveTheBitsOfThePlainLoop) {
  for (const KernelTable* kernels : supported_kernels()) {
    for (const std::size_t dimensions : {1U, 2U, 7U, 100U}) {
      Random random(3);
      const Vocabulary vocabulary(random, *kernels, dimensions);
      for (const std::size_t word_count : {0U, 1U, 5U, 12U, 31U}) {
        std::vector<std::uint32_t> words(word_count);
        for (auto& word : words) word = std::uniform_int_distribution<std::uint32_t>(0, 63)(random);
        const std::vector<float> out = vocabulary.distances(*kernels, 32, words);
        for (std::size_t i = 0; i < out.size(); ++i) {
          const std::size_t word = words[i / slab_rows];
          const std::size_t row = 32 + i % slab_rows;
          const float* vectors = vocabulary.vectors.data();
          const float expected = word == row
                                     ? 0
                                     : squared_distance(vectors + word * dimensions,
                                                        vectors + row * dimensions, dimensions);
          ASSERT_EQ(out[i], expected) << kernels->name << " word " << word << " row " << row;
        }
      }
    }
  }
}

TEST(SquaredDistances, SmallOnesKeepTheirDigits) {
  for (const KernelTable* kernels : supported_kernels()) {
    Random random(4);
    const std::size_t dimensions = 300;
    const Vocabulary vocabulary(random, *kernels, dimensions);
    const std::vector<std::uint32_t> words = {3};
    const std::vector<float> out = vocabulary.distances(*kernels, 32, words);
    double exact = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      const double difference = double{vocabulary.vectors[3 * dimensions + d]} -
                                double{vocabulary.vectors[35 * dimensions + d]};
      exact += difference * difference;
    }
    // 300 additions of positive terms round by at most 300 half units in the last place.
    EXPECT_NEAR(out[3], exact, exact * 300 * 6e-8) << kernels->name;
  }
}

// What k_smallest must write, by sorting.
std::vector<float> expected_planes(const std::vector<float>& slab, const QueryBins& query,
                                   std::size_t k, Overflow overflow) {
  std::vector<float> planes(2 * k * slab_rows);
  for (std::size_t lane = 0; lane < slab_rows; ++lane) {
    const auto square = [&](std::size_t bin) { return slab[query.words[bin] * slab_rows + lane]; };
    std::vector<std::size_t> order(query.count);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return square(a) < square(b); });
    const float nearest = std::sqrt(square(order[0]));
    planes[lane] = nearest;
    float capacity = 0;
    for (std::size_t l = 1; l < k; ++l) {
      if (l <= query.count) capacity += query.weights[order[l - 1]];
      planes[(k + l - 1) * slab_rows + lane] = capacity;
      const bool pays = overflow == Overflow::everywhere || nearest == 0;
      if (l >= query.count || !pays) continue;
      planes[l * slab_rows + lane] = std::sqrt(square(order[l])) - std::sqrt(square(order[l - 1]));
    }
  }
  return planes;
}

TEST(KSmallest, AgreesWithSortingAndKeepsTheEarlierOfEqualBins) {
  Random random(5);
  for (const bool integers : {true, false}) {  // integers from 0 to 7: many ties and zeros
    const std::size_t words = 40;
    const std::vector<float> slab = reference::random_values(random, words * slab_rows, integers);
    for (const std::size_t count : {1U, 2U, 3U, 20U, 40U}) {
      std::vector<std::uint32_t> places(count);
      for (auto& place : places) {
        place = std::uniform_int_distribution<std::uint32_t>(0, words - 1)(random);
      }
      const std::vector<float> weights = reference::random_values(random, count, false);
      const QueryBins query{places.data(), weights.data(), count};
      for (const std::size_t k : {1U, 2U, 3U, 8U, 16U, 40U}) {
        for (const Overflow overflow : {Overflow::everywhere, Overflow::at_distance_zero}) {
          const std::vector<float> expected = expected_planes(slab, query, k, overflow);
          for (const KernelTable* kernels : supported_kernels()) {
            std::vector<float> planes(2 * k * slab_rows, -1.0F);
            kernels->k_smallest(slab.data(), query, k, overflow, planes.data());
            for (std::size_t i = 0; i < (2 * k - 1) * slab_rows; ++i) {
              ASSERT_EQ(planes[i], expected[i])
                  << kernels->name << " k " << k << " bins " << count << " plane " << i / slab_rows;
            }
          }
        }
      }
    }
  }
}

// A query whose bins come in parts must leave what it leaves at once.
TEST(KSmallest, TakesBinsInParts) {
  Random random(6);
  constexpr std::size_t words = 40;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> slab = reference::random_values(random, words * slab_rows, true);
  const std::vector<float> weights = reference::random_values(random, words, false);
  std::vector<std::uint32_t> places(words);
  std::iota(places.begin(), places.end(), 0U);
  for (const KernelTable* kernels : supported_kernels())
    for (const Overflow overflow : {Overflow::everywhere, Overflow::at_distance_zero})
      for (const std::size_t count : {1U, 7U, 40U})
        for (const std::size_t k : {1U, 2U, 3U, 8U, 17U, 45U}) {
          const std::vector<float> expected =
              expected_planes(slab, {places.data(), weights.data(), count}, k, overflow);
          std::vector<float> planes(2 * k * slab_rows, 0.0F);
          std::fill_n(planes.begin(), k * slab_rows, infinity);
          for (std::size_t first = 0; first < count; first += 3)
            kernels->nearer(
                slab.data() + first * slab_rows,
                {places.data(), weights.data() + first, std::min<std::size_t>(3, count - first)}, k,
                planes.data());
          kernels->finish_nearest(count, k, overflow, planes.data());
          for (std::size_t i = 0; i < (2 * k - 1) * slab_rows; ++i)
            ASSERT_EQ(planes[i], expected[i])
                << kernels->name << " k " << k << " bins " << count << " plane " << i / slab_rows;
        }
}

}  // namespace
}  // namespace navvy::kernels
