// Exact search by family of bounds: solves and time per query on an index file.
//
//   exact_bench FILE.navvy [QUERIES [TOP [THREADS [VARIANT...]]]]
//
// prints one line of JSON per variant. Queries are rows spread evenly over the index. For
// exact.py, which compares with POT:
//
//   exact_bench --pairs FILE.navvy COUNT OUT    random pairs of rows as numbers
//   exact_bench --solve IN                      seconds per exact solve of such pairs, sum of all
//
// A pair is, in doubles: bins of p, bins of q, weights of p, weights of q, costs row by row.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "navvy/index.hpp"
#include "navvy/pairwise.hpp"
#include "pairwise/network_simplex.hpp"
#include "search/exact_query.hpp"
#include "search/exact_search.hpp"
#include "search/knn.hpp"

namespace navvy {
namespace {

const std::vector<std::pair<std::string, search::BoundSwitches>>& variants() {
  static const std::vector<std::pair<std::string, search::BoundSwitches>> all = {
      {"all bounds", {}},
      {"without potentials", {.potentials = false}},
      {"without projections", {.projections = false}},
      {"without relaxations", {.into_query = false, .into_row = false}},
      {"without relaxed into row", {.into_row = false}},
      {"without greedy", {.greedy = false}},
      {"rwmd only", {.projections = false, .potentials = false, .greedy = false, .iterations = 0}},
  };
  return all;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void run(const search::Engine& engine, const std::string& name,
         const search::BoundSwitches& switches, const std::vector<std::uint32_t>& rows,
         const SearchOptions& options) {
  core::ThreadPool pool(options.threads);
  core::Monitor monitor(options.progress);
  std::vector<double> solves, seconds;
  SearchCounters total;
  for (const std::uint32_t row : rows) {
    const std::vector<std::uint32_t> own{row};
    const Histograms query = search::chosen_rows(engine.index.rows, own);
    core::Budget budget(0);
    Matches matches;
    matches.queries = 1;
    matches.top = options.top;
    matches.rows.assign(options.top, Matches::no_row);
    matches.distances.assign(options.top, 0);
    const auto start = std::chrono::steady_clock::now();
    search::search_exact(engine, {&query, own}, options, switches, budget, pool, monitor, matches);
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    solves.push_back(static_cast<double>(matches.proofs[0].solves));
    for (const auto& stage : matches.counters.stages) search::add_stage(stage, total.stages);
  }
  const auto count = static_cast<double>(rows.size());
  std::printf("{\"variant\":\"%s\",\"queries\":%zu,\"median_solves\":%.0f,\"median_seconds\":%.6f,",
              name.c_str(), rows.size(), median(solves), median(seconds));
  std::printf("\"rows\":%zu,\"max_solves\":%.0f,\"stages\":{", engine.rows.rows(),
              *std::ranges::max_element(solves));
  const char* separator = "";
  for (const auto& stage : total.stages) {
    std::printf("%s\"%s\":{\"rows\":%.1f,\"seconds\":%.6f}", separator, stage.measure.c_str(),
                static_cast<double>(stage.rows) / count, stage.seconds / count);
    separator = ",";
  }
  std::printf("}}\n");
  std::fflush(stdout);
}

void write_pairs(const Index& index, std::size_t count, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  const auto write = [&](const std::vector<double>& values) {
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(double)));
  };
  std::mt19937_64 rng(1);
  for (std::size_t written = 0; written < count;) {
    const Histogram p = index.rows[rng() % index.rows.size()];
    const Histogram q = index.rows[rng() % index.rows.size()];
    if (is_empty(p) || is_empty(q)) continue;
    write({static_cast<double>(p.size()), static_cast<double>(q.size())});
    write({p.weights.begin(), p.weights.end()});
    write({q.weights.begin(), q.weights.end()});
    write(ground_distances(index.vocabulary, p, q));
    ++written;
  }
}

void solve_pairs(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<double> values(static_cast<std::size_t>(file.tellg()) / sizeof(double));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(double)));
  pairwise::EmdSolver solver;
  double best = std::numeric_limits<double>::infinity();
  double total = 0;
  for (int round = 0; round < 3; ++round) {
    total = 0;
    std::size_t pairs = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t place = 0; place < values.size(); ++pairs) {
      const auto rows = static_cast<std::size_t>(values[place]);
      const auto columns = static_cast<std::size_t>(values[place + 1]);
      const std::span<const double> rest = std::span(values).subspan(place + 2);
      total += solver.solve(rest.first(rows), rest.subspan(rows, columns),
                            rest.subspan(rows + columns, rows * columns));
      place += 2 + rows + columns + rows * columns;
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / static_cast<double>(pairs));
  }
  std::printf("%.9f %.12f\n", best, total);
}

int main_with(const std::vector<std::string>& arguments) {
  if (arguments[0] == "--pairs") {
    write_pairs(open_index(arguments.at(1)), std::stoul(arguments.at(2)), arguments.at(3));
    return 0;
  }
  if (arguments[0] == "--solve") {
    solve_pairs(arguments.at(1));
    return 0;
  }
  const auto number = [&](std::size_t i, unsigned long otherwise) {
    return arguments.size() > i ? std::stoul(arguments[i]) : otherwise;
  };
  const search::Engine engine(open_index(arguments[0]));
  SearchOptions options;
  options.measure = {MeasureKind::emd, 1};
  options.top = number(2, 16);
  options.threads = static_cast<unsigned>(number(3, 1));
  const std::size_t queries = number(1, 100);
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; rows.size() < queries && i < engine.rows.rows(); ++i) {
    const std::size_t row = i * (engine.rows.rows() / queries);
    if (row < engine.rows.rows() && !engine.rows.is_empty(row))
      rows.push_back(static_cast<std::uint32_t>(row));
  }
  // Projections are made once per index, outside the time of the queries.
  SearchOptions warm = options;
  warm.max_solves = 1;
  run(engine, "warm-up", {}, {rows[0]}, warm);
  for (const auto& [name, switches] : variants())
    if (arguments.size() <= 4 ||
        std::find(arguments.begin() + 4, arguments.end(), name) != arguments.end())
      run(engine, name, switches, rows, options);
  return 0;
}

}  // namespace
}  // namespace navvy

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    std::fprintf(stderr, "exact_bench: skipped, it needs an index; bench/exact.py says how\n");
    return 0;
  }
  return navvy::main_with(arguments);
}
