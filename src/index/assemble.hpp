// One index out of rows of others: what removing and merging share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "navvy/index.hpp"

namespace navvy::index {

/// Some rows of an index, ascending.
struct Selection {
  const Index* source = nullptr;
  std::vector<std::uint32_t> rows;
};

/// An index of the selected rows, selection after selection, as if built at once: only coordinates
/// and labels that are used, weights that depend on all rows computed anew. Kind and properties are
/// those of the first source. Throws Error(bad_input) where the sources do not have the same
/// coordinate under the same number.
Index assemble(std::span<const Selection> selections);

/// Throws Error(bad_input) unless there are as many counts as bins, or none where none are needed;
/// weights by tfidf need them, each above 0.
void check_counts(const Index& index);

}  // namespace navvy::index
