// Finds out what a stream can show, and lines up tables.
#include "cli/terminal.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "navvy/printable.hpp"

namespace navvy::cli {
namespace {

bool quiet = false;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread sets any
  return value == nullptr ? std::string_view{} : value;
}

bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != value.npos || value.find("utf8") != value.npos;
  }
  return false;
}

Terminal inspect(int descriptor) {
  Terminal terminal;
  if (isatty(descriptor) == 0) return terminal;
  terminal.interactive = environment("TERM") != "dumb";
  terminal.colour = terminal.interactive && environment("NO_COLOR").empty();
  terminal.unicode = terminal.interactive && speaks_utf8();
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) terminal.columns = size.ws_col;
  return terminal;
}

const char* code(Colour colour) {
  switch (colour) {
    case Colour::bold:
      return "1";
    case Colour::dim:
      return "2";
    case Colour::red:
      return "31";
    case Colour::green:
      return "32";
    case Colour::yellow:
      return "33";
    case Colour::blue:
      return "34";
    case Colour::cyan:
      return "36";
  }
  return "0";
}

}  // namespace

const Terminal& output_terminal() {
  static const Terminal terminal = inspect(STDOUT_FILENO);
  return terminal;
}

const Terminal& talk_terminal() {
  static const Terminal terminal = inspect(STDERR_FILENO);
  return terminal;
}

std::string paint(const Terminal& terminal, Colour colour, std::string_view text) {
  if (!terminal.colour) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", code(colour), text);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      i = std::min(text.find('m', i), text.size() - 1);
    } else if (!app::continues_character(text[i])) {
      ++width;
    }
  }
  return width;
}

std::vector<std::size_t> Table::least_widths() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_)
    widths.push_back(std::max(column.width, display_width(column.title)));
  return widths;
}

void Table::print_cells(std::span<const std::string> cells,
                        std::span<const std::size_t> widths) const {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t taken = display_width(cells[i]);
    const std::string padding(widths[i] - std::min(widths[i], taken), ' ');
    if (i > 0) text += "  ";
    text += columns_[i].align == Align::right ? padding + cells[i] : cells[i] + padding;
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  fmt::print("{}\n", text);
}

void Table::print_titles(std::span<const std::size_t> widths) const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) {
    titles.push_back(paint(output_terminal(), Colour::bold, column.title));
  }
  print_cells(titles, widths);
}

void Table::print() const {
  std::vector<std::size_t> widths = least_widths();
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row.cells[i]));
    }
  }
  print_titles(widths);
  for (const Row& row : rows_) {
    print_cells(row.cells, widths);
    for (const std::string& detail : row.details) fmt::print("      {}\n", detail);
  }
}

void Table::print_line(const std::vector<std::string>& cells) {
  const std::vector<std::size_t> widths = least_widths();
  if (!titles_printed_) print_titles(widths);
  titles_printed_ = true;
  print_cells(cells, widths);
  std::fflush(stdout);
}

void be_quiet() { quiet = true; }

bool is_quiet() { return quiet; }

void talk(std::string_view line) {
  if (quiet) return;
  // Where both streams share a terminal or a file, lines come in the order they were said.
  std::fflush(stdout);
  fmt::print(stderr, "{}\n", printable(line));
}

void complain(std::string_view message) {
  std::fflush(stdout);
  fmt::print(stderr, "{} {}\n", paint(talk_terminal(), Colour::red, "navvy:"), printable(message));
}

}  // namespace navvy::cli
