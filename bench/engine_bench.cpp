// Times the engine's jobs and prints each as a ratio within this run: to L, the time of one fused
// multiply-add per (pair, bin) at the rate P that all threads reach in registers alone.
//
//   engine_bench images MNIST.navvy        all pairs, top 128: rwmd and the cascade
//   engine_bench background MNIST-BG.navvy the same with black pixels kept
//   engine_bench matrix MNIST.navvy        distances without pruning, 20,000 rows
//   engine_bench text NEWS.navvy           all pairs and single queries over a large vocabulary
//   engine_bench scaling                   made-up texts: what doubling n, h and v costs

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/parallel.hpp"
#include "kernels/kernels.hpp"
#include "navvy/navvy.hpp"

namespace navvy {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Fused multiply-adds per second of all threads together, the best of a few tries.
double peak_rate(unsigned threads) {
  constexpr std::uint64_t count = 3'000'000'000;
  core::ThreadPool pool(threads);
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    std::vector<std::uint64_t> done(pool.threads());
    const auto start = Clock::now();
    pool.run(pool.threads(), [&](std::size_t block, unsigned) {
      done[block] = kernels::best_kernels().fma_peak(count);
    });
    double sum = 0;
    for (const std::uint64_t value : done) sum += static_cast<double>(value);
    best = std::max(best, sum / seconds_since(start));
  }
  return best;
}

double peak_memory_gb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
}

struct Job {
  Searcher& searcher;
  unsigned threads;
  double peak;
  double limit;  // L
};

SearchOptions options_for(const std::string& measure, std::size_t top, unsigned threads) {
  SearchOptions options;
  options.question.measure = parse_measure(measure);
  options.top = top;
  options.run.threads = threads;
  return options;
}

struct Timing {
  std::string measure;
  unsigned threads;
  double seconds = std::numeric_limits<double>::infinity();  // the best of all rounds
  std::string counters = {};
};

void time_knn(const Job& job, Timing& timing) {
  const auto start = Clock::now();
  const Matches matches = job.searcher.knn(options_for(timing.measure, 128, timing.threads));
  timing.seconds = std::min(timing.seconds, seconds_since(start));
  timing.counters.clear();
  for (const auto& stage : matches.counters.stages)
    timing.counters += " " + stage.measure + " " +
                       std::to_string(stage.rows / std::max<std::size_t>(1, matches.queries)) +
                       " rows";
  timing.counters += "; " + std::to_string(matches.counters.list_growths) + " lists grew";
}

// All measures in turns, so that a bad minute of a shared machine does not fall on one of them; the
// best time counts, as it does for P.
std::vector<Timing> time_in_turns(const Job& job, std::vector<Timing> timings, int rounds) {
  for (int round = 0; round < rounds; ++round)
    for (Timing& timing : timings) time_knn(job, timing);
  for (const Timing& timing : timings)
    std::printf("| all pairs, top 128, %s%s%s | %.2f s | %.2f L |%s |\n", timing.measure.c_str(),
                timing.threads == 1 ? ", one thread" : "",
                rounds > 1 ? (", best of " + std::to_string(rounds)).c_str() : "", timing.seconds,
                timing.seconds / job.limit, timing.counters.c_str());
  std::fflush(stdout);
  return timings;
}

void run_images(const Job& job) {
  const auto timings = time_in_turns(job,
                                     {{"rwmd", job.threads},
                                      {"act-1", job.threads},
                                      {"act-3", job.threads},
                                      {"act-7", job.threads},
                                      {"rwmd", 1}},
                                     5);
  for (const std::size_t i : {1U, 2U, 3U})
    std::printf("| %s against rwmd | | %.2f x | |\n", timings[i].measure.c_str(),
                timings[i].seconds / timings[0].seconds);
  std::printf("| rwmd: %u threads against one | | %.2f x | |\n", job.threads,
              timings[4].seconds / timings[0].seconds);
}

void run_background(const Job& job) {
  time_in_turns(job, {{"omr", job.threads}, {"act-7", job.threads}, {"act-15", job.threads}}, 1);
}

void run_matrix(const Job& job) {
  const std::size_t n = std::min<std::size_t>(20000, job.searcher.index().rows.size());
  const double share =
      static_cast<double>(n) / static_cast<double>(job.searcher.index().rows.size());
  constexpr int rounds = 3;
  double seconds = std::numeric_limits<double>::infinity();
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto start = Clock::now();
    const SearchOptions options = options_for("act-1", 1, job.threads);
    job.searcher.distances({0, n, 0, n}, options.question, options.run,
                           [&](std::size_t, std::size_t, std::span<const float> values) {
                             sum += static_cast<double>(values[values.size() / 2]);
                           });
    seconds = std::min(seconds, seconds_since(start));
  }
  std::printf("| distances, %zu rows, act-1, both directions, best of %d | %.2f s | %.2f L | |\n",
              n, rounds, seconds, seconds / (job.limit * share * share));
  if (sum < 0) std::printf("impossible\n");
}

void run_text(const Job& job) {
  const Index& index = job.searcher.index();
  const double per_query =
      static_cast<double>(index.vocabulary.size()) *
      (static_cast<double>(index.rows.bins()) / static_cast<double>(index.rows.size())) *
      static_cast<double>(index.vocabulary.dimensions()) / job.peak;
  const double phase_one = per_query * static_cast<double>(index.rows.size());
  const double seconds = time_in_turns(job, {{"act-1", job.threads}}, 1).front().seconds;
  std::printf("| that against Phase 1 as the paper has it (%.1f s at rate P) | | %.2f | |\n",
              phase_one, seconds / phase_one);
  std::vector<double> times;
  for (std::uint32_t query = 0; query < 200; ++query) {
    const std::vector<std::uint32_t> rows{
        static_cast<std::uint32_t>(query * (index.rows.size() / 200))};
    const auto start = Clock::now();
    job.searcher.search_rows(rows, options_for("act-1", 16, job.threads));
    times.push_back(seconds_since(start));
  }
  std::sort(times.begin(), times.end());
  std::printf("| one query, act-1, top 16, median of 200 | %.1f ms | %.2f x v h m / P | |\n",
              times[100] * 1e3, times[100] / per_query);
}

struct Size {
  std::size_t rows, bins, words;
};

// Rows about one of 100 subjects each: words and rows of a subject are near each other.
Index made_up(Size size) {
  constexpr std::size_t subjects = 100;
  constexpr std::size_t dimensions = 64;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> centres(subjects * dimensions);
  for (float& value : centres) value = normal(random);
  std::vector<float> words;
  for (std::size_t word = 0; word < size.words; ++word)
    for (std::size_t d = 0; d < dimensions; ++d)
      words.push_back(centres[word % subjects * dimensions + d] + normal(random));
  HistogramsBuilder builder(size.words);
  for (std::size_t row = 0; row < size.rows; ++row) {
    std::vector<std::uint32_t> ids;
    for (std::size_t bin = 0; bin < size.bins; ++bin) {
      const std::size_t any = random() % size.words;
      const bool on_subject = random() % 4 != 0;
      ids.push_back(
          static_cast<std::uint32_t>(on_subject ? any - any % subjects + row % subjects : any));
    }
    builder.add(ids, std::vector<double>(ids.size(), 1.0));
  }
  Index index;
  index.vocabulary = {dimensions, Array(std::move(words))};
  index.rows = builder.build();
  return index;
}

// The best of three: seconds for 64 queries against all rows.
double time_queries(Size size) {
  Searcher searcher(made_up(size));
  SearchOptions options = options_for("act-1", 16, 0);
  std::vector<std::uint32_t> queries(64);
  for (std::uint32_t i = 0; i < queries.size(); ++i) queries[i] = i;
  searcher.prepare(options.question, options.run);
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 3; ++round) {
    const auto start = Clock::now();
    searcher.search_rows(queries, options);
    best = std::min(best, seconds_since(start));
  }
  return best;
}

int run_scaling() {
  const Size base{20000, 50, 20000};
  const double seconds = time_queries(base);
  std::printf("\nscaling: made-up texts, 64 queries, act-1, top 16\n\n");
  std::printf("| rows n | bins h | words v | time | against the first |\n|---|---|---|---|---|\n");
  for (const Size size :
       {base, Size{2 * base.rows, base.bins, base.words},
        Size{base.rows, 2 * base.bins, base.words}, Size{base.rows, base.bins, 2 * base.words}}) {
    const double taken = time_queries(size);
    std::printf("| %zu | %zu | %zu | %.3f s | %.2f x |\n", size.rows, size.bins, size.words, taken,
                taken / seconds);
  }
  return 0;
}

int run(const std::string& what, const char* path) {
  Searcher searcher(open_index(path));
  const Index& index = searcher.index();
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  RunOptions ready;
  ready.threads = threads;
  searcher.prepare({}, ready);
  const double peak = peak_rate(threads);
  // Bins with weight: those without cost nothing in any direction.
  std::size_t bins = 0;
  for (const float weight : index.rows.weights()) bins += weight > 0 ? 1U : 0U;
  const double limit = static_cast<double>(index.rows.size()) * static_cast<double>(bins) / peak;
  std::printf(
      "\n%s: n = %zu, v = %zu, %.1f bins with weight, m = %zu; %s, %u threads, "
      "P = %.1f G/s, L = %.2f s\n\n| job | time | ratio | |\n|---|---|---|---|\n",
      what.c_str(), index.rows.size(), index.vocabulary.size(),
      static_cast<double>(bins) / static_cast<double>(index.rows.size()),
      index.vocabulary.dimensions(), kernels_in_use().c_str(), threads, peak / 1e9, limit);
  const Job job{searcher, threads, peak, limit};
  if (what == "images")
    run_images(job);
  else if (what == "background")
    run_background(job);
  else if (what == "matrix")
    run_matrix(job);
  else
    run_text(job);
  std::printf("| peak memory | %.2f GB | | |\n", peak_memory_gb());
  return 0;
}

}  // namespace
}  // namespace navvy

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "scaling") return navvy::run_scaling();
  if (argc != 3) {
    std::fprintf(stderr,
                 "usage: engine_bench images|background|matrix|text INDEX, or scaling; "
                 "see engine.py\n");
    return 2;
  }
  return navvy::run(argv[1], argv[2]);
}
