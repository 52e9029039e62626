#include "cli/options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>

#include "cli/progress.hpp"
#include "navvy/error.hpp"

namespace navvy::cli {
namespace {

// The whole text as a number; nullopt otherwise.
std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorCode::usage, message); }

// The power of 1024 that "K", "KB" or "KiB" stand for; nullopt for an unknown unit.
std::optional<int> power_of_unit(std::string_view unit) {
  constexpr std::string_view letters = "kmgt";
  if (unit.empty() || unit == "B" || unit == "b") return 0;
  const std::string_view rest = unit.substr(1);
  const bool known_rest =
      rest.empty() || rest == "B" || rest == "b" || rest == "iB" || rest == "ib";
  const auto letter = letters.find(static_cast<char>(unit.front() | 0x20));
  if (!known_rest || letter == letters.npos) return {};
  return static_cast<int>(letter) + 1;
}

}  // namespace

std::uint64_t parse_size(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto power = power_of_unit(unit);
  if (error != std::errc{} || !power || !std::isfinite(value)) {
    fail(fmt::format("size '{}': expected a number of bytes or one such as 500M or 2G", text));
  }
  const double bytes = std::ldexp(value, 10 * *power);
  if (bytes < 1 || bytes >= std::ldexp(1.0, 63))
    fail(fmt::format("size '{}' is out of range", text));
  return static_cast<std::uint64_t>(bytes);
}

double parse_duration(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  double seconds = 0;
  if (unit.empty() || unit == "s") seconds = value;
  if (unit == "ms") seconds = value / 1e3;
  if (unit == "min") seconds = value * 60;
  if (error != std::errc{} || !std::isfinite(seconds) || !(seconds > 0)) {
    fail(fmt::format("duration '{}': expected one such as 50ms, 2s or 3min", text));
  }
  return seconds;
}

std::vector<std::size_t> parse_counts(std::string_view text) {
  std::vector<std::size_t> counts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto count = number(text.substr(begin, end - begin));
    if (!count || *count == 0) {
      fail(fmt::format("list '{}': expected numbers from 1 on, separated by commas", text));
    }
    counts.push_back(*count);
    begin = end + 1;
  }
  return counts;
}

RowRange parse_range(std::string_view text, std::size_t rows) {
  if (text.empty()) return {0, rows};
  const std::size_t colon = text.find(':');
  const std::string_view first = text.substr(0, colon);
  const auto begin = first.empty() && colon != text.npos ? 0 : number(first);
  std::optional<std::size_t> end;
  if (colon == text.npos) {
    end = begin ? std::optional(*begin + 1) : std::nullopt;
  } else {
    const std::string_view last = text.substr(colon + 1);
    end = last.empty() ? rows : number(last);
  }
  if (!begin || !end) fail(fmt::format("range '{}': expected A:B, A:, :B or A", text));
  if (*begin >= *end || *end > rows) {
    fail(fmt::format("range '{}' does not fit: there are {} rows, and a range A:B needs A < B",
                     text, rows));
  }
  return {*begin, *end};
}

std::size_t parse_row(std::string_view text, const Index& index) {
  const auto row = number(text);
  if (row && *row < index.rows.size()) return *row;
  for (std::size_t i = 0; i < index.ids.size(); ++i) {
    if (index.ids[i] == text) return i;
  }
  if (row) {
    fail(fmt::format("row {} does not exist: the index has {} rows, numbered from 0", text,
                     index.rows.size()));
  }
  fail(fmt::format("row '{}': expected a row number{}", text,
                   index.ids.empty() ? "" : " or the id of a row"));
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_flag("--json", options.json, "print one JSON document to stdout");
  command.add_option("--threads", options.threads, "threads to use at most (default: all cores)")
      ->type_name("N")
      ->check(CLI::Range(1U, 4096U).description(""));
  command
      .add_option_function<std::string>(
          "--memory", [&options](const std::string& text) { options.memory = parse_size(text); },
          "hard budget for working memory, such as 500M or 2G (default: half of the RAM)")
      ->type_name("SIZE");
}

void add_index_argument(CLI::App& command, std::filesystem::path& file) {
  command.add_option("FILE", file, "an index made by `navvy build`")->required()->type_name("");
}

void add_measure_option(CLI::App& command, Measure& measure) {
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
}

void add_threshold_option(CLI::App& command, double& threshold) {
  command.add_option("--threshold", threshold, "for emd-hat: no ground distance counts for more")
      ->type_name("T");
}

void set_threshold(double threshold, std::span<Measure> measures) {
  const auto takes_one = [](const Measure& measure) {
    return measure.kind == MeasureKind::emd_hat;
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

void add_direction_option(CLI::App& command, Direction& direction) {
  command
      .add_option_function<std::string>(
          "--direction",
          [&direction](const std::string& text) { direction = parse_direction(text); },
          "symmetric (the larger of both), forward (row into query) or backward")
      ->type_name("NAME")
      ->default_str(to_string(direction));
}

void add_exact_options(CLI::App& command, SearchOptions& options) {
  constexpr const char* group = "For --measure emd and emd-hat";
  command
      .add_option_function<std::string>(
          "--deadline",
          [&options](const std::string& text) { options.deadline = parse_duration(text); },
          "stop a query after this time, such as 50ms, with what is proven by then")
      ->type_name("TIME")
      ->group(group);
  command.add_option("--max-solves", options.max_solves, "stop a query after N exact distances")
      ->type_name("N")
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

RunOptions run_options(const CommonOptions& options, const Measure& measure, Direction direction) {
  RunOptions run;
  run.measure = measure;
  run.direction = direction;
  run.threads = options.threads;
  run.memory = options.memory;
  return run;
}

void save(const Index& index, const std::filesystem::path& path) {
  ProgressDisplay display;
  save_index(index, path, display.callback());
}

void check_output(const std::filesystem::path& path, std::string_view magic,
                  std::string_view kind) {
  std::error_code error;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder, error)) {
    fail(fmt::format("{}: the folder {} does not exist", path.string(), folder.string()));
  }
  const auto status = std::filesystem::status(path, error);
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
