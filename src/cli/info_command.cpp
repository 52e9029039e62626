#include <fmt/core.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <thread>

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
  const unsigned cores = std::thread::hardware_concurrency();
  const unsigned threads = options.threads > 0 ? options.threads : cores;
  const std::uint64_t memory = memory_budget(options);
  if (options.json) {
    Json document = json_document();
    document["version"] = version();
    document["kernels"] = kernels_in_use();
    document["available_kernels"] = available_kernels();
    document["cores"] = cores;
    document["threads"] = threads;
    document["memory"] = memory;
    document["physical_memory"] = physical_memory();
    print_json(document);
    return;
  }
  constexpr double gigabyte = 1024.0 * 1024 * 1024;
  fmt::print("navvy {}\n", version());
  fmt::print("kernels  {} (available: {})\n", kernels_in_use(),
             fmt::join(available_kernels(), ", "));
  fmt::print("threads  {} of {} cores\n", threads, cores);
  fmt::print("memory   {:.1f} GiB budget of {:.1f} GiB\n", static_cast<double>(memory) / gigabyte,
             static_cast<double>(physical_memory()) / gigabyte);
}

void print_index(const InfoOptions& options) {
  limit_memory(options.common);
  const Index index = open_index(options.file);
  const Summary summary = summarize(index);
  const auto bytes = std::filesystem::file_size(options.file);
  if (options.common.json) {
    Json document = summary_json(index, summary);
    document["file"] = options.file.string();
    document["bytes"] = bytes;
    print_json(document);
    return;
  }
  fmt::print("{}\n", paint(output_terminal(), Colour::bold,
                           fmt::format("{}, {} bytes", options.file.string(), bytes)));
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
