// Every way in which the costs of a pair make a distance.
#pragma once

#include "navvy/measure.hpp"

namespace navvy::test {

inline constexpr Direction every_direction[] = {Direction::symmetric, Direction::database_to_query,
                                                Direction::query_to_database,
                                                Direction{Direction::Way::mix, 0.23}};

}  // namespace navvy::test
