// Chooses the loader by which files are given.
#include "app/arrays.hpp"

#include "navvy/loaders.hpp"

namespace navvy::app {

Index read_arrays(const ArrayOptions& options) {
  const ZeroBins zero_bins = options.keep_zeros ? ZeroBins::keep : ZeroBins::drop;
  Index index;
  if (!options.images.empty()) {
    index = index_images(read_idx_images(options.images), zero_bins);
  } else {
    index = index_histograms(read_histograms(options.histograms, zero_bins),
                             read_coordinates(options.coordinates));
  }
  if (options.normalize) normalize_coordinates(index);
  if (!options.labels.empty()) set_labels(index, read_labels(options.labels));
  if (!options.ids.empty()) set_ids(index, read_labels(options.ids));
  return index;
}

}  // namespace navvy::app
