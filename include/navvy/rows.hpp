// Rows of an index chosen by number, range, id or label.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "navvy/array.hpp"
#include "navvy/histograms.hpp"
#include "navvy/index.hpp"

/// Which rows of an index are meant: by number, id, range or label.
namespace navvy {

/// Rows [begin, end).
struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
};

/// "A:B" (B excluded), "A:", ":B" or "A" alone, within an index of `rows` rows; an empty text means
/// all. Throws Error(usage) on anything else, on rows that do not exist and on an empty range.
RowRange parse_range(std::string_view text, std::size_t rows);

/// Throws Error(usage) unless the range ascends within an index of `rows` rows; it may be empty.
void require_range(const RowRange& range, std::size_t rows);

/// Throws Error(usage) unless the index has this row.
void require_row(std::size_t row, const Index& index);

/// A row number, or the id of a row in an index that has ids; a number wins. Throws Error(usage).
std::size_t parse_row(std::string_view text, const Index& index);

/// The row of this id, as users see it: row numbers are ids where rows have none. Throws
/// Error(usage).
std::size_t row_with_id(std::string_view id, const Index& index);

/// Rows by number, id or range ("5", "doc-17", "0:100"), one text after the other. Throws
/// Error(usage).
std::vector<std::uint32_t> parse_rows(std::span<const std::string> texts, const Index& index);

/// The rows with one of these labels, ascending. Throws Error(usage) where a label is that of none.
std::vector<std::uint32_t> rows_with_labels(std::span<const std::string> labels,
                                            const Index& index);

/// The rows of these ids, as users see them, ascending, each once. Throws Error(usage) that names
/// an id of no row, and how many more there are.
std::vector<std::uint32_t> rows_with_ids(std::span<const std::string> ids, const Index& index);

/// Per row of an index of so many rows, 1 where it is one of these and 0 elsewhere, as
/// SearchOptions::among has it.
Array<std::uint8_t> marked(std::span<const std::uint32_t> rows, std::size_t all);

/// Some rows of a set in the order given, over the same vocabulary.
Histograms selected(const Histograms& all, std::span<const std::uint32_t> rows);

/// An index of some rows in the order given, for searching alone: with the vocabulary and the
/// properties, without names and labels.
Index restricted(const Index& index, std::span<const std::uint32_t> rows);

}  // namespace navvy
