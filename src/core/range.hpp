// A range of numbers, half open: the one form in which layers speak of parts of rows and queries.
#pragma once

#include <cstddef>

namespace navvy::core {

/// The numbers [begin, end).
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
  bool operator==(const Range&) const = default;
};

}  // namespace navvy::core
