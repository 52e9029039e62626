// Runs each job on both sides, twice, and compares what came out byte by byte.
#include "app/device_bench.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <utility>

#include "app/machine.hpp"
#include "app/made_up.hpp"
#include "navvy/search.hpp"
#include "navvy/version.hpp"

namespace navvy::app {
namespace {

constexpr std::size_t top = 16;
constexpr std::size_t rows_for_gpus = 20000;
constexpr std::size_t rows_for_others = 500;
constexpr std::size_t few_texts = 8;

/// What a job leaves: to be compared.
struct JobOutcome {
  std::vector<std::int64_t> rows;
  std::vector<double> distances;
  std::vector<float> matrix;
};

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

bool same_bytes(const JobOutcome& a, const JobOutcome& b) {
  return same_bytes(a.rows, b.rows) && same_bytes(a.distances, b.distances) &&
         same_bytes(a.matrix, b.matrix);
}

std::size_t queries_of(const BenchJob& job, std::size_t rows) {
  return job.queries == 0 ? rows : std::min(job.queries, rows);
}

JobOutcome outcome(const Searcher& searcher, const BenchJob& job, const RunOptions& run) {
  const std::size_t rows = searcher.index().rows.size();
  SearchOptions options;
  options.question.measure = job.measure;
  options.run = run;
  options.top = std::min(top, rows - 1);
  JobOutcome made;
  if (job.work == BenchWork::matrix) {
    const MatrixRange range{0, queries_of(job, rows), 0, rows};
    searcher.distances(range, options.question, run,
                       [&](std::size_t, std::size_t, std::span<const float> values) {
                         made.matrix.insert(made.matrix.end(), values.begin(), values.end());
                       });
    return made;
  }
  Matches matches;
  if (job.work == BenchWork::all_pairs) {
    matches = searcher.knn(options);
  } else {
    std::vector<std::uint32_t> asked(queries_of(job, rows));
    std::iota(asked.begin(), asked.end(), 0U);
    matches = searcher.search_rows(asked, options);
  }
  made.rows.assign(matches.rows.begin(), matches.rows.end());
  made.distances.assign(matches.distances.begin(), matches.distances.end());
  return made;
}

double seconds_of(const Searcher& searcher, const BenchJob& job, const RunOptions& run,
                  JobOutcome& made) {
  const auto start = std::chrono::steady_clock::now();
  made = outcome(searcher, job, run);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void add_phases(const std::vector<DevicePhase>& from, std::vector<DevicePhase>& to) {
  if (to.empty()) {
    to = from;
    return;
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i].launches += from[i].launches;
    to[i].bytes += from[i].bytes;
    to[i].least_bytes += from[i].least_bytes;
    to[i].operations += from[i].operations;
    to[i].seconds += from[i].seconds;
  }
}

// For as long as it lives, phases of these devices have seconds.
class PhasesTimed {
 public:
  explicit PhasesTimed(const std::vector<std::string>& devices) : devices_(devices) {
    for (const std::string& device : devices_) {
      reset_device_work(device);
      time_device_work(device, true);
    }
  }
  ~PhasesTimed() {
    for (const std::string& device : devices_) time_device_work(device, false);
  }
  PhasesTimed(PhasesTimed&&) = delete;

  [[nodiscard]] std::vector<DevicePhase> phases() const {
    std::vector<DevicePhase> sum;
    for (const std::string& device : devices_) add_phases(device_work(device), sum);
    return sum;
  }

 private:
  const std::vector<std::string>& devices_;
};

Json phases_json(std::span<const DevicePhase> phases) {
  Json list = Json::array();
  for (const DevicePhase& phase : phases) {
    if (phase.launches == 0) continue;
    list.push_back({{"name", phase.name},
                    {"launches", phase.launches},
                    {"bytes", phase.bytes},
                    {"least_bytes", phase.least_bytes},
                    {"operations", phase.operations},
                    {"seconds", phase.seconds}});
  }
  return list;
}

}  // namespace

std::vector<DevicePhase> all_phases(std::span<const BenchResult> results) {
  std::vector<DevicePhase> sum;
  for (const BenchResult& result : results) add_phases(result.phases, sum);
  return sum;
}

std::string_view to_string(BenchData data) {
  return data == BenchData::images ? "images" : "texts";
}

std::string_view to_string(BenchWork work) {
  if (work == BenchWork::search) return "search";
  return work == BenchWork::all_pairs ? "all pairs" : "matrix";
}

std::span<const BenchJob> bench_jobs() {
  constexpr Measure rwmd{MeasureKind::rwmd};
  constexpr Measure act_1{MeasureKind::act, 1};
  constexpr Measure act_7{MeasureKind::act, 7};
  constexpr BenchData images = BenchData::images;
  constexpr BenchData texts = BenchData::texts;
  static const BenchJob jobs[] = {
      {images, BenchWork::all_pairs, rwmd},
      {images, BenchWork::all_pairs, act_1},
      {images, BenchWork::all_pairs, act_7},
      {images, BenchWork::all_pairs, {MeasureKind::bow}},
      {images, BenchWork::search, act_1, 1},
      {images, BenchWork::search, act_1, 64},
      {images, BenchWork::matrix, act_1, 256},
      {texts, BenchWork::all_pairs, rwmd},
      {texts, BenchWork::all_pairs, act_1},
      {texts, BenchWork::all_pairs, act_7},
      {texts, BenchWork::all_pairs, {MeasureKind::wcd}},
      {texts, BenchWork::search, act_1, 1},
      {texts, BenchWork::search, act_1, 64},
      {texts, BenchWork::matrix, act_1, 256},
  };
  return jobs;
}

std::size_t bench_rows(std::span<const TestedDevice> devices) {
  const bool gpus =
      std::ranges::all_of(devices, [](const TestedDevice& tested) { return tested.device.gpu; });
  return gpus ? rows_for_gpus : rows_for_others;
}

struct DeviceBench::Sides {
  Sides(const Index& index, const std::string& backend)
      : device(index, backend), cpu(index, device_backend("cpu")) {}
  Searcher device;
  Searcher cpu;
};

DeviceBench::DeviceBench(const std::string& backend, std::span<const TestedDevice> devices,
                         std::size_t rows) {
  for (const TestedDevice& tested : devices) devices_.push_back(tested.device.name);
  sides_.emplace_back(made_up_images(rows), backend);
  sides_.emplace_back(made_up_texts(std::max(few_texts, rows / 4)), backend);
}
DeviceBench::~DeviceBench() = default;

BenchResult DeviceBench::run(const BenchJob& job, const RunOptions& options) const {
  const Sides& sides = sides_[static_cast<std::size_t>(job.data)];
  BenchResult result{job};
  result.rows = sides.cpu.index().rows.size();
  result.distances = std::uint64_t{queries_of(job, result.rows)} * result.rows;
  JobOutcome by_device;
  JobOutcome by_cpu;
  result.first = seconds_of(sides.device, job, options, by_device);
  result.device = seconds_of(sides.device, job, options, by_device);
  static_cast<void>(seconds_of(sides.cpu, job, options, by_cpu));
  result.cpu = seconds_of(sides.cpu, job, options, by_cpu);
  result.same_bits = same_bytes(by_device, by_cpu);
  const PhasesTimed timed(devices_);
  static_cast<void>(seconds_of(sides.device, job, options, by_device));
  result.phases = timed.phases();
  return result;
}

Json bench_document(std::span<const TestedDevice> devices, std::span<const BenchResult> results,
                    std::size_t rows, unsigned threads) {
  Json document = json_document();
  document["version"] = version();
  document["devices"] = devices_json(devices);
  document["cpu"] = {{"name", processor_name()},
                     {"kernels", kernels_in_use()},
                     {"threads", threads_in_use(threads)}};
  document["rows"] = rows;
  document["jobs"] = Json::array();
  for (const BenchResult& result : results) {
    Json entry{{"data", to_string(result.job.data)},
               {"job", to_string(result.job.work)},
               {"measure", to_string(result.job.measure)},
               {"queries", queries_of(result.job, result.rows)},
               {"rows", result.rows},
               {"distances", result.distances}};
    entry["seconds"] = {{"first", result.first}, {"device", result.device}, {"cpu", result.cpu}};
    entry["ratio"] = result.device > 0 ? Json(result.cpu / result.device) : Json();
    entry["same_bits"] = result.same_bits;
    entry["phases"] = phases_json(result.phases);
    document["jobs"].push_back(std::move(entry));
  }
  return document;
}

}  // namespace navvy::app
