// Chooses the loader by which files are given.
#include "app/arrays.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "navvy/error.hpp"
#include "navvy/loaders.hpp"

namespace navvy::app {
namespace {

// Whoever gives two files wants to know which of them is short.
void add_fields(const ArrayOptions& options, Index& index) {
  std::vector<Field> fields = read_fields(options.fields, options.field_options);
  const auto has_values = [](const Field& field) { return field.size() > 0; };
  const auto filled = std::ranges::find_if(fields, has_values);
  if (filled != fields.end() && filled->size() != index.rows.size())
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: {} records, expected {}, one per row", options.fields.string(),
                            filled->size(), index.rows.size()));
  set_fields(index, std::move(fields));
}

}  // namespace

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
  if (!options.fields.empty()) add_fields(options, index);
  return index;
}

}  // namespace navvy::app
