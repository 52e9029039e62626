// Exact search against the network simplex on every pair: same rows, same distances, on real data
// and on random data with ties and duplicates. `./dev test --thorough` asks with every row.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "navvy/loaders.hpp"
#include "navvy/text.hpp"
#include "search/exact_truth.hpp"
#include "support/effort.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using test::awkward_index;
using test::expect_search_is_brute_force;
using test::Rng;
using test::rows_with_weight;

constexpr std::size_t top = 16;

// So many queries, evenly from all rows.
std::vector<std::uint32_t> some_rows(const Index& index, std::size_t count) {
  const std::size_t rows = index.rows.size();
  return rows_with_weight(index, test::thorough() ? 1 : rows / (test::sanitized ? 3 : count));
}

TEST(BruteForce, OnRandomHistogramsWithTiesAndDuplicates) {
  const std::uint64_t seeds = test::thorough() ? 400 : test::sanitized ? 10 : 40;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Rng rng(seed);
    const Index index = awkward_index(rng, 40);
    const std::size_t neighbours = test::random_size(rng, 1, 12);
    ASSERT_NO_FATAL_FAILURE(
        expect_search_is_brute_force(index, rows_with_weight(index, 1), neighbours))
        << "seed " << seed;
  }
}

TEST(BruteForce, OverALargeVocabulary) {
  Rng rng(2);
  const Index index = test::with_duplicates(random_index(rng, test::text_like(120)), rng);
  expect_search_is_brute_force(index, some_rows(index, 60), 7);
}

TEST(BruteForce, OnDigits) {
  const Index index = index_images(
      read_idx_images(std::string(NAVVY_TEST_DATA) + "/../../data/demo/digits-images.idx3"));
  ASSERT_EQ(index.rows.size(), 1797U);
  expect_search_is_brute_force(index, some_rows(index, 60), top);
}

TEST(BruteForce, OnImages) {
  const auto path = test::shared_data("mnist/t10k-images-idx3-ubyte.gz");
  NAVVY_NEEDS_DATA(path);
  const Index index =
      test::first_rows(index_images(read_idx_images(path)), test::sanitized ? 300 : 2000);
  expect_search_is_brute_force(index, some_rows(index, 5), top);
}

// Posts from all groups.
std::vector<Document> posts(const std::filesystem::path& archive, std::size_t count) {
  const test::TemporaryFolder folder;
  const std::string unpack = "tar -xf '" + archive.string() + "' -C '" + folder.path().string() +
                             "' --wildcards '20news-18828/*7'";
  if (std::system(unpack.c_str()) != 0) ADD_FAILURE() << unpack;
  CorpusOptions options;
  options.encoding = Encoding::latin1;
  std::vector<Document> all;
  read_corpus(folder / "20news-18828", options,
              [&](Document&& document) { all.push_back(std::move(document)); });
  std::vector<Document> some;
  for (std::size_t i = 0; i < count && all.size() >= count; ++i)
    some.push_back(all[i * all.size() / count]);
  return some;
}

TEST(BruteForce, OnPosts) {
  const auto archive = test::shared_data("20news/20news-18828.tar.xz");
  const auto vectors = test::shared_data("vectors/glove-6b-100d-20news.bin.gz");
  NAVVY_NEEDS_DATA(archive);
  NAVVY_NEEDS_DATA(vectors);
  TextRecipe recipe = paper_recipe();
  recipe.token_pattern = "[a-z]{2,}";
  const Index index =
      build_text(posts(archive, test::sanitized ? 300 : 1000), vectors, recipe).index;
  ASSERT_EQ(index.rows.size(), test::sanitized ? 300U : 1000U);
  expect_search_is_brute_force(index, some_rows(index, 5), top);
}

}  // namespace
}  // namespace navvy
