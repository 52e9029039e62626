// Fields of rows as JSON, and what can be told of them as a whole.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "navvy/index.hpp"

namespace navvy::app {

/// One field over all rows.
struct FieldSummary {
  std::string name;
  FieldType type = FieldType::text;
  std::size_t values = 0;  ///< rows that have one
  /// Rows with the smallest and the largest value, of numbers and dates; meaningful where there are
  /// values.
  std::size_t least = 0, most = 0;
};

std::vector<FieldSummary> summarize_fields(const Index& index);
Json field_summaries_json(const Index& index);

/// The value of one row: a number as such, a date and a text as text; null for none.
Json value_json(const Field& field, std::size_t row);
/// The values that a row has, by name.
Json fields_json(const Index& index, std::size_t row);

}  // namespace navvy::app
