// navvy bench: what a device of this machine is worth, in a form that can be sent to others.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/device_bench.hpp"
#include "app/devices.hpp"
#include "cli/commands.hpp"
#include "cli/device_table.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct BenchOptions {
  CommonOptions common;
  std::string what;
  std::size_t rows = 0;
};

// What is named, or else the first GPU, or else whatever there is.
std::string measured_backend(const CommonOptions& options) {
  if (!options.device.empty()) return device_backend(options.device);
  if (std::string named = default_backend(); app::device_name(named) != "cpu") return named;
  const std::vector<Device> all = list_devices();
  if (all.empty()) {
    throw Error(ErrorCode::usage,
                "there is no device to measure: no driver of CUDA or OpenCL tells of one");
  }
  const auto gpu = std::ranges::find_if(all, &Device::gpu);
  return gpu != all.end() ? gpu->name : all.front().name;
}

void print_results(std::span<const app::BenchResult> results) {
  using Align = Table::Align;
  Table table({{"data"},
               {"job"},
               {"measure"},
               {"queries", Align::right},
               {"rows", Align::right},
               {"device", Align::right},
               {"cpu", Align::right},
               {"ratio", Align::right},
               {"same bits"}});
  for (const app::BenchResult& result : results) {
    const app::BenchJob& job = result.job;
    table.add({std::string(to_string(job.data)), std::string(to_string(job.work)),
               to_string(job.measure), fmt::format("{}", result.distances / result.rows),
               fmt::format("{}", result.rows), fmt::format("{:.3f} s", result.device),
               fmt::format("{:.3f} s", result.cpu),
               fmt::format("{:.2f}", result.cpu / std::max(result.device, 1e-9)),
               paint(output_terminal(), result.same_bits ? Colour::green : Colour::red,
                     result.same_bits ? "yes" : "NO")});
  }
  table.print();
}

// Rates are of values as often as they are used, and so may exceed what memory can do.
void print_phases(std::span<const DevicePhase> phases) {
  using Align = Table::Align;
  Table table({{"phase"},
               {"launches", Align::right},
               {"GB", Align::right},
               {"GB at least", Align::right},
               {"G operations", Align::right},
               {"seconds", Align::right},
               {"GB/s", Align::right},
               {"G operations/s", Align::right}});
  for (const DevicePhase& phase : phases) {
    if (phase.launches == 0) continue;
    const auto billions = [](std::uint64_t count) { return static_cast<double>(count) * 1e-9; };
    const double seconds = std::max(phase.seconds, 1e-9);
    table.add({phase.name, fmt::format("{}", phase.launches),
               fmt::format("{:.2f}", billions(phase.bytes)),
               fmt::format("{:.2f}", billions(phase.least_bytes)),
               fmt::format("{:.2f}", billions(phase.operations)),
               fmt::format("{:.3f}", phase.seconds),
               fmt::format("{:.1f}", billions(phase.bytes) / seconds),
               fmt::format("{:.1f}", billions(phase.operations) / seconds)});
  }
  table.print();
}

void require_right(std::span<const app::TestedDevice> devices,
                   std::span<const app::BenchResult> results) {
  for (const auto& [device, test] : devices) {
    if (!test.failure.empty()) {
      throw Error(ErrorCode::failed, fmt::format("{}: {}", device.name, test.failure));
    }
  }
  const auto wrong = std::ranges::count(results, false, &app::BenchResult::same_bits);
  if (wrong > 0) {
    throw Error(ErrorCode::failed,
                fmt::format("{} of {} jobs differ from the processor", wrong, results.size()));
  }
}

void run(const BenchOptions& options) {
  if (options.what != "device") {
    throw Error(ErrorCode::usage, fmt::format("bench '{}': expected device", options.what));
  }
  const std::string backend = measured_backend(options.common);
  if (app::device_name(backend) == "cpu") {
    throw Error(ErrorCode::usage,
                "cpu is what devices are measured against; expected a device such as opencl:0");
  }
  const std::vector<app::TestedDevice> devices = app::tested_devices(backend);
  const std::size_t rows = options.rows > 0 ? options.rows : app::bench_rows(devices);
  std::vector<app::BenchResult> results;
  const bool refused = std::ranges::any_of(
      devices, [](const app::TestedDevice& tested) { return !tested.test.failure.empty(); });
  if (!refused) {
    const app::DeviceBench bench(backend, devices, rows);
    for (const app::BenchJob& job : app::bench_jobs()) {
      ProgressDisplay display;
      RunOptions run = run_options(options.common);
      run.progress = display.callback();
      results.push_back(bench.run(job, run));
    }
  }
  if (options.common.json) {
    print_json(app::bench_document(devices, results, rows, options.common.threads));
  } else {
    print_device_table(devices);
    fmt::print("\n");
    if (!results.empty()) {
      print_results(results);
      fmt::print("\nall jobs once more, each launch waited for\n\n");
      print_phases(app::all_phases(results));
    }
  }
  require_right(devices, results);
}

}  // namespace

void add_bench_command(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand(
      "bench", "Test a device, and measure it against the processor on made-up data");
  command->add_option("WHAT", options->what, "what to measure: device")->required()->type_name("");
  command
      ->add_option("--rows", options->rows,
                   "made-up pictures, and a quarter as many texts (default: 20000 for a GPU, 500 "
                   "for others)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{32}, std::size_t{1} << 20).description(""));
  add_device_options(*command, options->common);
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy bench device", "navvy bench device --device cuda:0 --json",
                          "navvy bench device --device opencl:0 --rows 2000"});
  command->callback([options] { run(*options); });
}

}  // namespace navvy::cli
