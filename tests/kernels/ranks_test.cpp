#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernels/reference.hpp"

namespace navvy::kernels {
namespace {

// Every coordinate ranks all words in an order of its own.
std::vector<std::uint16_t> random_ranks(reference::Random& random, std::size_t words) {
  std::vector<std::uint16_t> slab(words * slab_rows);
  std::vector<std::uint16_t> ranks(words);
  std::iota(ranks.begin(), ranks.end(), std::uint16_t{0});
  for (std::size_t lane = 0; lane < slab_rows; ++lane) {
    std::shuffle(ranks.begin(), ranks.end(), random);
    for (std::size_t word = 0; word < words; ++word) slab[word * slab_rows + lane] = ranks[word];
  }
  return slab;
}

TEST(Ranks, TheSmallestAreFoundInOrder) {
  reference::Random random(1);
  constexpr std::size_t words = 300;
  const std::vector<std::uint16_t> slab = random_ranks(random, words);
  for (const KernelTable* kernels : supported_kernels())
    for (const std::size_t count : {1U, 2U, 5U, 16U, 150U})
      for (const std::size_t k : {1U, 2U, 3U, 4U, 7U, 8U, 9U, 16U, 17U, 40U}) {
        SCOPED_TRACE(std::string(kernels->name) + " bins " + std::to_string(count) + " k " +
                     std::to_string(k));
        std::vector<std::uint32_t> bins(count);
        for (auto& bin : bins) bin = static_cast<std::uint32_t>(random() % words);
        std::sort(bins.begin(), bins.end());
        bins.erase(std::unique(bins.begin(), bins.end()), bins.end());
        std::vector<std::uint16_t> planes(k * slab_rows);
        kernels->k_smallest_ranks(slab.data(), bins.data(), bins.size(), k, planes.data());
        for (std::size_t lane = 0; lane < slab_rows; ++lane) {
          std::vector<std::uint16_t> expected;
          for (const std::uint32_t bin : bins) expected.push_back(slab[bin * slab_rows + lane]);
          std::sort(expected.begin(), expected.end());
          expected.resize(std::max(k, expected.size()), no_rank);
          for (std::size_t l = 0; l < k; ++l)
            ASSERT_EQ(planes[l * slab_rows + lane], expected[l])
                << "lane " << lane << " level " << l;
        }
      }
}

}  // namespace
}  // namespace navvy::kernels
