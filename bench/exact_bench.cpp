// Exact search by family of bounds: solves and time per query on an index file.
//
//   exact_bench FILE.navvy [QUERIES [TOP [THREADS [SECONDS [VARIANT...]]]]]
//
// prints one line of JSON per variant. All but the first end with the query that takes them beyond
// SECONDS, pruning by rwmd alone beyond six times that. Queries are rows spread evenly over the
// index. For exact.py, which compares with POT:
//
//   exact_bench --pairs FILE.navvy COUNT OUT            random pairs of rows as numbers
//   exact_bench --near FILE.navvy COUNT OUT             rows and near ones, as exact search solves
//                                                       them: without the mass in common
//   exact_bench --solve IN                              seconds per exact solve of such pairs, sum
//   exact_bench --sinkhorn FILE.navvy QUERIES ROWS OUT  the same of sinkhorn, and its pairs
//   exact_bench --search FILE.navvy MEASURE QUERIES     seconds of their top 16 per row
//   exact_bench --first FILE.navvy ROW                  seconds of one search, all it makes
//   included
//
// A pair is, in doubles: bins of p, bins of q, weights of p, weights of q, costs row by row.

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/backend.hpp"
#include "core/chosen_rows.hpp"
#include "core/run.hpp"
#include "navvy/index.hpp"
#include "navvy/pairwise.hpp"
#include "pairwise/network_simplex.hpp"
#include "search/answers.hpp"
#include "search/exact/query.hpp"
#include "search/exact/search.hpp"

namespace navvy {
namespace {

const std::vector<std::pair<std::string, search::BoundSwitches>>& variants() {
  static const std::vector<std::pair<std::string, search::BoundSwitches>> all = {
      {"all bounds", {}},
      {"without potentials", {.potentials = false}},
      {"without projections", {.projections = false}},
      {"without relaxations", {.into_query = false, .into_row = false}},
      {"without greedy", {.greedy = false}},
      {"with ict", {.ict = true}},
      {"rwmd only", {.projections = false, .potentials = false, .greedy = false, .iterations = 0}},
  };
  return all;
}

// Everything here runs on one thread, so that its CPU time does not show what else the machine
// does.
struct Clock {
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
};

double seconds_since(double start) { return Clock::now() - start; }

void print_list(const char* name, const std::vector<double>& values) {
  std::printf("\"%s\":[", name);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::printf("%s%.6g", i == 0 ? "" : ",", values[i]);
  std::printf("],");
}

// An index made ready, and what a call needs.
struct Ready {
  explicit Ready(const Index& source) : index(source) {
    core::Run kept = run(1).for_kept();
    rows = backends::find_backend("cpu").prepare({index.vocabulary, index.rows},
                                                 std::numeric_limits<double>::infinity(), kept);
  }

  core::Run run(unsigned threads) { return {threads, 0, monitor, workspaces}; }

  Index index;
  ProgressCallback nobody;
  core::Monitor monitor{nobody};
  core::Workspaces workspaces;
  std::unique_ptr<const backends::PreparedRows> rows;
};

void time_variant(Ready& ready, const std::string& name, const search::BoundSwitches& switches,
                  const std::vector<std::uint32_t>& rows, const SearchOptions& options,
                  double limit) {
  std::vector<double> solves, seconds;
  SearchCounters total;
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < rows.size() && (i == 0 || seconds_since(begin) < limit); ++i) {
    const std::vector<std::uint32_t> own{rows[i]};
    const Histograms query = core::chosen_rows(ready.index.rows, own);
    core::Run run = ready.run(options.run.threads);
    Matches matches(1, options.top);
    const auto start = Clock::now();
    search::search_exact(*ready.rows, {&query, own}, {options, switches}, run, matches);
    seconds.push_back(seconds_since(start));
    solves.push_back(static_cast<double>(matches.proofs[0].solves));
    for (const auto& stage : matches.counters.stages) add_stage(stage, total.stages);
  }
  const auto count = static_cast<double>(solves.size());
  std::printf("{\"variant\":\"%s\",\"rows\":%zu,", name.c_str(), ready.rows->rows());
  print_list("solves", solves);
  print_list("seconds", seconds);
  std::printf("\"stages\":{");
  const char* separator = "";
  for (const auto& stage : total.stages) {
    std::printf("%s\"%s\":{\"rows\":%.1f,\"seconds\":%.6f}", separator, stage.measure.c_str(),
                static_cast<double>(stage.rows) / count, stage.seconds / count);
    separator = ",";
  }
  std::printf("}}\n");
  std::fflush(stdout);
}

class PairFile {
 public:
  explicit PairFile(const std::string& path) : file_(path, std::ios::binary) {}

  void add(const Index& index, const Histogram& p, const Histogram& q) {
    write({static_cast<double>(p.size()), static_cast<double>(q.size())});
    write({p.weights.begin(), p.weights.end()});
    write({q.weights.begin(), q.weights.end()});
    write(ground_distances(index.vocabulary, p, q));
  }

 private:
  void write(const std::vector<double>& values) {
    file_.write(reinterpret_cast<const char*>(values.data()),
                static_cast<std::streamsize>(values.size() * sizeof(double)));
  }

  std::ofstream file_;
};

// Rows spread evenly over an index, in an order that mixes them: rows that stand together are often
// alike.
std::vector<std::uint32_t> spread_rows(const Index& index, std::size_t count,
                                       std::size_t first = 0) {
  std::vector<std::uint32_t> rows;
  const std::size_t step = std::max<std::size_t>(index.rows.size() / count, 1);
  for (std::size_t row = first; rows.size() < count && row < index.rows.size(); row += step)
    if (!is_empty(index.rows[row])) rows.push_back(static_cast<std::uint32_t>(row));
  std::shuffle(rows.begin(), rows.end(), std::mt19937_64(1));
  return rows;
}

// What is left of a histogram's weights once the mass that another has too is taken away.
struct Rest {
  Rest(const Histogram& own, const Histogram& other) {
    double own_sum = 0, other_sum = 0;
    for (const float weight : own.weights) own_sum += static_cast<double>(weight);
    for (const float weight : other.weights) other_sum += static_cast<double>(weight);
    for (std::size_t i = 0, j = 0; i < own.size(); ++i) {
      while (j < other.size() && other.coordinates[j] < own.coordinates[i]) ++j;
      const bool both = j < other.size() && other.coordinates[j] == own.coordinates[i];
      const double common = both ? static_cast<double>(other.weights[j]) / other_sum : 0;
      const double rest = static_cast<double>(own.weights[i]) / own_sum - common;
      if (rest <= 0) continue;
      coordinates.push_back(own.coordinates[i]);
      weights.push_back(static_cast<float>(rest));
    }
  }
  [[nodiscard]] Histogram histogram() const { return {coordinates, weights}; }

  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
};

// Rows with the 16 that act-1 calls nearest, which are the ones that exact search begins with.
void write_near_pairs(const Index& index, std::size_t count, const std::string& path) {
  Searcher searcher(index);
  SearchOptions options;
  options.question.measure = {MeasureKind::act, 1};
  options.run.threads = 1;
  options.top = 16;
  PairFile file(path);
  for (const std::uint32_t row : spread_rows(index, (count + options.top - 1) / options.top)) {
    const Matches matches = searcher.search_rows(std::vector<std::uint32_t>{row}, options);
    for (const Match& match : matches[0]) {
      const Histogram near = index.rows[static_cast<std::size_t>(match.row)];
      const Rest p(index.rows[row], near);
      const Rest q(near, index.rows[row]);
      if (!p.weights.empty() && !q.weights.empty()) file.add(index, p.histogram(), q.histogram());
    }
  }
}

void write_pairs(const Index& index, std::size_t count, const std::string& path) {
  PairFile file(path);
  std::mt19937_64 rng(1);
  for (std::size_t written = 0; written < count;) {
    const Histogram p = index.rows[rng() % index.rows.size()];
    const Histogram q = index.rows[rng() % index.rows.size()];
    if (is_empty(p) || is_empty(q)) continue;
    file.add(index, p, q);
    ++written;
  }
}

void time_sinkhorn(const Index& index, std::size_t queries, std::size_t rows,
                   const std::string& path) {
  Ready ready(index);
  core::Run run = ready.run(1);
  const auto sinkhorn = ready.rows->solver({.measure = {MeasureKind::sinkhorn, 1}}, {}, run);
  const std::vector<std::uint32_t> chosen = spread_rows(index, rows);
  std::vector<double> distances(chosen.size());
  double total = 0;
  PairFile file(path);
  double seconds = 0;
  for (const std::uint32_t query : spread_rows(index, queries, 1)) {
    const auto start = Clock::now();
    // What a query needs once is shared by all rows of the index, not by the few that are timed.
    sinkhorn->set_query(index.rows[query], run);
    const double shared = seconds_since(start) / static_cast<double>(index.rows.size());
    const auto begin = Clock::now();
    sinkhorn->solve(chosen, distances, run);
    seconds += seconds_since(begin) + shared * static_cast<double>(rows);
    for (const double distance : distances) total += distance;
    for (const std::uint32_t row : chosen) file.add(index, index.rows[row], index.rows[query]);
  }
  std::printf("%.9f %.12f\n", seconds / static_cast<double>(queries * rows), total);
}

void time_search(const Index& index, const std::string& measure,
                 const std::vector<std::uint32_t>& queries) {
  Searcher searcher(index);
  SearchOptions options;
  options.question.measure = parse_measure(measure);
  options.run.threads = 1;
  options.top = 16;
  searcher.prepare(options.question, options.run);
  const auto start = Clock::now();
  searcher.search_rows(queries, options);
  std::printf("%.12f\n",
              seconds_since(start) / static_cast<double>(queries.size() * index.rows.size()));
}

// What a command that searches once pays: opening the file, making the rows ready, making the
// tables of exact search (projections above all), the query.
void time_first_search(const std::string& path, std::uint32_t row) {
  std::vector<double> times{Clock::now()};
  const Index index = open_index(path);
  times.push_back(Clock::now());
  Ready ready(index);
  times.push_back(Clock::now());
  SearchOptions options;
  options.question.measure = {MeasureKind::emd, 1};
  core::Run run = ready.run(1);
  ready.rows->solver(search::task_of(options), {.prepared = true}, run).reset();
  times.push_back(Clock::now());
  options.top = 16;
  options.run.threads = 1;
  std::printf("{");
  print_list("steps", {times[1] - times[0], times[2] - times[1], times[3] - times[2]});
  std::printf("\"query\":");
  time_variant(ready, "first", {}, {row}, options, 0);
  std::printf("}\n");
}

void solve_pairs(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<double> values(static_cast<std::size_t>(file.tellg()) / sizeof(double));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(double)));
  pairwise::EmdSolver solver;
  double total = 0;
  std::size_t pairs = 0;
  const auto start = Clock::now();
  for (std::size_t place = 0; place < values.size(); ++pairs) {
    const auto rows = static_cast<std::size_t>(values[place]);
    const auto columns = static_cast<std::size_t>(values[place + 1]);
    const std::span<const double> rest = std::span(values).subspan(place + 2);
    total += solver.solve(rest.first(rows), rest.subspan(rows, columns),
                          rest.subspan(rows + columns, rows * columns));
    place += 2 + rows + columns + rows * columns;
  }
  const double seconds = seconds_since(start) / static_cast<double>(pairs);
  std::printf("%.9f %.12f\n", seconds, total);
}

int main_with(const std::vector<std::string>& arguments) {
  if (arguments[0] == "--pairs") {
    write_pairs(open_index(arguments.at(1)), std::stoul(arguments.at(2)), arguments.at(3));
    return 0;
  }
  if (arguments[0] == "--near") {
    write_near_pairs(open_index(arguments.at(1)), std::stoul(arguments.at(2)), arguments.at(3));
    return 0;
  }
  if (arguments[0] == "--solve") {
    solve_pairs(arguments.at(1));
    return 0;
  }
  if (arguments[0] == "--sinkhorn") {
    time_sinkhorn(open_index(arguments.at(1)), std::stoul(arguments.at(2)),
                  std::stoul(arguments.at(3)), arguments.at(4));
    return 0;
  }
  if (arguments[0] == "--search") {
    const Index index = open_index(arguments.at(1));
    time_search(index, arguments.at(2), spread_rows(index, std::stoul(arguments.at(3))));
    return 0;
  }
  if (arguments[0] == "--first") {
    time_first_search(arguments.at(1), static_cast<std::uint32_t>(std::stoul(arguments.at(2))));
    return 0;
  }
  const auto number = [&](std::size_t i, unsigned long otherwise) {
    return arguments.size() > i ? std::stoul(arguments[i]) : otherwise;
  };
  Ready ready(open_index(arguments[0]));
  SearchOptions options;
  options.question.measure = {MeasureKind::emd, 1};
  options.top = number(2, 16);
  options.run.threads = static_cast<unsigned>(number(3, 1));
  const std::vector<std::uint32_t> rows = spread_rows(ready.index, number(1, 100));
  // Projections are made once per index, outside the time of the queries.
  SearchOptions warm = options;
  warm.exact.max_solves = 1;
  time_variant(ready, "warm-up", {}, {rows[0]}, warm, 0);
  const auto limit = static_cast<double>(number(4, 1'000'000));
  for (const auto& [name, switches] : variants())
    if (arguments.size() <= 5 ||
        std::find(arguments.begin() + 5, arguments.end(), name) != arguments.end())
      time_variant(ready, name, switches, rows, options,
                   name == "all bounds"  ? 1e9
                   : name == "rwmd only" ? 6 * limit
                                         : limit);
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
