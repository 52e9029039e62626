// What is known of rows beside their histograms: named fields of text, numbers and dates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "navvy/array.hpp"
#include "navvy/strings.hpp"

namespace navvy {

enum class FieldType : std::uint32_t { text = 0, number = 1, date = 2 };

/// "text", "number" or "date".
std::string to_string(FieldType type);

/// A date where there is none.
inline constexpr std::int64_t no_date = std::numeric_limits<std::int64_t>::min();

/// Beyond it, not every whole number is a double.
inline constexpr double largest_whole_number = 9007199254740992;

/// One value per row under a name. Of the three lists, that of the type is filled.
struct Field {
  std::string name;
  FieldType type = FieldType::text;
  Strings texts;              ///< empty: none
  Array<double> numbers;      ///< NaN: none
  Array<std::int64_t> dates;  ///< seconds since 1970-01-01 00:00 UTC; no_date: none

  /// How many rows it has a place for.
  [[nodiscard]] std::size_t size() const noexcept;
  /// Whether a row has a value.
  [[nodiscard]] bool has(std::size_t row) const noexcept;
  /// The value of a row as users write it; empty for none.
  [[nodiscard]] std::string text(std::size_t row) const;
};

/// Seconds since 1970 of "1999-12-31", "1999-12-31 23:59", "1999-12-31T23:59:59", each with an
/// optional "Z" or offset such as "+01:00" after a time; nullopt for anything else and for days
/// that no calendar has. Years have four digits.
std::optional<std::int64_t> parse_date(std::string_view text) noexcept;

/// The number that a text is, blanks around it passed over; nullopt for anything else, "nan" and
/// "inf" among it, and for what exceeds the range of double.
std::optional<double> parse_number(std::string_view text) noexcept;

/// "text", "number" or "date"; nullopt for anything else.
std::optional<FieldType> parse_field_type(std::string_view name) noexcept;

/// Whether a text can be a value of this type; a blank one is none, whatever the type.
bool fits(FieldType type, std::string_view text) noexcept;

/// What values are that nobody has told: numbers or dates where all of them are, else text. What a
/// number would not give back as it was written counts as text: 007, and whole numbers beyond 2^53.
FieldType type_of(std::span<const std::string> values) noexcept;

/// A field out of its values as users write them, one per row. Throws Error(bad_input) naming the
/// first that does not fit.
Field make_field(std::string name, FieldType type, std::span<const std::string> values);

/// "1999-12-31", with "T23:59:59Z" behind it unless it is midnight.
std::string date_text(std::int64_t seconds);

/// The shortest text that reads back as the same number, without a point where it is whole.
std::string number_text(double value);

}  // namespace navvy
