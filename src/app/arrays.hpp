// Rows out of files of arrays.
#pragma once

#include <filesystem>

#include "navvy/corpus.hpp"
#include "navvy/index.hpp"

namespace navvy::app {

/// Files of arrays: IDX images, or histograms with their coordinates.
struct ArrayOptions {
  std::filesystem::path images;
  std::filesystem::path histograms;
  std::filesystem::path coordinates;
  std::filesystem::path labels;
  std::filesystem::path ids;
  std::filesystem::path fields;  ///< a table or JSON lines with a record per row
  CorpusOptions field_options;   ///< how it is read, and what of it is kept; empty: everything
  bool keep_zeros = false;
  bool normalize = false;
};

/// The rows of images or histograms as an index.
Index read_arrays(const ArrayOptions& options);

}  // namespace navvy::app
