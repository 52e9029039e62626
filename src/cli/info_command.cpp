// navvy info: what an index is, what this machine is, or which devices it has.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "app/devices.hpp"
#include "app/machine.hpp"
#include "app/summary.hpp"
#include "cli/commands.hpp"
#include "cli/describe.hpp"
#include "cli/device_table.hpp"
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
  bool devices = false;
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

// Drivers answer here for the first time, and kernels are made: this may take seconds.
void print_devices(const CommonOptions& options) {
  const std::vector<app::TestedDevice> devices = app::tested_devices();
  if (options.json) return print_json(app::devices_document(devices));
  if (devices.empty()) {
    fmt::print("no devices: no driver of CUDA or OpenCL tells of one; cpu computes\n");
    return;
  }
  print_device_table(devices);
}

app::Json file_json(const FileFacts& file) {
  app::Json document = {{"version", file.version}, {"edits", file.edits},
                        {"unused", file.unused},   {"leftover", file.leftover},
                        {"drift", file.drift},     {"segments", app::Json::array()}};
  for (const SegmentFacts& segment : file.segments) {
    document["segments"].push_back(
        {{"rows", segment.rows}, {"removed", segment.removed}, {"bytes", segment.bytes}});
  }
  return document;
}

// Nothing for a file that was never edited.
Facts file_facts_of(const FileFacts& file) {
  Facts facts;
  if (file.edits == 0) return facts;
  std::uint64_t removed = 0;
  std::vector<std::string> rows;
  for (const SegmentFacts& segment : file.segments) {
    removed += segment.removed;
    rows.push_back(fmt::format("{}", segment.rows));
  }
  facts.push_back(
      {"segments", fmt::format("{} after {} edits, of {} rows, {} removed", file.segments.size(),
                               file.edits, fmt::join(rows, " + "), removed)});
  if (file.unused > 0) facts.push_back({"unused bytes", fmt::format("{}", file.unused)});
  if (file.drift > 0) {
    facts.push_back(
        {"drift", fmt::format("{:.0f} % of rows since words were counted{}", 100 * file.drift,
                              file.drift > much_drift ? "; see compact --reweigh" : "")});
  }
  return facts;
}

// Of a folder what its manifest tells: the whole may be larger than this machine.
void print_folder(const InfoOptions& options) {
  const ShardManifest manifest = read_manifest(options.file);
  const char* sharing = manifest.sharing == Sharing::hashed ? "hashed" : "contiguous";
  const auto bytes_of = [&](const NamedFile& file) {
    std::error_code none;
    const auto bytes = std::filesystem::file_size(options.file / file.name, none);
    return none ? std::string("missing") : fmt::format("{} bytes", bytes);
  };
  if (options.common.json) {
    app::Json document = app::json_document();
    document["folder"] = options.file.string();
    document["kind"] = to_string(manifest.kind);
    document["n"] = manifest.rows();
    document["sharing"] = sharing;
    document["shards"] = app::Json::array();
    for (const NamedFile& shard : manifest.shards)
      document["shards"].push_back({{"file", shard.name}, {"rows", shard.rows}});
    return print_json(document);
  }
  fmt::print("{}\n",
             paint(output_terminal(), Colour::bold,
                   fmt::format("{}, a folder of shards", printable(options.file.string()))));
  Facts facts = {{"kind", to_string(manifest.kind)},
                 {"rows", fmt::format("{}", manifest.rows())},
                 {"shards", fmt::format("{}, {}", manifest.shards.size(), sharing)}};
  for (const NamedFile& shard : manifest.shards)
    facts.push_back({shard.name, fmt::format("{} rows, {}", shard.rows, bytes_of(shard))});
  for (const NamedFile& file : manifest.vocabulary)
    facts.push_back({file.name, fmt::format("the vocabulary, {}", bytes_of(file))});
  print_facts(facts);
}

void print_index(const InfoOptions& options) {
  limit_memory(options.common, std::span(&options.file, 1));
  const Index index = open_index(options.file);
  const FileFacts file = file_facts(options.file);
  const app::Summary summary = app::summarize(index);
  const std::uint64_t bytes = file.bytes;
  if (options.common.json) {
    app::Json document = app::summary_json(index, summary);
    document["file"] = options.file.string();
    document["bytes"] = bytes;
    document.update(file_json(file));
    print_json(document);
    return;
  }
  fmt::print("{}\n", paint(output_terminal(), Colour::bold,
                           fmt::format("{}, {} bytes", printable(options.file.string()), bytes)));
  print_facts(summary_facts(index, summary));
  print_facts(field_facts(index));
  print_facts(file_facts_of(file));
  print_facts(property_facts(index));
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand(
      "info", "Describe an index, or without one this machine, its kernels and devices");
  add_index_argument(*command, options->file)->required(false);
  command->add_flag("--devices", options->devices,
                    "list devices of OpenCL and CUDA, test what they compute, and time the test");
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy info", "navvy info mnist.navvy", "navvy info mnist.navvy --json",
                          "navvy info mnist.shards", "navvy info --devices"});
  command->callback([options] {
    if (options->devices) {
      if (!options->file.empty()) throw Error(ErrorCode::usage, "give FILE or --devices, not both");
      print_devices(options->common);
    } else if (options->file.empty()) {
      print_machine(options->common);
    } else if (is_sharded(options->file)) {
      print_folder(*options);
    } else {
      print_index(*options);
    }
  });
}

}  // namespace navvy::cli
