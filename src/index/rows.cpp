// Finds the rows that users name, and takes them out of an index.
#include "navvy/rows.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/chosen_rows.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

// The whole text as a number; nullopt otherwise.
std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

[[noreturn]] void fail_range(std::string_view text, std::size_t rows) {
  refuse("range '" + std::string(text) + "' does not fit: there are " + std::to_string(rows) +
         " rows, and a range A:B needs A < B");
}

[[noreturn]] void fail_row(std::string_view row, const Index& index) {
  refuse("row " + std::string(row) + " does not exist: the index has " +
         std::to_string(index.rows.size()) + " rows, numbered from 0");
}

// The place of a text among others; their number where it is not there.
std::size_t place_of(std::string_view text, const Strings& strings) {
  std::size_t place = 0;
  while (place < strings.size() && strings[place] != text) ++place;
  return place;
}

}  // namespace

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
  if (!begin || !end) refuse("range '" + std::string(text) + "': expected A:B, A:, :B or A");
  if (*begin >= *end || *end > rows) fail_range(text, rows);
  return {*begin, *end};
}

void require_range(const RowRange& range, std::size_t rows) {
  if (range.begin > range.end || range.end > rows)
    fail_range(std::to_string(range.begin) + ":" + std::to_string(range.end), rows);
}

void require_row(std::size_t row, const Index& index) {
  if (row >= index.rows.size()) fail_row(std::to_string(row), index);
}

std::size_t parse_row(std::string_view text, const Index& index) {
  const auto row = number(text);
  if (row && *row < index.rows.size()) return *row;
  const std::size_t place = place_of(text, index.ids);
  if (place < index.ids.size()) return place;
  if (row) fail_row(text, index);
  refuse("row '" + std::string(text) + "': expected a row number" +
         (index.ids.empty() ? "" : " or the id of a row"));
}

std::size_t row_with_id(std::string_view id, const Index& index) {
  const std::size_t row =
      index.ids.empty() ? number(id).value_or(index.rows.size()) : place_of(id, index.ids);
  // "007" is a number, but not how row 7 is called.
  if (row < index.rows.size() && index.id(row) == id) return row;
  refuse("no row has the id '" + std::string(id) + "'");
}

std::vector<std::uint32_t> parse_rows(std::span<const std::string> texts, const Index& index) {
  std::vector<std::uint32_t> rows;
  for (const std::string& text : texts) {
    RowRange range;
    if (text.find(':') != text.npos) {
      range = parse_range(text, index.rows.size());
    } else {
      range.begin = parse_row(text, index);
      range.end = range.begin + 1;
    }
    for (std::size_t row = range.begin; row < range.end; ++row)
      rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

std::vector<std::uint32_t> rows_with_labels(std::span<const std::string> labels,
                                            const Index& index) {
  std::vector<bool> wanted(index.label_names.size());
  for (const std::string& label : labels) {
    const std::size_t place = place_of(label, index.label_names);
    if (place == wanted.size()) refuse("no row has the label '" + label + "'");
    wanted[place] = true;
  }
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < index.labels.size(); ++row) {
    const std::int32_t label = index.labels[row];
    if (label >= 0 && wanted[static_cast<std::size_t>(label)]) rows.push_back(row);
  }
  return rows;
}

std::vector<std::uint32_t> rows_with_ids(std::span<const std::string> ids, const Index& index) {
  std::unordered_set<std::string_view> wanted(ids.begin(), ids.end());
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < index.rows.size() && !wanted.empty(); ++row) {
    const std::string number = index.ids.empty() ? std::to_string(row) : "";
    if (wanted.erase(index.ids.empty() ? std::string_view(number) : index.ids[row]) > 0)
      rows.push_back(row);
  }
  if (wanted.empty()) return rows;
  const auto first = std::ranges::find_if(ids, [&](const auto& id) { return wanted.contains(id); });
  const std::string more =
      wanted.size() > 1 ? " (nor " + std::to_string(wanted.size() - 1) + " more of the ids)" : "";
  refuse("no row has the id '" + *first + "'" + more);
}

Array<std::uint8_t> marked(std::span<const std::uint32_t> rows, std::size_t all) {
  std::vector<std::uint8_t> marks(all);
  for (const std::uint32_t row : rows) marks[row] = 1;
  return Array(std::move(marks));
}

Histograms selected(const Histograms& all, std::span<const std::uint32_t> rows) {
  return core::chosen_rows(all, rows);
}

Index restricted(const Index& index, std::span<const std::uint32_t> rows) {
  Index part;
  part.kind = index.kind;
  part.vocabulary = index.vocabulary;
  part.rows = selected(index.rows, rows);
  part.properties = index.properties;
  part.frequencies = index.frequencies;
  part.documents = index.documents;
  return part;
}

}  // namespace navvy
