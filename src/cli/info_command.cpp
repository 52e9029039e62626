// navvy info: what an index is, or what this machine is.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <thread>

#include "app/machine.hpp"
#include "app/summary.hpp"
#include "cli/commands.hpp"
#include "cli/describe.hpp"
#include "cli/json.hpp"
#include "cli/memory_limit.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct InfoOptions {
  CommonOptions common;
  std::filesystem::path file;
};

void print_machine(const CommonOptions& options) {
  if (options.json) return print_json(app::machine_document(options.threads, options.memory));
  constexpr double gigabyte = 1024.0 * 1024 * 1024;
  fmt::print("navvy {}\n", version());
  fmt::print("kernels  {} (available: {})\n", kernels_in_use(),
             fmt::join(available_kernels(), ", "));
  fmt::print("threads  {} of {} cores\n", app::threads_in_use(options.threads),
             std::thread::hardware_concurrency());
  fmt::print("memory   {:.1f} GiB budget of {:.1f} GiB\n",
             static_cast<double>(app::memory_budget(options.memory)) / gigabyte,
             static_cast<double>(app::physical_memory()) / gigabyte);
}

void print_index(const InfoOptions& options) {
  limit_memory(options.common);
  const Index index = open_index(options.file);
  const app::Summary summary = app::summarize(index);
  const auto bytes = std::filesystem::file_size(options.file);
  if (options.common.json) {
    app::Json document = app::summary_json(index, summary);
    document["file"] = options.file.string();
    document["bytes"] = bytes;
    print_json(document);
    return;
  }
  fmt::print("{}\n", paint(output_terminal(), Colour::bold,
                           fmt::format("{}, {} bytes", printable(options.file.string()), bytes)));
  print_facts(summary_facts(index, summary));
  print_facts(property_facts(index));
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command =
      app.add_subcommand("info", "Describe an index, or without one this machine and the kernels");
  command->add_option("FILE", options->file, "an index made by `navvy build`")->type_name("");
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy info", "navvy info mnist.navvy", "navvy info mnist.navvy --json"});
  command->callback([options] {
    if (options->file.empty()) {
      print_machine(options->common);
    } else {
      print_index(*options);
    }
  });
}

}  // namespace navvy::cli
