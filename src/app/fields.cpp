// Counts the values of fields, and writes them as JSON.
#include "app/fields.hpp"

#include <cmath>
#include <utility>

namespace navvy::app {
namespace {

bool is_less(const Field& field, std::size_t a, std::size_t b) {
  return field.type == FieldType::number ? field.numbers[a] < field.numbers[b]
                                         : field.dates[a] < field.dates[b];
}

FieldSummary summarize_field(const Field& field, std::size_t rows) {
  FieldSummary summary{field.name, field.type};
  for (std::size_t row = 0; row < rows; ++row) {
    if (!field.has(row)) continue;
    const bool is_first = summary.values++ == 0;
    if (field.type == FieldType::text) continue;
    if (is_first || is_less(field, row, summary.least)) summary.least = row;
    if (is_first || is_less(field, summary.most, row)) summary.most = row;
  }
  return summary;
}

}  // namespace

std::vector<FieldSummary> summarize_fields(const Index& index) {
  std::vector<FieldSummary> summaries;
  for (const Field& field : index.fields)
    summaries.push_back(summarize_field(field, index.rows.size()));
  return summaries;
}

Json field_summaries_json(const Index& index) {
  Json list = Json::array();
  const std::vector<FieldSummary> summaries = summarize_fields(index);
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const FieldSummary& summary = summaries[i];
    Json entry{
        {"name", summary.name}, {"type", to_string(summary.type)}, {"values", summary.values}};
    if (summary.values > 0 && summary.type != FieldType::text) {
      entry["least"] = value_json(index.fields[i], summary.least);
      entry["most"] = value_json(index.fields[i], summary.most);
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json value_json(const Field& field, std::size_t row) {
  if (!field.has(row)) return {};
  if (field.type != FieldType::number) return field.text(row);
  // Years are written 1990, not 1990.0.
  const double value = field.numbers[row];
  const bool is_whole = std::abs(value) <= largest_whole_number && value == std::trunc(value);
  return is_whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json fields_json(const Index& index, std::size_t row) {
  Json values = Json::object();
  for (const Field& field : index.fields)
    if (field.has(row)) values[field.name] = value_json(field, row);
  return values;
}

}  // namespace navvy::app
