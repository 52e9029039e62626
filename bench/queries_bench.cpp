// Latency of queries, with each stage on and off in turns:
//
//   queries_bench INDEX.navvy [MEASURE [TOP [QUERIES [BATCH...]]]]
//
// Rows spread evenly over the index ask, one thread. Per batch size and backend: the median, 95th
// and 99th percentile of the milliseconds of a call, divided by its queries. Stops where two
// backends differ in a bit.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "navvy/navvy.hpp"

namespace navvy {
namespace {

using Clock = std::chrono::steady_clock;

struct Asked {
  SearchOptions options;
  std::size_t queries = 200;
};

std::vector<std::vector<std::uint32_t>> batches_of(std::size_t rows, std::size_t queries,
                                                   std::size_t batch) {
  std::vector<std::vector<std::uint32_t>> batches(std::max<std::size_t>(1, queries / batch));
  const std::size_t count = batches.size() * batch;
  for (std::size_t i = 0; i < count; ++i)
    batches[i / batch].push_back(static_cast<std::uint32_t>(i * rows / count));
  return batches;
}

double percentile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void require_same(const Matches& a, const Matches& b) {
  const auto same = [](const auto& x, const auto& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0;
  };
  if (same(a.rows, b.rows) && same(a.distances, b.distances)) return;
  std::fprintf(stderr, "queries_bench: backends differ\n");
  std::exit(1);
}

void measure(const std::vector<const Searcher*>& searchers, const std::vector<std::string>& names,
             const Index& index, const Asked& asked, std::size_t batch) {
  std::vector<std::vector<double>> times(searchers.size());
  for (const auto& rows : batches_of(index.rows.size(), asked.queries, batch)) {
    Matches first;
    for (std::size_t i = 0; i < searchers.size(); ++i) {
      const auto start = Clock::now();
      Matches found = searchers[i]->search_rows(rows, asked.options);
      const std::chrono::duration<double, std::milli> took = Clock::now() - start;
      times[i].push_back(took.count() / static_cast<double>(rows.size()));
      if (i == 0)
        first = std::move(found);
      else
        require_same(first, found);
    }
  }
  for (std::size_t i = 0; i < searchers.size(); ++i)
    std::printf("%-14s batch %5zu  p50 %8.3f  p95 %8.3f  p99 %8.3f ms per query\n",
                names[i].c_str(), batch, percentile(times[i], 0.5), percentile(times[i], 0.95),
                percentile(times[i], 0.99));
}

int run(const std::vector<std::string>& arguments) {
  const Index index = open_index(arguments.at(0));
  Asked asked;
  asked.options.question.measure = parse_measure(arguments.size() > 1 ? arguments[1] : "act-1");
  if (arguments.size() > 2) asked.options.top = std::stoul(arguments[2]);
  if (arguments.size() > 3) asked.queries = std::stoul(arguments[3]);
  asked.options.run.threads = 1;
  std::vector<std::size_t> batches;
  for (std::size_t i = 4; i < arguments.size(); ++i) batches.push_back(std::stoul(arguments[i]));
  if (batches.empty()) batches = {1, 8, 64, 1000};
  const std::vector<std::string> names = {"cpu", "cpu-unsigned"};
  const Searcher all(index, names[0]);
  const Searcher none(index, names[1]);
  const std::vector<std::uint32_t> warm = {0};
  for (const Searcher* searcher : {&all, &none}) {
    const auto start = Clock::now();
    searcher->search_rows(warm, asked.options);
    const std::chrono::duration<double, std::milli> took = Clock::now() - start;
    std::printf("first query %8.1f ms\n", took.count());
  }
  for (const std::size_t batch : batches) measure({&all, &none}, names, index, asked, batch);
  return 0;
}

}  // namespace
}  // namespace navvy

int main(int argc, char** argv) {
  try {
    return navvy::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "queries_bench: %s\n", error.what());
    return 1;
  }
}
