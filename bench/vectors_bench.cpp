// How fast vectors files stream, against `cat | wc -c` on the same file from the page cache.
//
//   vectors_bench [megabytes]      1000 unless given; the files lie in the temporary folder
//
// One word in twenty is kept, which is more than a corpus uses of a large file.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "navvy/text.hpp"

namespace {

constexpr int dimensions = 300;
constexpr std::size_t kept_every = 20;

// The vectors of records, which repeat after some: writing them is not what is measured.
std::vector<std::string> random_bodies(bool binary) {
  std::mt19937 rng(1);
  std::normal_distribution<float> normal(0, 0.4F);
  std::vector<std::string> bodies(64);
  for (std::string& body : bodies) {
    if (binary) body += ' ';
    for (int i = 0; i < dimensions; ++i) {
      const float value = normal(rng);
      char text[32];
      const int length = std::snprintf(text, sizeof text, " %.5f", static_cast<double>(value));
      if (binary)
        body.append(reinterpret_cast<const char*>(&value), sizeof value);
      else
        body.append(text, static_cast<std::size_t>(length));
    }
    body += '\n';
  }
  return bodies;
}

struct Sample {
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  std::vector<std::string> kept;
};

Sample write_sample(const std::filesystem::path& path, std::uint64_t bytes, bool binary) {
  const std::vector<std::string> bodies = random_bodies(binary);
  const std::size_t words = bytes / (bodies[0].size() + 8);
  Sample sample{path, 0, {}};
  std::ofstream file(path, std::ios::binary);
  if (binary) file << words << ' ' << dimensions << '\n';
  for (std::size_t i = 0; i < words; ++i) {
    const std::string word = std::to_string(i) + 'w';
    if (i % kept_every == 0) sample.kept.push_back(word);
    file << word << bodies[i % bodies.size()];
  }
  file.close();
  sample.bytes = std::filesystem::file_size(path);
  return sample;
}

// The best of three: the first one also brings the file into the page cache.
double seconds_of(const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

void measure(const char* name, const Sample& sample) {
  const double megabytes = static_cast<double>(sample.bytes) / 1e6;
  const std::string command = "cat '" + sample.path.string() + "' | wc -c > /dev/null";
  const double cat = megabytes / seconds_of([&] {
                       if (std::system(command.c_str()) != 0) std::abort();
                     });
  const double navvy = megabytes / seconds_of([&] {
                         const auto found = navvy::read_vectors(sample.path, true, sample.kept);
                         if (found.size() != sample.kept.size()) std::abort();
                       });
  std::printf("%-16s %6.0f MB   navvy %6.0f MB/s   cat | wc -c %6.0f MB/s   ratio %.2f\n", name,
              megabytes, navvy, cat, navvy / cat);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t megabytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
  const auto path = std::filesystem::temp_directory_path() /
                    ("navvy-vectors-bench-" + std::to_string(::getpid()));
  for (const bool binary : {true, false}) {
    measure(binary ? "word2vec binary" : "GloVe text",
            write_sample(path, megabytes * 1000000, binary));
    std::filesystem::remove(path);
  }
  return 0;
}
