// navvy add, update, remove and compact: edits of an index file in place.
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
  double wait = WriterOptions().wait;
  bool reweigh = false;
};

// What an edit did, for people and programs.
struct Outcome {
  std::optional<TextReport> report;
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
};

void add_edit_options(CLI::App& command, EditOptions& options) {
  add_index_argument(command, options.file);
  add_output_option(command, options.output, "write the whole index here instead of editing FILE")
      ->required(false);
  command
      .add_option("--wait", options.wait,
                  "seconds to wait while somebody else edits FILE; 0: not at all")
      ->check(CLI::Range(0.0, 1e6).description(""))
      ->capture_default_str();
}

/// A copy of an index file that is edited in its place, and is gone when this is.
class Copy {
 public:
  Copy(const std::filesystem::path& file, const std::filesystem::path& output)
      : path_(output.parent_path() / fmt::format(".{}.navvy-edit", output.filename().string())) {
    save_index(open_index(file), path_);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  ~Copy() {
    std::error_code none;
    std::filesystem::remove(path_, none);
  }

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

void tell(const EditOptions& options, const std::filesystem::path& file, const Outcome& outcome,
          std::uint64_t bytes_before) {
  const FileFacts facts = file_facts(file);
  std::uint64_t rows = 0;
  for (const SegmentFacts& segment : facts.segments) rows += segment.rows - segment.removed;
  if (options.common.json) {
    app::Json document = app::json_document();
    document["file"] = file.string();
    document["n"] = rows;
    document["added"] = outcome.added;
    document["removed"] = outcome.removed;
    document["segments"] = facts.segments.size();
    document["bytes"] = facts.bytes;
    document["drift"] = facts.drift;
    if (outcome.report) document["report"] = app::report_json(*outcome.report);
    return print_json(document);
  }
  if (outcome.report) print_facts(report_facts(*outcome.report));
  const std::string grown =
      facts.bytes > bytes_before ? fmt::format(", {} bytes more", facts.bytes - bytes_before) : "";
  talk(fmt::format("{}: {} rows in {} segments{}", file.string(), rows, facts.segments.size(),
                   grown));
  if (facts.drift > much_drift) {
    talk(
        fmt::format("navvy: {:.0f} % of the rows that words were counted in have changed since; "
                    "`navvy compact --reweigh {}` counts anew",
                    100 * facts.drift, file.string()));
  }
}

// The lock is held from before anything is read until all is written.
template <class Body>
Outcome edit_file(const std::filesystem::path& file, const EditOptions& options, Body&& body) {
  Outcome outcome;
  ProgressDisplay display;
  IndexWriter writer(file, {options.wait, true, display.callback()});
  body(writer, outcome, display.callback());
  if (options.output.empty()) remember_written(file);
  return outcome;
}

template <class Body>
void edit(const EditOptions& options, Body&& body) {
  if (options.output.empty()) {
    std::error_code none;
    const std::uint64_t before = std::filesystem::file_size(options.file, none);
    const Outcome outcome = edit_file(options.file, options, body);
    return tell(options, options.file, outcome, none ? 0 : before);
  }
  check_output(options.output, index_magic, "a navvy index");
  const Copy copy(options.file, options.output);
  const Outcome outcome = edit_file(copy.path(), options, body);
  save(open_index(copy.path()), options.output);
  tell(options, options.output, outcome, std::filesystem::file_size(options.output));
}

TextBuild rows_for(const IndexWriter& writer, const EditOptions& options, bool replacing,
                   const ProgressCallback& progress) {
  if (options.text.corpus.empty()) {
    const app::ArrayOptions arrays =
        with_field_options(options.arrays, options.text.corpus_options, writer.outline());
    return {app::read_arrays(app::joining(arrays, writer.outline())), {}};
  }
  RowOptions rows{{}, nullptr, progress, replacing};
  if (!options.text.vectors.empty()) rows.vectors = options.text.vectors;
  TextBuild built =
      text_rows(writer.outline(), options.text.corpus, options.text.corpus_options, rows);
  if (!rows.vectors) warn_of_lost_words(built);
  return built;
}

void run_add(const EditOptions& options) {
  require_one_source(options.arrays, options.text);
  limit_memory(options.common, std::span(&options.file, 1));
  edit(options, [&](IndexWriter& writer, Outcome& outcome, const ProgressCallback& progress) {
    const TextBuild built = rows_for(writer, options, false, progress);
    writer.add(built.index);
    outcome.added = built.index.rows.size();
    if (!options.text.corpus.empty()) outcome.report = built.report;
  });
}

void run_update(const EditOptions& options) {
  require_one_source(options.arrays, options.text);
  limit_memory(options.common, std::span(&options.file, 1));
  edit(options, [&](IndexWriter& writer, Outcome& outcome, const ProgressCallback& progress) {
    const TextBuild built = rows_for(writer, options, true, progress);
    outcome.removed = writer.update(built.index).replaced;
    outcome.added = built.index.rows.size();
    if (!options.text.corpus.empty()) outcome.report = built.report;
  });
}

void run_remove(const EditOptions& options) {
  limit_memory(options.common, std::span(&options.file, 1));
  std::vector<std::string> ids = options.ids;
  if (!options.ids_file.empty()) {
    for (std::string& id : read_labels(options.ids_file)) ids.push_back(std::move(id));
  }
  if (ids.empty()) throw Error(ErrorCode::usage, "which rows? give --ids or --ids-file");
  edit(options, [&](IndexWriter& writer, Outcome& outcome, const ProgressCallback&) {
    const std::size_t before = writer.outline().rows.size();
    writer.remove(ids);
    outcome.removed = before - writer.outline().rows.size();
  });
}

void run_compact(const EditOptions& options) {
  limit_memory(options.common, std::span(&options.file, 1));
  edit(options, [&](IndexWriter& writer, Outcome&, const ProgressCallback&) {
    writer.compact(options.reweigh);
  });
}

}  // namespace

void add_add_command(CLI::App& app) {
  auto options = std::make_shared<EditOptions>();
  CLI::App* command = app.add_subcommand("add", "Add rows to an index, as if built with them");
  add_edit_options(*command, *options);
  add_array_options(*command, options->arrays);
  add_text_source_options(*command, options->text);
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy add news.navvy --corpus today/",
                          "navvy add news.navvy --corpus today/ --vectors glove.bin.gz",
                          "navvy add papers.navvy --corpus new.jsonl --keep-field pages"});
  command->callback([options] { run_add(*options); });
}

void add_update_command(CLI::App& app) {
  auto options = std::make_shared<EditOptions>();
  CLI::App* command =
      app.add_subcommand("update", "Replace rows by others of the same ids, and add new ones");
  add_edit_options(*command, *options);
  add_array_options(*command, options->arrays);
  add_text_source_options(*command, options->text);
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy update news.navvy --corpus changed.jsonl"});
  command->callback([options] { run_update(*options); });
}

void add_remove_command(CLI::App& app) {
  auto options = std::make_shared<EditOptions>();
  CLI::App* command = app.add_subcommand("remove", "Remove rows from an index by their ids");
  add_edit_options(*command, *options);
  command->add_option("--ids", options->ids, "ids of rows (row numbers where there are no ids)")
      ->type_name("ID ...");
  command->add_option("--ids-file", options->ids_file, "a file with one id per line")
      ->type_name("FILE");
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy remove news.navvy --ids sci.space/60151 sci.space/60152"});
  command->callback([options] { run_remove(*options); });
}

void add_compact_command(CLI::App& app) {
  auto options = std::make_shared<EditOptions>();
  CLI::App* command =
      app.add_subcommand("compact", "Write an edited index anew as one segment, without what left");
  add_edit_options(*command, *options);
  command->add_flag("--reweigh", options->reweigh,
                    "under bm25, tfidf and sif: count words in the rows that are there now");
  add_common_options(*command, options->common);
  add_examples(*command,
               {"navvy compact news.navvy", "navvy compact news.navvy --reweigh -o fresh.navvy"});
  command->callback([options] { run_compact(*options); });
}

}  // namespace navvy::cli
