// Puts the fields of rows of several indexes side by side by their names.
#include "index/join_fields.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "index/format.hpp"
#include "navvy/error.hpp"

namespace navvy::index {
namespace {

const Field* field_named(const std::vector<Field>& fields, const std::string& name) {
  const auto place = std::ranges::find(fields, name, &Field::name);
  return place == fields.end() ? nullptr : &*place;
}

// Names and types of all parts, in the order in which they come.
std::vector<Field> names_of(std::span<const FieldRows> parts) {
  std::vector<Field> joined;
  for (const FieldRows& part : parts) {
    for (const Field& field : *part.fields) {
      const Field* known = field_named(joined, field.name);
      if (known == nullptr && joined.size() == most_fields) {
        throw Error(ErrorCode::bad_input,
                    "more than " + std::to_string(most_fields) + " fields in all; expected fewer");
      }
      if (known == nullptr) {
        joined.push_back({field.name, field.type, {}, {}, {}});
      } else if (known->type != field.type) {
        throw Error(ErrorCode::bad_input, "field '" + field.name + "' is a " +
                                              to_string(known->type) + " in one index and a " +
                                              to_string(field.type) +
                                              " in the other; expected the same type in both");
      }
    }
  }
  return joined;
}

// The values of one field over all rows; `value` takes one out of a field that has it.
template <class T, class Value>
std::vector<T> join_values(std::span<const FieldRows> parts, const std::string& name, const T& none,
                           const Value& value) {
  std::vector<T> values;
  for (const FieldRows& part : parts) {
    const Field* field = field_named(*part.fields, name);
    for (const std::uint32_t row : part.rows)
      values.push_back(field != nullptr && field->has(row) ? value(*field, row) : none);
  }
  return values;
}

void fill(std::span<const FieldRows> parts, Field& field) {
  switch (field.type) {
    case FieldType::number:
      field.numbers =
          Array(join_values(parts, field.name, std::numeric_limits<double>::quiet_NaN(),
                            [](const Field& part, std::size_t row) { return part.numbers[row]; }));
      return;
    case FieldType::date:
      field.dates =
          Array(join_values(parts, field.name, no_date,
                            [](const Field& part, std::size_t row) { return part.dates[row]; }));
      return;
    case FieldType::text:
      break;
  }
  const auto texts =
      join_values(parts, field.name, std::string(),
                  [](const Field& part, std::size_t row) { return std::string(part.texts[row]); });
  const bool any = std::ranges::any_of(texts, [](const auto& text) { return !text.empty(); });
  if (any) field.texts = Strings(texts);
}

}  // namespace

std::vector<Field> join_fields(std::span<const FieldRows> parts) {
  std::vector<Field> joined = names_of(parts);
  for (Field& field : joined) fill(parts, field);
  return joined;
}

}  // namespace navvy::index
