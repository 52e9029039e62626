// Adds the options that verbs share, and checks files before they are written.
#include "cli/options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "app/values.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "navvy/error.hpp"

namespace navvy::cli {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorCode::usage, message); }

}  // namespace

void add_quiet_option(CLI::App& command) {
  command.add_flag_callback("--quiet", be_quiet,
                            "nothing on stderr but errors: no progress, no messages");
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_flag("--json", options.json, "print one JSON document to stdout");
  add_quiet_option(command);
  command.add_option("--threads", options.threads, "threads to use at most (default: all cores)")
      ->type_name("N")
      ->check(CLI::Range(1U, 4096U).description(""));
  command
      .add_option_function<std::string>(
          "--memory",
          [&options](const std::string& text) { options.memory = app::parse_size(text); },
          "hard budget for working memory, such as 500M or 2G (default: half of the RAM)")
      ->type_name("SIZE");
}

void add_device_options(CLI::App& command, CommonOptions& options) {
  command
      .add_option(
          "--device", options.device,
          "who computes: cpu, gpu, cuda:N, opencl:N or a list of these; the answers are the "
          "same (default: NAVVY_DEVICE, else cpu)")
      ->type_name("NAME");
  command
      .add_option_function<std::string>(
          "--device-memory",
          [&options](const std::string& text) { options.device_memory = app::parse_size(text); },
          "hard budget for the memory of each device (default: what is good there)")
      ->type_name("SIZE");
}

CLI::Option* add_index_argument(CLI::App& command, std::filesystem::path& file) {
  return command.add_option("FILE", file, "an index made by `navvy build`, or a folder of shards")
      ->required()
      ->type_name("");
}

CLI::Option* add_measure_option(CLI::App& command, Measure& measure) {
  CLI::Option* option =
      command
          .add_option_function<std::string>(
              "--measure",
              [&measure](const std::string& text) {
                const double threshold = measure.threshold;
                measure = parse_measure(text);
                measure.threshold = threshold;
              },
              "bow, wcd, rwmd, omr, act-1, act-2, ..., ict, sinkhorn, emd or emd-hat")
          ->type_name("NAME")
          ->default_str(to_string(measure));
  add_threshold_option(command, measure.threshold);
  return option;
}

void add_threshold_option(CLI::App& command, double& threshold) {
  command.add_option("--threshold", threshold, "for emd-hat: no ground distance counts for more")
      ->type_name("T");
}

void set_threshold(double threshold, std::span<Measure> measures) {
  const auto takes_one = [](const Measure& measure) {
    return facts(measure.kind).parameter == MeasureParameter::threshold;
  };
  const bool any = std::ranges::any_of(measures, takes_one);
  for (Measure& measure : measures) {
    if (!any || takes_one(measure)) measure.threshold = threshold;
    validate(measure);
  }
}

void add_top_option(CLI::App& command, std::size_t& top) {
  command.add_option("--top", top, "how many rows to find for a query")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 31).description(""));
}

CLI::Option* add_direction_option(CLI::App& command, Direction& direction) {
  return command
      .add_option_function<std::string>(
          "--direction",
          [&direction](const std::string& text) { direction = parse_direction(text); },
          "symmetric (the larger of both), query (moved into rows), rows (moved into the query) or "
          "mix:A, (1 - A) of query and A of rows; emd one way moves masses as they are")
      ->type_name("NAME")
      ->default_str(to_string(direction));
}

void add_price_option(CLI::App& command, double& price) {
  command
      .add_option("--price", price,
                  "of emd one way: what a unit of mass pays that finds no room; no way is dearer "
                  "(default: 2 between vectors of length 1, the diagonal of images)")
      ->type_name("D");
}

CLI::Validator not_negative() {
  return {[](const std::string& text) {
            return text.starts_with('-') ? text + " is negative; expected 0 or more" : "";
          },
          ""};
}

void add_choice_options(CLI::App& command, app::RowChoice& choice) {
  constexpr const char* group = "Which rows are left";
  command
      .add_option("--where", choice.where,
                  "only rows that pass, such as \"label in (a, b) and year >= 1990\"; names are "
                  "label, id, title, row and the fields of the index; also or, not, (), is missing")
      ->type_name("FILTER")
      ->group(group);
  command.add_option("--ids", choice.ids, "only rows whose ids are in this file, one per line")
      ->type_name("FILE")
      ->group(group);
}

void add_exact_options(CLI::App& command, ExactOptions& options) {
  constexpr const char* group = "For --measure emd and emd-hat";
  command
      .add_option_function<std::string>(
          "--deadline",
          [&options](const std::string& text) { options.deadline = app::parse_duration(text); },
          "stop a query after this time, such as 50ms, with what is proven by then")
      ->type_name("TIME")
      ->group(group);
  command.add_option("--max-solves", options.max_solves, "stop a query after N exact distances")
      ->type_name("N")
      ->check(not_negative())
      ->group(group);
  command
      .add_option("--tolerance", options.tolerance,
                  "prove the order only up to this share: 0.01 means 1 %")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->group(group);
}

CLI::Option* add_output_option(CLI::App& command, std::filesystem::path& file,
                               const std::string& description) {
  return command.add_option("-o,--output", file, description)->required()->type_name("FILE");
}

void add_report_option(CLI::App& command, std::filesystem::path& file,
                       const std::string& description) {
  command.add_option("--report", file, description)->type_name("FILE");
}

void add_examples(CLI::App& command, std::initializer_list<std::string_view> lines) {
  std::string text = "Examples:";
  for (const std::string_view line : lines) text += fmt::format("\n  {}", line);
  command.footer(text);
}

RunOptions run_options(const CommonOptions& options) {
  RunOptions run;
  run.threads = options.threads;
  run.memory = options.memory;
  run.device_memory = options.device_memory;
  return run;
}

SearchOptions search_options(const CommonOptions& options, const Measure& measure,
                             Direction direction) {
  SearchOptions search;
  search.question = {measure, direction, {}};
  search.run = run_options(options);
  return search;
}

void save(const Index& index, const std::filesystem::path& path) {
  ProgressDisplay display;
  save_index(index, path, display.callback());
  remember_written(path);  // before the display goes: until then no signal ends the command
}

void check_output(const std::filesystem::path& path, std::string_view magic,
                  std::string_view kind) {
  std::error_code error;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder, error)) {
    fail(fmt::format("{}: the folder {} does not exist", path.string(), folder.string()));
  }
  const auto status = std::filesystem::status(path, error);
  if (error == std::errc::too_many_symbolic_link_levels) {
    fail(fmt::format("{}: is a loop of links; expected a name for {}", path.string(), kind));
  }
  if (!std::filesystem::exists(status)) return;
  if (!std::filesystem::is_regular_file(status)) {
    fail(fmt::format("{}: is not a regular file; expected a name for {}", path.string(), kind));
  }
  std::string head(magic.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  const bool whole = file.gcount() == static_cast<std::streamsize>(head.size());
  // An empty file holds nothing that could be lost: mktemp makes one.
  if (file.gcount() > 0 && (!whole || head != magic)) {
    fail(fmt::format("{}: exists and is not {}; it will not be overwritten", path.string(), kind));
  }
}

}  // namespace navvy::cli
