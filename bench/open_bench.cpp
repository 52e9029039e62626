// How long an index of many texts takes to open from the page cache, everything validated.
//
//   open_bench [DOCUMENTS [BINS]]      1000000 of 20 bins unless given; in the temporary folder
//
// Ids, labels, titles, snippets and words are there as a build from a corpus leaves them.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "navvy/index.hpp"

namespace navvy {
namespace {

constexpr std::size_t dimensions = 100;
constexpr std::size_t words = 50'000;
constexpr double bar = 0.5;  // seconds, for a million documents of 20 bins

Vocabulary random_words(std::mt19937_64& rng) {
  std::normal_distribution<float> normal;
  std::vector<float> coordinates(words * dimensions);
  for (float& value : coordinates) value = normal(rng);
  std::vector<std::uint32_t> numbers(words);
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < words; ++i) {
    numbers[i] = 2 * i;
    names.push_back("word" + std::to_string(i));
  }
  return normalized(Vocabulary(dimensions, Array(std::move(coordinates)), Array(std::move(numbers)),
                               Strings(names)));
}

Histograms random_rows(std::mt19937_64& rng, std::size_t documents, std::size_t bins) {
  HistogramsBuilder builder(words);
  std::vector<std::uint32_t> coordinates(bins);
  const std::vector<double> weights(bins, 1.0);
  const std::size_t stride = words / bins;
  for (std::size_t row = 0; row < documents; ++row) {
    for (std::size_t i = 0; i < bins; ++i)
      coordinates[i] = static_cast<std::uint32_t>(i * stride + rng() % stride);
    builder.add(coordinates, weights);
  }
  return builder.build();
}

Index random_index(std::size_t documents, std::size_t bins) {
  std::mt19937_64 rng(1);
  Index index;
  index.kind = DataKind::text;
  index.vocabulary = random_words(rng);
  index.rows = random_rows(rng, documents, bins);
  std::vector<std::int32_t> labels(documents);
  std::vector<std::string> ids, titles, snippets;
  for (std::size_t row = 0; row < documents; ++row) {
    labels[row] = static_cast<std::int32_t>(row % 20);
    ids.push_back("group/" + std::to_string(row));
    titles.push_back("The title of document " + std::to_string(row));
    snippets.emplace_back("The first words of a document, as many as are shown below its title...");
  }
  std::vector<std::string> names;
  names.reserve(20);
  for (int label = 0; label < 20; ++label) names.push_back("label " + std::to_string(label));
  index.labels = Array(std::move(labels));
  index.label_names = Strings(names);
  index.ids = Strings(ids);
  index.titles = Strings(titles);
  index.snippets = Strings(snippets);
  return index;
}

double seconds_to_open(const std::filesystem::path& path) {
  const auto start = std::chrono::steady_clock::now();
  const Index index = open_index(path);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void run(std::size_t documents, std::size_t bins) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("navvy-open-bench-" + std::to_string(getpid()) + ".navvy");
  save_index(random_index(documents, bins), path);
  const auto megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  std::vector<double> seconds(5);
  for (double& round : seconds) round = seconds_to_open(path);
  std::filesystem::remove(path);
  std::sort(seconds.begin(), seconds.end());
  std::printf("open: %zu documents of %zu bins, %.0f MB: median %.3f s, best %.3f s of 5",
              documents, bins, megabytes, seconds[2], seconds[0]);
  if (documents == 1'000'000 && bins == 20)
    std::printf("; the bar is %.1f s: %s", bar, seconds[2] < bar ? "holds" : "does not hold");
  std::printf("\n");
}

}  // namespace
}  // namespace navvy

int main(int argc, char** argv) {
  navvy::run(argc > 1 ? std::stoul(argv[1]) : 1'000'000, argc > 2 ? std::stoul(argv[2]) : 20);
}
