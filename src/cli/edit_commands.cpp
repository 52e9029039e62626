// navvy add, remove, merge and verify: the life of an index after build.
#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/text_report.hpp"
#include "cli/commands.hpp"
#include "cli/describe.hpp"
#include "cli/json.hpp"
#include "cli/memory_limit.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/sources.hpp"
#include "cli/terminal.hpp"
#include "cli/text_report.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct EditOptions {
  CommonOptions common;
  std::filesystem::path file;
  std::filesystem::path output;
  app::ArrayOptions arrays;
  TextSourceOptions text;
  std::vector<std::string> ids;
  std::filesystem::path ids_file;
  std::vector<std::filesystem::path> files;
};

// Where an edit of `file` goes: to -o, or back to the file itself.
std::filesystem::path target(const EditOptions& options) {
  return options.output.empty() ? options.file : options.output;
}

void add_edit_output(CLI::App& command, EditOptions& options) {
  add_output_option(command, options.output, "write here instead of replacing FILE")
      ->required(false);
}

app::Json edit_json(const Index& index, const std::filesystem::path& file) {
  app::Json document = app::summary_json(index, app::summarize(index));
  document["file"] = file.string();
  return document;
}

void say_rows(const Index& index, const std::filesystem::path& file) {
  talk(fmt::format("wrote {}: {} rows", file.string(), index.rows.size()));
}

TextBuild added(const Index& index, const EditOptions& options) {
  if (options.text.corpus.empty()) return {merged(index, app::read_arrays(options.arrays)), {}};
  std::optional<std::filesystem::path> vectors;
  if (!options.text.vectors.empty()) vectors = options.text.vectors;
  ProgressDisplay display;
  return add_text(index, options.text.corpus, options.text.corpus_options, vectors,
                  display.callback());
}

void run_add(const EditOptions& options) {
  require_one_source(options.arrays, options.text);
  check_output(target(options), index_magic, "a navvy index");
  limit_memory(options.common);
  const TextBuild built = added(open_index(options.file), options);
  save(built.index, target(options));
  const bool is_text = !options.text.corpus.empty();
  if (options.common.json) {
    app::Json document = edit_json(built.index, target(options));
    if (is_text) document["report"] = app::report_json(built.report);
    print_json(document);
    return;
  }
  if (is_text) print_facts(report_facts(built.report));
  say_rows(built.index, target(options));
}

void run_remove(const EditOptions& options) {
  limit_memory(options.common);
  std::vector<std::string> ids = options.ids;
  if (!options.ids_file.empty()) {
    for (std::string& id : read_labels(options.ids_file)) ids.push_back(std::move(id));
  }
  if (ids.empty()) throw Error(ErrorCode::usage, "which rows? give --ids or --ids-file");
  check_output(target(options), index_magic, "a navvy index");
  const Index index = removed(open_index(options.file), ids);
  save(index, target(options));
  if (options.common.json) return print_json(edit_json(index, target(options)));
  say_rows(index, target(options));
}

void run_merge(const EditOptions& options) {
  if (options.files.size() < 2) throw Error(ErrorCode::usage, "merge needs two indexes or more");
  check_output(options.output, index_magic, "a navvy index");
  limit_memory(options.common);
  Index index = open_index(options.files.front());
  for (std::size_t i = 1; i < options.files.size(); ++i) {
    index = merged(index, open_index(options.files[i]));
  }
  save(index, options.output);
  if (options.common.json) return print_json(edit_json(index, options.output));
  say_rows(index, options.output);
}

void run_verify(const EditOptions& options) {
  limit_memory(options.common);
  app::Json document = app::json_document();
  for (const std::filesystem::path& file : options.files) {
    const Index index = open_index(file);
    verify(index);
    document["files"].push_back(
        {{"file", file.string()}, {"rows", index.rows.size()}, {"sound", true}});
    if (!options.common.json)
      fmt::print("{}: sound, {} rows\n", printable(file.string()), index.rows.size());
  }
  if (options.common.json) print_json(document);
}

}  // namespace

void add_add_command(CLI::App& app) {
  auto options = std::make_shared<EditOptions>();
  CLI::App* command = app.add_subcommand("add", "Add rows to an index, as if built with them");
  add_index_argument(*command, options->file);
  add_edit_output(*command, *options);
  add_array_options(*command, options->arrays);
  add_text_source_options(*command, options->text);
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy add news.navvy --corpus today/",
                          "navvy add news.navvy --corpus today/ --vectors glove.bin.gz"});
  command->callback([options] { run_add(*options); });
}

void add_remove_command(CLI::App& app) {
  auto options = std::make_shared<EditOptions>();
  CLI::App* command = app.add_subcommand("remove", "Remove rows from an index by their ids");
  add_index_argument(*command, options->file);
  command->add_option("--ids", options->ids, "ids of rows (row numbers where there are no ids)")
      ->type_name("ID ...");
  command->add_option("--ids-file", options->ids_file, "a file with one id per line")
      ->type_name("FILE");
  add_edit_output(*command, *options);
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy remove news.navvy --ids sci.space/60151 sci.space/60152"});
  command->callback([options] { run_remove(*options); });
}

void add_merge_command(CLI::App& app) {
  auto options = std::make_shared<EditOptions>();
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
  auto options = std::make_shared<EditOptions>();
  CLI::App* command =
      app.add_subcommand("verify", "Check index files completely: structure, checksums, values");
  command->add_option("FILES", options->files, "indexes")->required()->type_name("");
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy verify mnist.navvy"});
  command->callback([options] { run_verify(*options); });
}

}  // namespace navvy::cli
