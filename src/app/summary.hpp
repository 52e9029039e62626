// What can be told about an index as a whole.
#pragma once

#include <cstddef>
#include <vector>

#include "app/json.hpp"
#include "navvy/index.hpp"

namespace navvy::app {

/// The sizes of an index, in the letters of the paper.
struct Summary {
  std::size_t n = 0;           ///< rows
  std::size_t v = 0;           ///< coordinates of the vocabulary
  std::size_t m = 0;           ///< dimensions
  double h = 0;                ///< bins per row, on average
  std::size_t largest = 0;     ///< bins of the largest row
  std::size_t empty = 0;       ///< rows without weight
  std::size_t unlabelled = 0;  ///< rows without label, where there are labels
  std::vector<std::size_t> label_counts;
};

Summary summarize(const Index& index);

/// The sizes under their letters, for JSON.
void add_sizes(Json& document, const Summary& summary);

/// The document of an index.
Json summary_json(const Index& index, const Summary& summary);

}  // namespace navvy::app
