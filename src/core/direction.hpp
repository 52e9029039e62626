// What the two costs of a pair make under a direction.
#pragma once

#include <algorithm>

#include "navvy/measure.hpp"

namespace navvy::core {

/// Whether the cost of moving a row into the query counts.
constexpr bool moves_rows(const Direction& direction) noexcept {
  return direction.way != Direction::Way::query_to_database;
}

/// Whether the cost of moving the query into a row counts.
constexpr bool moves_query(const Direction& direction) noexcept {
  return direction.way != Direction::Way::database_to_query;
}

/// The distance. It never falls where a cost rises, also in floating point, so a lower bound of a
/// cost, such as 0, gives one of the distance. A mix is rounded once, from double.
template <class Real>
constexpr Real combined(const Direction& direction, Real into_query, Real into_row) noexcept {
  switch (direction.way) {
    case Direction::Way::symmetric:
      return std::max(into_query, into_row);
    case Direction::Way::database_to_query:
      return into_query;
    case Direction::Way::query_to_database:
      return into_row;
    case Direction::Way::mix:
      break;
  }
  return static_cast<Real>(direction.share * into_query + (1 - direction.share) * into_row);
}

}  // namespace navvy::core
