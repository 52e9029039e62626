// Conditions of a filter over the columns of an index.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "index/filter_parser.hpp"
#include "navvy/index.hpp"

namespace navvy::index {

/// Whether rows meet a condition.
class RowTest {
 public:
  virtual ~RowTest() = default;

  /// Writes 1 or 0 for the rows from `first` on.
  virtual void run(std::size_t first, std::span<std::uint8_t> out) const = 0;
};

/// Refers to condition and index, which must stay alive. Throws FilterError where there is no such
/// column or its type does not fit a value.
std::unique_ptr<RowTest> row_test(const Condition& condition, const Index& index,
                                  std::string_view filter);

}  // namespace navvy::index
