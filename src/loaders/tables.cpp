// CSV (RFC 4180) and TSV: records of cells, one document each.
#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "loaders/corpus.hpp"
#include "loaders/kept_fields.hpp"

namespace navvy::loaders {
namespace {

// Reads the cells of one record; `cells` holds the unfinished last cell while quotes are open.
class CsvParser {
 public:
  CsvParser(const InputStream& stream, std::vector<std::string>& cells)
      : stream_(stream), cells_(cells) {
    cells_.assign(1, {});
  }

  /// Takes one line; false if the record goes on in the next one, inside quotes.
  bool take(std::string_view line) {
    for (const char c : line) step(c);
    if (state_ != State::quoted) return true;
    cells_.back() += '\n';
    return false;
  }

 private:
  enum class State { begin, plain, quoted, quote_in_quoted };

  void step(char c) {
    switch (state_) {
      case State::begin:
      case State::plain:
        if (c == ',') return next_cell();
        if (c == '"' && state_ == State::begin) {
          state_ = State::quoted;
          return;
        }
        state_ = State::plain;
        cells_.back() += c;
        return;
      case State::quoted:
        if (c == '"')
          state_ = State::quote_in_quoted;
        else
          cells_.back() += c;
        return;
      case State::quote_in_quoted:
        if (c == ',') return next_cell();
        if (c != '"')
          fail_at_line(stream_, stream_.line_number(),
                       "a quoted cell goes on after its closing quote, expected a comma");
        cells_.back() += '"';
        state_ = State::quoted;
        return;
    }
  }

  void next_cell() {
    cells_.emplace_back();
    state_ = State::begin;
  }

  const InputStream& stream_;
  std::vector<std::string>& cells_;
  State state_ = State::begin;
};

// Quotes that enclose a cell whole are not part of it; any other quote is.
std::string unquoted(std::string_view cell) {
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
  std::string inner;
  for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
    if (cell[i] == '"') {
      const bool is_doubled = i + 2 < cell.size() && cell[i + 1] == '"';
      if (!is_doubled) return std::string(cell);
      ++i;
    }
    inner += cell[i];
  }
  return inner;
}

bool next_tsv_record(InputStream& stream, const CorpusOptions& options, std::uint64_t& line,
                     std::vector<std::string>& cells) {
  std::string text;
  if (!next_line(stream, options, text)) return false;
  line = stream.line_number();
  cells.clear();
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\t', at), text.size());
    cells.push_back(unquoted(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return true;
}

template <class NextRecord>
void read_table(InputStream& stream, CorpusRun& run, NextRecord next_record, bool open_end) {
  std::uint64_t line = 0;
  std::vector<std::string> cells;
  std::optional<TableColumns> columns;
  while (next_record(stream, run.options, line, cells)) {
    for (std::string& cell : cells) cell = run.decode(cell);
    if (!columns) {
      columns.emplace(stream, run, cells, open_end);
      if (columns->has_head_line()) continue;
    }
    run.deliver(columns->document(stream, line, cells));
  }
}

// A column's number, from 1; 0 for anything else.
std::size_t column_number(const std::string& field) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  return error == std::errc() && end == field.data() + field.size() ? number : 0;
}

constexpr std::size_t no_column = static_cast<std::size_t>(-1);

std::size_t name_place(const std::vector<std::string>& first, const std::string& name) {
  const auto place = std::find(first.begin(), first.end(), name);
  return place == first.end() ? no_column : static_cast<std::size_t>(place - first.begin());
}

std::string joined(const std::vector<std::string>& cells) {
  constexpr std::size_t longest = 200;
  std::string text;
  for (const std::string& cell : cells) text += (text.empty() ? "" : ", ") + cell;
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

// The column that a name of the head line or a number stands for.
std::size_t asked_place(const InputStream& stream, const std::vector<std::string>& first,
                        bool has_head_line, const std::string& asked) {
  const std::size_t place = has_head_line ? name_place(first, asked) : no_column;
  if (place != no_column) return place;
  const std::size_t number = column_number(asked);
  if (number == 0 || number > first.size())
    stream.fail("no column '" + asked + "'; the first record has: " + joined(first));
  return number - 1;
}

}  // namespace

bool next_csv_record(InputStream& stream, const CorpusOptions& options, std::uint64_t& line,
                     std::vector<std::string>& cells) {
  std::string text;
  if (!next_line(stream, options, text)) return false;
  line = stream.line_number();
  CsvParser parser(stream, cells);
  std::size_t bytes = text.size();
  while (!parser.take(text)) {
    if (!stream.read_line(text, options.max_document_bytes))
      fail_at_line(stream, line, "quotes are opened and never closed");
    bytes += text.size() + 1;
    if (bytes > options.max_document_bytes)
      fail_at_line(stream, line,
                   "a record longer than " + std::to_string(options.max_document_bytes) + " bytes");
  }
  return true;
}

TableColumns::TableColumns(const InputStream& stream, const CorpusRun& run,
                           const std::vector<std::string>& first, bool open_end)
    : width_(first.size()), open_end_(open_end) {
  const std::string& asked = run.options.text_field;
  const bool has_text_name = name_place(first, asked.empty() ? "text" : asked) != none;
  has_head_line_ = run.options.head_line.value_or(run.fields_only || has_text_name);
  if (!run.fields_only) find_parts(stream, run.options, first);
  find_kept(stream, run, first);
}

void TableColumns::find_parts(const InputStream& stream, const CorpusOptions& options,
                              const std::vector<std::string>& first) {
  const auto place_of = [&](const std::string& asked, const char* usual) {
    if (!asked.empty()) return asked_place(stream, first, has_head_line_, asked);
    return has_head_line_ ? name_place(first, usual) : none;
  };
  text_ = place_of(options.text_field, "text");
  label_ = place_of(options.label_field, "label");
  id_ = place_of(options.id_field, "id");
  title_ = place_of(options.title_field, "title");
  if (text_ != none) return;

  const bool nothing_asked = label_ == none && id_ == none && title_ == none;
  if (has_head_line_ || !nothing_asked || width_ > 3)
    stream.fail("cannot tell which column is the text; the first record has: " + joined(first) +
                "; expected a column 'text', or the text field as a name or number");
  text_ = width_ - 1;
  if (width_ >= 2) label_ = width_ - 2;
  if (width_ == 3) id_ = 0;
}

void TableColumns::find_kept(const InputStream& stream, const CorpusRun& run,
                             const std::vector<std::string>& first) {
  // A column without a name of its own is called by its number.
  const auto name_of = [&](std::size_t column) {
    const bool is_named = has_head_line_ &&
                          first[column].find_first_not_of(" \t\r\n") != std::string::npos &&
                          first[column].find_first_of("\r\n") == std::string::npos;
    return is_named ? first[column] : std::to_string(column + 1);
  };
  for (const KeptField& asked : run.options.keep_fields) {
    std::size_t column = has_head_line_ ? name_place(first, asked.name) : none;
    // What an index has is looked for by name; a number is a column only where there are no names.
    if (column == none && (asked.required || (!has_head_line_ && column_number(asked.name) > 0 &&
                                              column_number(asked.name) <= width_)))
      column = asked_place(stream, first, has_head_line_, asked.name);
    if (column == none) continue;
    keep(stream, column, {name_of(column), asked.type, asked.required});
  }
  if (!run.fields_only || !run.options.keep_fields.empty()) return;
  for (std::size_t column = 0; column < width_; ++column) keep(stream, column, {name_of(column)});
}

void TableColumns::keep(const InputStream& stream, std::size_t column, KeptField field) {
  for (Kept& other : kept_) {
    if (other.field.name != field.name) continue;
    if (field.required) stream.fail("field '" + field.name + "' is to be kept twice");
    // Asked for by number, and a field of the index by its name.
    other.field.type = field.type;
    return;
  }
  kept_.push_back({column, std::move(field)});
}

Document TableColumns::document(const InputStream& stream, std::uint64_t line,
                                std::vector<std::string>& cells) const {
  while (open_end_ && text_ == width_ - 1 && cells.size() > width_) {
    cells[cells.size() - 2] += '\t' + cells.back();
    cells.pop_back();
  }
  if (cells.size() != width_)
    fail_at_line(stream, line,
                 std::to_string(cells.size()) + " cells, but the first record has " +
                     std::to_string(width_));
  const auto take = [&](std::size_t column) {
    return column == none ? std::string() : cells[column];
  };
  Document document{take(id_), take(label_), take(title_), take(text_)};
  for (const Kept& kept : kept_)
    document.fields.push_back(kept_value(stream, line, kept.field, cells[kept.column]));
  return document;
}

void read_csv(InputStream& stream, CorpusRun& run) {
  read_table(stream, run, next_csv_record, false);
}

void read_tsv(InputStream& stream, CorpusRun& run) {
  read_table(stream, run, next_tsv_record, true);
}

}  // namespace navvy::loaders
