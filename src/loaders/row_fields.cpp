// Collects the values of fields by name, and tells their types.
#include "loaders/row_fields.hpp"

#include <algorithm>
#include <utility>

#include "navvy/error.hpp"

namespace navvy::loaders {
namespace {

std::optional<FieldType> type_in(const Index* index, const std::string& name) {
  if (index == nullptr) return {};
  const auto place = std::ranges::find(index->fields, name, &Field::name);
  return place == index->fields.end() ? std::nullopt : std::optional(place->type);
}

}  // namespace

// Documents of one corpus have their fields in one order, so the place is nearly always right.
RowFields::Column& RowFields::column(const FieldValue& value, std::size_t expected_place) {
  if (expected_place < columns_.size() && columns_[expected_place].name == value.name)
    return columns_[expected_place];
  const auto place = std::ranges::find(columns_, value.name, &Column::name);
  if (place != columns_.end()) return *place;
  columns_.push_back({value.name, value.type, std::vector<std::string>(rows_)});
  return columns_.back();
}

void RowFields::add(std::vector<FieldValue>&& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Column& place = column(values[i], i);
    if (place.values.size() > rows_)
      throw Error(ErrorCode::bad_input, "document " + std::to_string(rows_ + 1) + ": field '" +
                                            place.name + "' stands there twice, expected it once");
    if (!place.type) place.type = values[i].type;
    place.values.push_back(std::move(values[i].text));
  }
  ++rows_;
  for (Column& place : columns_) place.values.resize(rows_);
}

std::vector<Field> RowFields::typed(const Index* known) const {
  std::vector<Field> fields;
  for (const Column& place : columns_) {
    const std::optional<FieldType> told = place.type ? place.type : type_in(known, place.name);
    fields.push_back(make_field(place.name, told ? *told : type_of(place.values), place.values));
  }
  return fields;
}

}  // namespace navvy::loaders
