// How results are shown to a person: colour, aligned tables, widths. Data goes to stdout.
#pragma once

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/one_line.hpp"

namespace navvy::cli {

/// What a stream can show. Colour obeys NO_COLOR and TERM=dumb; only a terminal gets colour or
/// characters beyond ASCII.
struct Terminal {
  bool interactive = false;
  bool colour = false;
  bool unicode = false;
  std::size_t columns = 80;
};

/// What stdout and stderr can show, found out once.
const Terminal& output_terminal();
const Terminal& talk_terminal();

enum class Colour { bold, dim, red, green, yellow, blue, cyan };

/// The text in a colour, or as it is where the terminal has none.
std::string paint(const Terminal& terminal, Colour colour, std::string_view text);

/// Places that a text takes on a screen: code points that are not part of an escape sequence.
std::size_t display_width(std::string_view text);

using app::one_line;

/// The places that a word gets in tables and sentences.
constexpr std::size_t word_width = 40;

/// A table with aligned columns.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
    std::size_t width = 0;  ///< at least
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Cells that are missing at the end stay empty. `details` are lines of their own below the row.
  void add(std::vector<std::string> cells, std::vector<std::string> details = {}) {
    rows_.push_back({std::move(cells), std::move(details)});
  }

  /// Writes the table to stdout.
  void print() const;

  /// Writes one row at once, the titles before the first: columns are as wide as they were told,
  /// since those to come are not known.
  void print_line(const std::vector<std::string>& cells);

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<std::string> details;
  };

  void print_titles(std::span<const std::size_t> widths) const;
  void print_cells(std::span<const std::string> cells, std::span<const std::size_t> widths) const;
  [[nodiscard]] std::vector<std::size_t> least_widths() const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
  bool titles_printed_ = false;
};

/// From now on nobody talks and no progress is shown; complaints remain.
void be_quiet();
bool is_quiet();

/// A line to stderr: what was done. It is made printable(), so that it may quote any name.
void talk(std::string_view line);

/// The same for what went wrong, after the name of the program.
void complain(std::string_view message);

}  // namespace navvy::cli
