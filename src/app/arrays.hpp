// Rows out of files of arrays.
#pragma once

#include <cstdint>
#include <filesystem>

#include "navvy/corpus.hpp"
#include "navvy/index.hpp"
#include "navvy/loaders.hpp"

namespace navvy::app {

/// Files of arrays: images (pictures or IDX), or histograms with their coordinates.
struct ArrayOptions {
  std::filesystem::path images;
  PictureOptions pictures;
  std::uint32_t index_width = 0;  ///< of the images that these join; 0: they join none
  std::uint32_t index_height = 0;
  std::filesystem::path histograms;
  std::filesystem::path coordinates;
  std::filesystem::path labels;
  std::filesystem::path label_names;  ///< a line for each number among the labels, from 0
  std::filesystem::path ids;
  std::filesystem::path fields;  ///< a table or JSON lines with a record per row
  CorpusOptions field_options;   ///< how it is read, and what of it is kept; empty: everything
  bool keep_zeros = false;
  bool normalize = false;
};

/// The same for rows that are to stand beside those of an index: pictures are made as its own are,
/// and as the options say besides.
ArrayOptions joining(ArrayOptions options, const Index& index);

/// The rows of images or histograms as an index.
Index read_arrays(const ArrayOptions& options);

}  // namespace navvy::app
