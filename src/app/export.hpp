// Rows of an index as JSON, so that other programs can read them.
#pragma once

#include <cstddef>
#include <string>

#include "navvy/index.hpp"

namespace navvy::app {

/// A row on one line: row, id, and where there are such label, title, snippet and fields; and its
/// bins: words with their weights, [line, column, weight] of images, [number, weight] of other
/// histograms. Weights have as few digits as read back as the same float.
std::string row_line(const Index& index, std::size_t row);

}  // namespace navvy::app
