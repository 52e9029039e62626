// What the rows of documents are called.
#pragma once

#include <string>
#include <vector>

#include "navvy/index.hpp"

namespace navvy::loaders {

/// Documents without id get the number of their row, or the next that is free. `base` is the index
/// that they are added to, or null; with `replacing`, ids of the index are welcome. Throws
/// Error(bad_input) on an id that stands there twice.
std::vector<std::string> complete_ids(std::vector<std::string> ids, const Index* base,
                                      bool replacing);

}  // namespace navvy::loaders
