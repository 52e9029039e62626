// navvy merge and verify: several index files into one, and whether files are sound.
#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <vector>

#include "app/summary.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/memory_limit.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct FilesOptions {
  CommonOptions common;
  std::vector<std::filesystem::path> files;
  std::filesystem::path output;
};

void run_merge(const FilesOptions& options) {
  if (options.files.size() < 2) throw Error(ErrorCode::usage, "merge needs two indexes or more");
  check_output(options.output, index_magic, "a navvy index");
  limit_memory(options.common);
  std::vector<Index> parts;
  for (const std::filesystem::path& file : options.files) parts.push_back(open_index(file));
  const Index index = merged(parts);
  save(index, options.output);
  if (!options.common.json) {
    talk(fmt::format("wrote {}: {} rows", options.output.string(), index.rows.size()));
    return;
  }
  app::Json document = app::summary_json(index, app::summarize(index));
  document["file"] = options.output.string();
  print_json(document);
}

// Bytes behind the last edit do no harm, but people should know where they come from.
void verify_index(const Index& index, const std::filesystem::path& file,
                  const CommonOptions& common, app::Json& document) {
  static_cast<void>(index.beyond.vocabulary());  // names the file by itself
  try {
    verify(index);
  } catch (const Error& error) {
    throw Error(error.code(), file.string() + ": " + error.what());
  }
  const FileFacts facts = file_facts(file);
  document["files"].push_back({{"file", file.string()},
                               {"rows", index.rows.size()},
                               {"segments", facts.segments.size()},
                               {"leftover", facts.leftover},
                               {"sound", true}});
  if (common.json) return;
  fmt::print("{}: sound, {} rows\n", printable(file.string()), index.rows.size());
  if (facts.leftover > 0) {
    talk(
        fmt::format("navvy: {}: {} bytes behind its end are left of an edit that did not end; the "
                    "next edit clears them",
                    file.string(), facts.leftover));
  }
}

// The manifest, and that every file which it names is that file.
void verify_folder(const std::filesystem::path& folder, const CommonOptions& common,
                   app::Json& document) {
  const Shards shards(folder);
  const ShardManifest& manifest = shards.manifest();
  for (std::size_t shard = 0; shard < manifest.shards.size(); ++shard) {
    verify_index(shards.open(shard), folder / manifest.shards[shard].name, common, document);
    static_cast<void>(shards.rows_of(shard));  // hashing puts as many rows there
  }
  for (const NamedFile& file : manifest.vocabulary)
    verify_index(shards.vocabulary(), folder / file.name, common, document);
  document["files"].push_back({{"file", folder.string()},
                               {"rows", manifest.rows()},
                               {"shards", manifest.shards.size()},
                               {"sound", true}});
  if (!common.json)
    fmt::print("{}: sound, {} rows in {} shards\n", printable(folder.string()), manifest.rows(),
               manifest.shards.size());
}

std::vector<std::filesystem::path> all_files(const std::vector<std::filesystem::path>& given) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& path : given) {
    if (!is_sharded(path)) {
      files.push_back(path);
      continue;
    }
    for (const NamedFile& shard : read_manifest(path).shards) files.push_back(path / shard.name);
  }
  return files;
}

void run_verify(const FilesOptions& options) {
  limit_memory(options.common, all_files(options.files));
  app::Json document = app::json_document();
  for (const std::filesystem::path& file : options.files) {
    if (is_sharded(file))
      verify_folder(file, options.common, document);
    else
      verify_index(open_index(file), file, options.common, document);
  }
  if (options.common.json) print_json(document);
}

}  // namespace

void add_merge_command(CLI::App& app) {
  auto options = std::make_shared<FilesOptions>();
  CLI::App* command = app.add_subcommand("merge", "Put the rows of several indexes into one");
  command->add_option("FILES", options->files, "indexes made in the same way")
      ->required()
      ->type_name("");
  add_output_option(*command, options->output, "the index of all rows");
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy merge monday.navvy tuesday.navvy -o week.navvy"});
  command->callback([options] { run_merge(*options); });
}

void add_verify_command(CLI::App& app) {
  auto options = std::make_shared<FilesOptions>();
  CLI::App* command =
      app.add_subcommand("verify", "Check index files completely: structure, checksums, values");
  command->add_option("FILES", options->files, "indexes, or folders of shards")
      ->required()
      ->type_name("");
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy verify mnist.navvy", "navvy verify mnist.shards"});
  command->callback([options] { run_verify(*options); });
}

}  // namespace navvy::cli
