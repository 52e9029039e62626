// Rows of an index chosen by what is known of them: label, id, title, number and fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "navvy/error.hpp"
#include "navvy/index.hpp"

namespace navvy {

/// A filter that cannot be read, or does not fit an index. The message is one line, as everywhere;
/// the picture shows the place.
class FilterError : public Error {
 public:
  FilterError(const std::string& message, std::string_view filter, std::size_t place);

  /// How many bytes of the filter stand before what is wrong.
  [[nodiscard]] std::size_t place() const noexcept { return place_; }
  /// Two lines without an end of line behind them: the filter, or what of a long one is around the
  /// place, and a caret below it.
  [[nodiscard]] const std::string& picture() const noexcept { return picture_; }

 private:
  std::size_t place_;
  std::string picture_;
};

/// Filters may be so long, in bytes, and parentheses and `not` may stand so deep in each other.
inline constexpr std::size_t filter_length_limit = 65536;
inline constexpr std::size_t filter_depth_limit = 200;

/// The rows that a filter lets through, ascending: "label in (a, b) and year >= 1990".
///
///     filter    = all { "or" all }
///     all       = one { "and" one }
///     one       = "not" one | "(" filter ")" | condition
///     condition = name ( "=" | "==" | "!=" | "<>" | "<" | "<=" | ">" | ">=" ) value
///               | name [ "not" ] "in" "(" value { "," value } ")"
///               | name "is" [ "not" ] "missing"
///
/// A name is label, id, title or row (its number), or that of a field, in "double quotes" where it
/// has spaces, is a keyword or one of those four. A value is a word, a number, a date as
/// parse_date() reads it, or any text in 'single quotes'; a quote within quotes stands twice.
/// Keywords may be in capitals. Text compares byte by byte.
///
/// A condition on a row without the value does not hold, whatever the comparison: "year != 1990"
/// leaves out rows without a year, "not year = 1990" does not. Throws FilterError (usage).
std::vector<std::uint32_t> rows_where(std::string_view filter, const Index& index);

}  // namespace navvy
