// Fields of documents, collected until all values are known and their types can be told.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "navvy/corpus.hpp"
#include "navvy/index.hpp"

namespace navvy::loaders {

class RowFields {
 public:
  /// Takes the values of the next document; throws Error(bad_input) on a name that stands twice.
  void add(std::vector<FieldValue>&& values);

  /// The fields of all documents. Those that `known` has too have the type that they have there.
  /// Throws Error(bad_input) on a value that does not fit a type.
  [[nodiscard]] std::vector<Field> typed(const Index* known = nullptr) const;

  [[nodiscard]] std::size_t size() const noexcept { return rows_; }

 private:
  struct Column {
    std::string name;
    std::optional<FieldType> type;
    std::vector<std::string> values;
  };

  Column& column(const FieldValue& value, std::size_t expected_place);

  std::vector<Column> columns_;
  std::size_t rows_ = 0;
};

}  // namespace navvy::loaders
