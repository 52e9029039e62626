// Fields of rows that come from several indexes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "navvy/fields.hpp"

namespace navvy::index {

/// The fields of an index, and which of its rows count, in their order.
struct FieldRows {
  const std::vector<Field>* fields = nullptr;
  std::span<const std::uint32_t> rows;
};

/// The fields of the rows of all parts, part after part. Rows of a part without a field have none.
/// Throws Error(bad_input) where a field has one type in one part and another in the next.
std::vector<Field> join_fields(std::span<const FieldRows> parts);

}  // namespace navvy::index
