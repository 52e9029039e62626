// Rows of an index by what they are called and what is known of them, without all the others.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "handle.hpp"
#include "navvy/error.hpp"
#include "navvy/rows.hpp"

namespace navvy::python {
namespace {

using RowNumbers = Values<std::int64_t>;

// What `of` says of each row, and `missing` where there is no row.
template <class Value, class Of>
std::vector<Value> of_rows(const Handle& self, const RowNumbers& rows, const Value& missing,
                           const Of& of) {
  std::vector<Value> result;
  result.reserve(rows.size());
  for (const std::int64_t row : span_of(rows)) {
    if (row >= 0) require_row(static_cast<std::size_t>(row), self.index());
    result.push_back(row < 0 ? missing : of(static_cast<std::size_t>(row)));
  }
  return result;
}

std::vector<std::string> ids_at(const Handle& self, const RowNumbers& rows) {
  return of_rows<std::string>(self, rows, "",
                              [&](std::size_t row) { return self.index().id(row); });
}

std::vector<std::string> labels_at(const Handle& self, const RowNumbers& rows) {
  return of_rows<std::string>(self, rows, "",
                              [&](std::size_t row) { return self.index().label(row); });
}

std::vector<std::string> titles_at(const Handle& self, const RowNumbers& rows) {
  const Strings& titles = self.index().titles;
  return of_rows<std::string>(self, rows, "", [&](std::size_t row) {
    return titles.empty() ? std::string() : std::string(titles[row]);
  });
}

// The values that index.fields would have there; no one where there is no such field.
nb::object field_at(const Handle& self, const std::string& name, const RowNumbers& rows) {
  const auto& fields = self.index().fields;
  const auto field = std::ranges::find(fields, name, &Field::name);
  if (field == fields.end()) return nb::none();
  switch (field->type) {
    case FieldType::number:
      return nb::cast(handed_over(of_rows(self, rows, std::numeric_limits<double>::quiet_NaN(),
                                          [&](std::size_t row) { return field->numbers[row]; })));
    case FieldType::date:
      return nb::cast(handed_over(of_rows(self, rows, std::numeric_limits<std::int64_t>::min(),
                                          [&](std::size_t row) { return field->dates[row]; })));
    case FieldType::text:
      break;
  }
  return nb::cast(of_rows<std::string>(self, rows, "", [&](std::size_t row) {
    return field->texts.empty() ? std::string() : std::string(field->texts[row]);
  }));
}

// Of coordinates; none where these are no words.
std::vector<std::string> words_at(const Handle& self, const Values<std::uint32_t>& places) {
  const Vocabulary& vocabulary = self.index().vocabulary;
  std::vector<std::string> words;
  if (!vocabulary.has_words()) return words;
  for (const std::uint32_t place : span_of(places)) {
    if (place >= vocabulary.size())
      throw Error(ErrorCode::usage, "there is no coordinate " + std::to_string(place));
    words.emplace_back(vocabulary.word(place));
  }
  return words;
}

std::vector<std::string> field_names(const Handle& self) {
  std::vector<std::string> names;
  for (const Field& field : self.index().fields) names.push_back(field.name);
  return names;
}

std::unique_ptr<Handle> with_integer_labels(const Handle& self) {
  Index index = self.index();
  index.properties[label_type_property] = "integers";
  return std::make_unique<Handle>(std::move(index));
}

std::vector<std::uint32_t> with_weight(const Index& index) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < index.rows.size(); ++row)
    if (!is_empty(index.rows[row])) rows.push_back(static_cast<std::uint32_t>(row));
  return rows;
}

std::unique_ptr<Handle> chosen(const Handle& self, const Values<std::uint32_t>& rows) {
  for (const std::uint32_t row : span_of(rows)) require_row(row, self.index());
  const nb::gil_scoped_release release;
  return std::make_unique<Handle>(restricted(self.index(), span_of(rows)));
}

}  // namespace

void bind_names(nb::module_& module) {
  auto type = nb::borrow<nb::class_<Handle>>(module.attr("Handle"));
  type.def("ids_at", &ids_at);
  type.def("labels_at", &labels_at);
  type.def("titles_at", &titles_at);
  type.def("words_at", &words_at);
  type.def("field_at", &field_at);
  type.def_prop_ro("field_names", &field_names);
  type.def_prop_ro("integer_labels", &Handle::has_integer_labels);
  type.def("with_integer_labels", &with_integer_labels);
  type.def("with_weight",
           [](const Handle& self) { return handed_over(with_weight(self.index())); });
  type.def("chosen", &chosen);
}

}  // namespace navvy::python
