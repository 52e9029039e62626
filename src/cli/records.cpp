// Writes cells as lines that other programs take apart again.
#include "cli/records.hpp"

#include <fmt/core.h>

#include "navvy/error.hpp"
#include "navvy/printable.hpp"

namespace navvy::cli {
namespace {

Output parse_output(const std::string& name) {
  if (name == "text") return Output::text;
  if (name == "csv") return Output::csv;
  if (name == "tsv") return Output::tsv;
  if (name == "json") return Output::json;
  throw Error(ErrorCode::usage,
              fmt::format("unknown output '{}'; expected text, csv, tsv or json", printable(name)));
}

std::string quoted_cell(const std::string& cell) {
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

}  // namespace

void add_print_option(CLI::App& command, CommonOptions& options) {
  command
      .add_option_function<std::string>(
          "--print",
          [&options](const std::string& name) {
            options.output = parse_output(name);
            options.json = options.output == Output::json;
          },
          "print text (default), csv, tsv or json")
      ->type_name("NAME")
      ->excludes("--json");
}

bool prints_records(const CommonOptions& options) {
  return options.output == Output::csv || options.output == Output::tsv;
}

std::string record(const std::vector<std::string>& cells, Output output) {
  std::string line;
  bool is_first = true;
  for (const std::string& cell : cells) {
    if (!is_first) line += output == Output::csv ? ',' : '\t';
    is_first = false;
    const std::string shown = printable(cell);
    line += output == Output::csv ? quoted_cell(shown) : shown;
  }
  return line;
}

}  // namespace navvy::cli
