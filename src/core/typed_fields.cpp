// From values as users write them to fields with a type.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "navvy/error.hpp"
#include "navvy/fields.hpp"

namespace navvy {
namespace {

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// Postal codes and long identifiers look like numbers, but would come back as others.
bool survives_as_number(std::string_view text) noexcept {
  const std::optional<double> value = parse_number(text);
  if (!value) return false;
  std::string_view digits = trimmed(text);
  if (digits.front() == '-') digits.remove_prefix(1);
  if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) return false;
  return !std::ranges::all_of(digits, is_digit) || std::abs(*value) <= largest_whole_number;
}

template <class Test>
bool all_values(std::span<const std::string> values, const Test& test) noexcept {
  bool any = false;
  for (const std::string& value : values) {
    if (trimmed(value).empty()) continue;
    if (!test(value)) return false;
    any = true;
  }
  return any;
}

void require_fit(const Field& field, std::span<const std::string> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!fits(field.type, values[i]))
      throw Error(ErrorCode::bad_input, "value " + std::to_string(i + 1) + " of field '" +
                                            field.name + "': found '" + values[i] +
                                            "', expected a " + to_string(field.type));
}

}  // namespace

std::optional<double> parse_number(std::string_view text) noexcept {
  const std::string_view number = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (number.empty() || error != std::errc() || end != number.data() + number.size()) return {};
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<FieldType> parse_field_type(std::string_view name) noexcept {
  if (name == "text") return FieldType::text;
  if (name == "number") return FieldType::number;
  if (name == "date") return FieldType::date;
  return {};
}

bool fits(FieldType type, std::string_view text) noexcept {
  if (type == FieldType::text || trimmed(text).empty()) return true;
  return type == FieldType::number ? parse_number(text).has_value()
                                   : parse_date(trimmed(text)).has_value();
}

FieldType type_of(std::span<const std::string> values) noexcept {
  if (all_values(values, survives_as_number)) return FieldType::number;
  const auto is_date = [](std::string_view text) { return parse_date(trimmed(text)).has_value(); };
  return all_values(values, is_date) ? FieldType::date : FieldType::text;
}

Field make_field(std::string name, FieldType type, std::span<const std::string> values) {
  Field field{std::move(name), type, {}, {}, {}};
  require_fit(field, values);
  std::vector<double> numbers;
  std::vector<std::int64_t> dates;
  for (const std::string& value : values) {
    if (type == FieldType::number)
      numbers.push_back(parse_number(value).value_or(std::numeric_limits<double>::quiet_NaN()));
    if (type == FieldType::date) dates.push_back(parse_date(trimmed(value)).value_or(no_date));
  }
  const auto is_empty = [](const std::string& value) { return value.empty(); };
  if (type == FieldType::text && !std::ranges::all_of(values, is_empty))
    field.texts = Strings(values);
  field.numbers = Array(std::move(numbers));
  field.dates = Array(std::move(dates));
  return field;
}

}  // namespace navvy
