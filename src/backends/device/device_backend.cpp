// Which way each measure goes where devices compute: those that they have kernels for there, the
// others on the processor.
#include "backends/device/device_backend.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "backends/cpu/cpu_backend.hpp"
#include "backends/device/device_measure.hpp"
#include "backends/device/device_pairs.hpp"
#include "backends/device/device_queries.hpp"
#include "backends/device/ict.hpp"
#include "backends/device/sinkhorn.hpp"
#include "core/lazy.hpp"
#include "devices/self_test.hpp"
#include "navvy/error.hpp"

namespace navvy::backends {
namespace {

using OpenDevices = std::vector<std::shared_ptr<devices::Device>>;

class PreparedOnDevices : public PreparedRows {
 public:
  PreparedOnDevices(OpenDevices devices, const RowSet& set, double threshold, Run& run)
      : devices_(std::move(devices)), set_(set), threshold_(threshold) {
    for (const auto& device : devices_)
      on_devices_.push_back(
          std::make_unique<const DeviceRows>(*device, set, threshold, run.device_memory));
    for (std::size_t row = 0; row < set.rows.size(); ++row)
      empty_.push_back(navvy::is_empty(set.rows[row]) ? 1 : 0);
  }

  [[nodiscard]] std::size_t rows() const noexcept override { return set_.rows.size(); }
  [[nodiscard]] bool is_empty(std::size_t row) const noexcept override { return empty_[row] != 0; }

  void prepare(const Task& task, Run& run) const override {
    if (!serves(task)) processor(run).prepare(task, run);
  }

  [[nodiscard]] std::unique_ptr<QueryBlock> queries(const Task& task, std::size_t queries,
                                                    Run& run) const override {
    if (serves(task)) return device_queries(on_devices_, task, queries, run);
    if (task.measure.kind == MeasureKind::ict)
      if (auto pairs = ict_pair_by_pair(processor(run), run))
        return ict_queries(on_devices_, std::move(pairs), task.direction, block_of(task, queries),
                           run);
    return processor(run).queries(task, queries, run);
  }

  [[nodiscard]] std::unique_ptr<PairStage> pairs(const Task& task, const ListsWanted& lists,
                                                 Run& run) const override {
    if (!serves_pairs(task)) return processor(run).pairs(task, lists, run);
    if (!run.budget.fits(lists.distances_memory)) return nullptr;
    return device_pairs(on_devices_, empty_, task, lists.top, run);
  }

  void matrix(const Task& task, Range queries, Range rows, Run& run,
              const StripeSink& sink) const override {
    if (!serves_pairs(task)) return processor(run).matrix(task, queries, rows, run, sink);
    device_matrix(on_devices_, empty_, task, {queries, rows}, run, sink);
  }

  [[nodiscard]] std::unique_ptr<Solver> solver(const Task& task, const SolverOptions& options,
                                               Run& run) const override {
    if (task.measure.kind != MeasureKind::sinkhorn || !serves_sinkhorn())
      return processor(run).solver(task, options, run);
    return device_sinkhorn(on_devices_, task.sinkhorn, run, [this, task, options](Run& later) {
      return processor(later).solver(task, options, later);
    });
  }
  [[nodiscard]] std::uint64_t solver_memory(const Task& task, const SolverOptions& options,
                                            std::size_t bins, Run& run) const override {
    return processor(run).solver_memory(task, options, bins, run);
  }

 private:
  static std::size_t block_of(const Task& task, std::size_t queries) {
    return task.batch != 0 ? std::min(task.batch, queries) : queries;
  }

  [[nodiscard]] bool serves(const Task& task) const {
    return std::ranges::all_of(devices_, [&](const auto& device) {
      return DeviceMeasure::serves(task.measure, device->facts());
    });
  }

  // Tiles on devices have the larger of both directions, or one of them.
  [[nodiscard]] bool serves_pairs(const Task& task) const {
    return serves(task) &&
           (task.direction.way != Direction::Way::mix || facts(task.measure.kind).symmetric);
  }

  [[nodiscard]] bool serves_sinkhorn() const {
    return std::ranges::all_of(
        devices_, [](const auto& device) { return backends::serves_sinkhorn(device->facts()); });
  }

  // For measures that are solved pair by pair, and for ict.
  [[nodiscard]] const PreparedRows& processor(Run& run) const {
    return *processor_.get([&] {
      Run kept = run.for_kept();
      return cpu_backends().front()->prepare(set_, threshold_, kept);
    });
  }

  OpenDevices devices_;
  RowSet set_;
  double threshold_;
  std::vector<std::unique_ptr<const DeviceRows>> on_devices_;
  std::vector<std::uint8_t> empty_;
  core::Lazy<std::unique_ptr<const PreparedRows>> processor_;
};

// One device of a process, shared by all backends that name it: opened once, and tested then. It
// is never closed, since drivers may be gone by the time that a process ends.
std::shared_ptr<devices::Device> opened(const std::string& name) {
  static std::mutex mutex;
  static auto& all = *new std::map<std::string, std::shared_ptr<devices::Device>>;
  const std::scoped_lock lock(mutex);
  std::shared_ptr<devices::Device>& device = all[name];
  if (device) return device;
  std::shared_ptr<devices::Device> made = devices::open(name);
  // Whoever names a device gets its answers, and so none that differ from the processor's.
  if (const std::string failure = devices::self_test(*made); !failure.empty())
    throw Error(ErrorCode::failed, name + ": fails its self-test and is not used: " + failure);
  device = std::move(made);
  return device;
}

class DeviceBackend : public Backend {
 public:
  DeviceBackend(std::string name, std::vector<std::string> devices)
      : name_(std::move(name)), devices_(std::move(devices)) {}

  [[nodiscard]] std::string_view name() const noexcept override { return name_; }

  [[nodiscard]] std::unique_ptr<const PreparedRows> prepare(const RowSet& rows, double threshold,
                                                            Run& run) const override {
    OpenDevices open;
    for (const std::string& device : devices_) open.push_back(opened(device));
    return std::make_unique<PreparedOnDevices>(std::move(open), rows, threshold, run);
  }

 private:
  std::string name_;
  std::vector<std::string> devices_;
};

std::vector<std::string> split(std::string_view names) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t comma = names.find(',');
    parts.emplace_back(names.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    names.remove_prefix(comma + 1);
  }
}

// "gpu" is the first that is one.
std::string chosen(const std::string& name) {
  if (name != "gpu") return name;
  for (const devices::Facts& facts : devices::list())
    if (facts.is_gpu) return facts.name;
  throw Error(ErrorCode::usage, "there is no GPU that a driver tells of");
}

}  // namespace

bool is_device_name(std::string_view name) noexcept {
  return name == "gpu" || name.starts_with("opencl:") || name.starts_with("cuda:") ||
         name.find(',') != std::string_view::npos;
}

const Backend& device_backend(std::string_view name) {
  static std::mutex mutex;
  static auto& all = *new std::map<std::string, DeviceBackend, std::less<>>;
  const std::scoped_lock lock(mutex);
  if (const auto made = all.find(name); made != all.end()) return made->second;
  std::vector<std::string> devices;
  for (const std::string& part : split(name)) {
    devices.push_back(chosen(part));
    devices::check_name(devices.back());
    if (std::ranges::count(devices, devices.back()) > 1)
      throw Error(ErrorCode::usage, "the device " + devices.back() + " is named twice");
  }
  return all.try_emplace(std::string(name), std::string(name), std::move(devices)).first->second;
}

}  // namespace navvy::backends
