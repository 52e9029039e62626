// A device against the processor, and what its kernels have to move and compute.
//
//   device_bench ratio DEVICE INDEX   lines of a table: CPU seconds of both for the same jobs
//   device_bench counts INDEX MEASURE TOP GB
//                                     all pairs on a card with so much memory, phase by phase
//   device_bench check DEVICE INDEX   whether those are the counts of a device that computes
//
// Counts come from a device that does nothing: the engine plans and launches as always, and counts.
// Where results differ, or counts, the program fails. bench/device.py makes a page of it all.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "devices/device.hpp"
#include "navvy/navvy.hpp"
#include "support/no_device.hpp"

namespace navvy {
namespace {

constexpr std::size_t top = 16;

// --- counts -------------------------------------------------------------------------------------

void print_counts(const char* index_path, const char* measure, std::size_t length, double memory) {
  devices::Facts card{"a card", "", ""};
  card.memory = static_cast<std::uint64_t>(memory * 1e9);
  card.largest_buffer = card.memory;
  card.largest_group = 1024;
  card.is_gpu = card.has_doubles = true;
  constexpr std::size_t width_of_cards = 2;
  for (const DevicePhase& phase : test::all_pairs_work(
           open_index(index_path), parse_measure(measure), length, card, width_of_cards))
    std::printf("%s\t%llu\t%llu\t%llu\t%llu\n", phase.name.c_str(),
                static_cast<unsigned long long>(phase.launches),
                static_cast<unsigned long long>(phase.bytes),
                static_cast<unsigned long long>(phase.least_bytes),
                static_cast<unsigned long long>(phase.operations));
}

// --- a device that computes ----------------------------------------------------------------------

enum class JobKind { matrix, all_pairs, single };

struct RatioJob {
  JobKind kind;
  const char* measure;
  std::size_t queries;  // of a matrix, or how many single ones
  std::size_t rows;
};

// Small enough for PoCL, which is slow at texts.
std::vector<RatioJob> jobs_for(const Index& index) {
  if (index.kind == DataKind::images)
    return {{JobKind::matrix, "rwmd", 2048, 10000},
            {JobKind::matrix, "act-1", 2048, 10000},
            {JobKind::matrix, "act-7", 512, 10000},
            {JobKind::all_pairs, "act-1", 0, 4096},
            {JobKind::single, "act-1", 20, 10000}};
  return {{JobKind::all_pairs, "act-1", 0, 128}, {JobKind::single, "act-1", 4, 2000}};
}

Index first_rows(const Index& index, std::size_t count) {
  std::vector<std::uint32_t> rows(std::min(count, index.rows.size()));
  std::iota(rows.begin(), rows.end(), 0U);
  return restricted(index, rows);
}

// Distances and rows, whatever the job, as bytes.
struct RatioOutcome {
  std::vector<float> values;
  std::vector<std::int64_t> rows;
  std::vector<double> distances;
  double seconds = 0;  // of all threads

  bool operator==(const RatioOutcome& other) const {
    return values.size() == other.values.size() &&
           std::memcmp(values.data(), other.values.data(), values.size() * sizeof(float)) == 0 &&
           rows == other.rows && distances == other.distances;
  }
};

void add(const Matches& matches, RatioOutcome& outcome) {
  outcome.rows.insert(outcome.rows.end(), matches.rows.begin(), matches.rows.end());
  outcome.distances.insert(outcome.distances.end(), matches.distances.begin(),
                           matches.distances.end());
}

RatioOutcome run_job(const Searcher& searcher, const RatioJob& job) {
  SearchOptions options;
  options.question.measure = parse_measure(job.measure);
  options.top = top;
  RatioOutcome outcome;
  const std::clock_t start = std::clock();
  if (job.kind == JobKind::matrix)
    searcher.distances({0, job.queries, 0, searcher.index().rows.size()}, options.question, {},
                       [&](std::size_t, std::size_t, std::span<const float> values) {
                         outcome.values.insert(outcome.values.end(), values.begin(), values.end());
                       });
  else if (job.kind == JobKind::all_pairs)
    add(searcher.knn(options), outcome);
  else
    for (std::uint32_t query = 0; query < job.queries; ++query)
      add(searcher.search_rows(std::vector{query}, options), outcome);
  outcome.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return outcome;
}

std::string title(const RatioJob& job, std::size_t rows) {
  const std::string measure = std::string(", ") + job.measure;
  const std::string against = std::to_string(rows) + " rows" + measure;
  if (job.kind == JobKind::all_pairs) return "all pairs of " + against;
  if (job.kind == JobKind::matrix)
    return "matrix, " + std::to_string(job.queries) + " x " + against;
  return std::to_string(job.queries) + " single queries, " + against;
}

bool print_ratios(const std::string& device, const char* path) {
  const Index index = open_index(path);
  bool same = true;
  for (const RatioJob& job : jobs_for(index)) {
    const Index part = first_rows(index, job.rows);
    const Searcher by_device(part, device);
    const Searcher by_cpu(part, device_backend("cpu"));
    // Kernels are compiled, and what is kept is made, before the clock runs.
    const RatioJob once{JobKind::single, job.measure, 1, job.rows};
    RatioJob small = job;
    small.queries = std::min<std::size_t>(job.queries, 1);
    for (const Searcher* searcher : {&by_device, &by_cpu}) {
      run_job(*searcher, once);
      if (job.kind == JobKind::matrix) run_job(*searcher, small);
    }
    const RatioOutcome found = run_job(by_device, job);
    const RatioOutcome expected = run_job(by_cpu, job);
    same = same && found == expected;
    std::printf("| %s | %s | %.2f s | %.2f s | %.1f | %s |\n",
                index.kind == DataKind::images ? "MNIST" : "20News",
                title(job, part.rows.size()).c_str(), found.seconds, expected.seconds,
                found.seconds / expected.seconds, found == expected ? "yes" : "NO");
    std::fflush(stdout);
  }
  return same;
}

// --- both ----------------------------------------------------------------------------------------

bool same_counts(const std::string& name, const char* path) {
  const Index all = open_index(path);
  // Not a whole number of tiles.
  const Index index = first_rows(all, all.kind == DataKind::images ? 1500 : 100);
  const std::unique_ptr<devices::Device> device = devices::open(name);
  devices::Facts facts = device->facts();
  facts.name = "like " + name;
  SearchOptions options;
  options.question.measure = parse_measure("act-1");
  options.top = top;
  reset_device_work(name);
  Searcher(index, name).knn(options);
  const auto done = device_work(name);
  const auto counted =
      test::all_pairs_work(index, options.question.measure, top, facts, device->lane_width());
  const auto count = [](const DevicePhase& phase) {
    return std::tuple(phase.launches, phase.bytes, phase.least_bytes, phase.operations);
  };
  bool same = true;
  for (std::size_t i = 0; i < done.size(); ++i) {
    if (count(done[i]) == count(counted[i])) continue;
    same = false;
    std::fprintf(stderr, "device_bench: %s: %llu bytes in %llu launches; expected %llu in %llu\n",
                 done[i].name.c_str(), static_cast<unsigned long long>(done[i].bytes),
                 static_cast<unsigned long long>(done[i].launches),
                 static_cast<unsigned long long>(counted[i].bytes),
                 static_cast<unsigned long long>(counted[i].launches));
  }
  return same;
}

int run(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "ratio" && argc == 4) return print_ratios(argv[2], argv[3]) ? 0 : 1;
  if (what == "check" && argc == 4) return same_counts(argv[2], argv[3]) ? 0 : 1;
  if (what == "counts" && argc == 6) {
    print_counts(argv[2], argv[3], std::stoul(argv[4]), std::stod(argv[5]));
    return 0;
  }
  std::fprintf(stderr,
               "usage: device_bench ratio|check DEVICE INDEX, or counts INDEX MEASURE TOP GB\n");
  return 2;
}

}  // namespace
}  // namespace navvy

int main(int argc, char** argv) {
  try {
    return navvy::run(argc, argv);
  } catch (const navvy::Error& error) {
    std::fprintf(stderr, "device_bench: %s\n", error.what());
    return 1;
  }
}
