// The operations of every backend on the data of the conformance suite, on all cores.
//
//   backends_bench --benchmark_filter='^cpu/list/many'
//
// Names are backend/operation/data/measure. Slow backends are timed on few rows.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "backends/data_sets.hpp"

namespace {

using namespace navvy;
using namespace navvy::backends;

constexpr std::size_t top = 16;

// A backend with rows, a task, and all that a call needs.
struct Job {
  Job(const Backend& backend, const test::DataSet& chosen, const std::string& measure)
      : data(chosen), task{parse_measure(measure)} {
    double threshold = data.shape.threshold;
    if (task.measure.kind == MeasureKind::emd_hat)
      threshold = task.measure.threshold = std::min(threshold, 2.25);
    rows = backend.prepare(data.set, threshold, run);
    for (std::uint32_t row = 0; row < rows->rows(); ++row)
      if (!rows->is_empty(row)) with_weight.push_back(row);
  }

  const test::DataSet& data;
  Task task;
  ProgressCallback nobody;
  core::Monitor monitor{nobody};
  core::Workspaces workspaces;
  Run run{0, std::uint64_t{4} << 30U, monitor, workspaces};
  std::unique_ptr<const PreparedRows> rows;
  std::vector<std::uint32_t> with_weight;
};

// All bounds, and the distances of the first rows: what a search asks for.
void queries(Job& job) {
  const auto block = job.rows->queries(job.task, job.data.queries.size(), job.run);
  const auto first = std::span(job.with_weight).first(std::min(top, job.with_weight.size()));
  std::vector<float> distances(first.size());
  for (std::size_t begin = 0; begin < job.data.queries.size(); begin += block->block()) {
    const Range range{begin, std::min(begin + block->block(), job.data.queries.size())};
    block->prepare(job.data.queries, range, job.run);
    for (std::size_t query = range.begin; query < range.end; ++query) {
      if (is_empty(job.data.queries[query])) continue;
      benchmark::DoNotOptimize(block->bounds(query));
      block->distances(first, distances, job.run);
    }
  }
}

void list(Job& job) {
  const auto stage = job.rows->pairs(job.task, {top}, job.run);
  CandidateLists lists(job.rows->rows(), top, job.run);
  stage->list({0, stage->units()}, lists, job.run);
}

// Some pairs of every row. Exact stages have listed them already.
void cost(Job& job) {
  const auto stage = job.rows->pairs(job.task, {top}, job.run);
  if (stage->exact()) return;
  Pairs pairs;
  for (std::uint32_t row = 0; row < job.rows->rows(); ++row) {
    for (std::size_t i = 0; i < top && !job.rows->is_empty(row); ++i)
      pairs.rows.push_back(job.with_weight[(row + 7 * i) % job.with_weight.size()]);
    pairs.offsets.push_back(pairs.rows.size());
  }
  stage->cost(pairs, job.run);
}

void matrix(Job& job) {
  const Range all{0, job.rows->rows()};
  job.rows->matrix(job.task, all, all, job.run,
                   [](std::size_t, std::size_t, std::span<const float> values) {
                     benchmark::DoNotOptimize(values.data());
                   });
}

void solve(Job& job) {
  const auto solver = job.rows->solver(job.task, {}, job.run);
  std::vector<double> distances(job.with_weight.size());
  solver->set_query(job.data.queries[0], job.run);
  solver->solve(job.with_weight, distances, job.run);
}

using Operation = void (*)(Job&);

void add(const Backend& backend, const std::string& name, Operation operation,
         const std::string& data, const std::string& measure) {
  const std::string full = std::string(backend.name()) + "/" + name + "/" + data + "/" + measure;
  benchmark::RegisterBenchmark(full.c_str(),
                               [=, &backend](benchmark::State& state) {
                                 Job job(backend, test::data_set(data), measure);
                                 for (auto step : state) {
                                   static_cast<void>(step);
                                   operation(job);
                                 }
                               })
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

void add_all(const Backend& backend) {
  const bool slow = backend.name() == "reference";
  for (const test::DataShape& shape : slow ? test::small_shapes() : test::large_shapes()) {
    for (const char* measure : {"bow", "wcd", "rwmd", "omr", "act-1", "act-7", "act-15", "ict"}) {
      add(backend, "queries", queries, shape.name, measure);
      add(backend, "list", list, shape.name, measure);
      add(backend, "cost", cost, shape.name, measure);
      add(backend, "matrix", matrix, shape.name, measure);
    }
    for (const char* measure : {"emd", "emd-hat", "sinkhorn"})
      add(backend, "solve", solve, shape.name, measure);
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const Backend* backend : all_backends()) add_all(*backend);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
