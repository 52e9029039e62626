// navvy export: the rows of an index as JSON lines or arrays, so that nobody is locked in.
#include <fmt/core.h>

#include <filesystem>
#include <string>

#include "app/export.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/memory_limit.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct ExportOptions {
  CommonOptions common;
  std::filesystem::path file;
  std::filesystem::path output;
  std::string rows;
};

enum class ExportFormat { json_lines, arrays };

ExportFormat format_of(const std::filesystem::path& output) {
  if (output == "-" || output.extension() == ".jsonl") return ExportFormat::json_lines;
  if (output.extension() == ".npz") return ExportFormat::arrays;
  throw Error(ErrorCode::usage, fmt::format("{}: expected a name that ends in .jsonl or .npz, or - "
                                            "for JSON lines on standard output",
                                            output.string()));
}

// Lines are collected, so that a file is not written in small pieces.
void write_lines(const Index& index, const RowRange& range, const TextSink& sink,
                 const ProgressCallback& progress) {
  constexpr std::size_t piece = std::size_t{1} << 16U;
  std::string lines;
  for (std::size_t row = range.begin; row < range.end; ++row) {
    lines += app::row_line(index, row);
    lines += '\n';
    if (lines.size() < piece && row + 1 < range.end) continue;
    sink(lines);
    lines.clear();
    if (!progress({"rows", row + 1 - range.begin, range.size()})) {
      throw Error(ErrorCode::interrupted, "interrupted");
    }
  }
}

void write_rows(const Index& index, const RowRange& range, const ExportOptions& options) {
  ProgressDisplay display;
  const ProgressCallback progress = display.callback();
  if (format_of(options.output) == ExportFormat::arrays) {
    return export_npz(index, range, options.output, progress);
  }
  const auto write = [&](const TextSink& sink) { write_lines(index, range, sink, progress); };
  if (options.output == "-") return write([](std::string_view text) { fmt::print("{}", text); });
  write_file(options.output, write);
}

void run(const ExportOptions& options) {
  const bool to_stdout = options.output == "-";
  if (to_stdout && options.common.json) {
    throw Error(ErrorCode::usage, "--json needs standard output for itself; write rows to a file");
  }
  if (format_of(options.output) == ExportFormat::arrays) {
    check_output(options.output, "PK", "an .npz file");
  } else if (!to_stdout) {
    check_output(options.output, "{\"row\":", "a file of exported rows");
  }
  limit_memory(options.common);
  const Index index = open_whole(options.file);
  const RowRange range = parse_range(options.rows, index.rows.size());
  write_rows(index, range, options);
  if (to_stdout) return;
  if (!options.common.json) {
    talk(fmt::format("wrote {}: {} rows", options.output.string(), range.size()));
    return;
  }
  app::Json document = app::json_document();
  document["file"] = options.output.string();
  document["rows"] = range.size();
  document["bytes"] = std::filesystem::file_size(options.output);
  print_json(document);
}

}  // namespace

void add_export_command(CLI::App& app) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command =
      app.add_subcommand("export", "Write the rows of an index as JSON lines or NumPy arrays");
  add_index_argument(*command, options->file);
  add_output_option(*command, options->output,
                    "rows.jsonl: an object per row; rows.npz: arrays for SciPy and NumPy; -: JSON "
                    "lines on stdout");
  command->add_option("--rows", options->rows, "rows A to B-1 (default: all)")->type_name("A:B");
  add_common_options(*command, options->common);
  add_examples(*command,
               {"navvy export news.navvy -o rows.jsonl", "navvy export news.navvy --rows 0:5 -o -",
                "navvy export mnist.navvy -o rows.npz",
                "navvy build --histograms rows.npz --coordinates rows.npz -o again.navvy"});
  command->callback([options] { run(*options); });
}

}  // namespace navvy::cli
