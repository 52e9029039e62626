#include "navvy/fields.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "handle.hpp"
#include "navvy/index.hpp"

namespace navvy::python {
namespace {

Field text_field(std::string name, const std::vector<std::string>& values) {
  return make_field(std::move(name), FieldType::text, values);
}

Field number_field(std::string name, const Values<double>& values) {
  const auto numbers = span_of(values);
  Array copy(std::vector<double>(numbers.begin(), numbers.end()));
  return {std::move(name), FieldType::number, {}, std::move(copy), {}};
}

Field date_field(std::string name, const Values<std::int64_t>& values) {
  const auto dates = span_of(values);
  Array copy(std::vector<std::int64_t>(dates.begin(), dates.end()));
  return {std::move(name), FieldType::date, {}, {}, std::move(copy)};
}

nb::object values_of(const Field& field, std::size_t rows) {
  switch (field.type) {
    case FieldType::number:
      return nb::cast(shown(field.numbers, {rows}));
    case FieldType::date:
      return nb::cast(shown(field.dates, {rows}));
    case FieldType::text:
      break;
  }
  std::vector<std::string> texts = field.texts.to_vector();
  texts.resize(rows);  // texts that are all empty take no room
  return nb::cast(texts);
}

nb::list fields_of(const Handle& self) {
  nb::list fields;
  for (const Field& field : self.index().fields)
    fields.append(nb::make_tuple(field.name, to_string(field.type),
                                 values_of(field, self.index().rows.size())));
  return fields;
}

std::unique_ptr<Handle> with_fields(const Handle& self, const std::vector<Field>& fields) {
  const nb::gil_scoped_release release;
  Index index = self.index();
  set_fields(index, fields);
  return std::make_unique<Handle>(std::move(index));
}

}  // namespace

void bind_fields(nb::module_& module) {
  [[maybe_unused]] const nb::class_<Field> field(module, "Field");
  module.def("text_field", &text_field);
  module.def("number_field", &number_field);
  module.def("date_field", &date_field);
  auto type = nb::borrow<nb::class_<Handle>>(module.attr("Handle"));
  type.def("fields", &fields_of);
  type.def("with_fields", &with_fields);
}

}  // namespace navvy::python
