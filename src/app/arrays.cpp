// Chooses the loader by which files are given.
#include "app/arrays.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "navvy/error.hpp"

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

void check_size(const ArrayOptions& options, const Images& images) {
  const bool fits = images.width == options.index_width && images.height == options.index_height;
  if (options.index_width == 0 || fits) return;
  throw Error(
      ErrorCode::bad_input,
      fmt::format("{}: {}x{} pixels, expected {}x{} as in the index; --resize makes them so",
                  options.images.string(), images.width, images.height, options.index_width,
                  options.index_height));
}

}  // namespace

ArrayOptions joining(ArrayOptions options, const Index& index) {
  const PictureOptions given = options.pictures;
  const RowMaking making = making_of(index);
  options.index_width = making.width;
  options.index_height = making.height;
  options.pictures = making.pictures;
  options.pictures.label_depth = given.label_depth;
  options.pictures.invert = options.pictures.invert || given.invert;
  options.pictures.colour = options.pictures.colour || given.colour;
  if (given.width > 0) {
    options.pictures.width = given.width;
    options.pictures.height = given.height;
  }
  return options;
}

Index read_arrays(const ArrayOptions& options) {
  const ZeroBins zero_bins = options.keep_zeros ? ZeroBins::keep : ZeroBins::drop;
  Index index;
  if (!options.images.empty()) {
    const Pictures pictures = read_pictures(options.images, options.pictures);
    check_size(options, pictures.images);
    index = index_pictures(pictures, options.pictures, zero_bins);
  } else {
    index = index_histograms(read_histograms(options.histograms, zero_bins),
                             read_coordinates(options.coordinates));
  }
  if (options.normalize) normalize_coordinates(index);
  if (!options.labels.empty()) {
    set_labels(index, options.label_names.empty()
                          ? read_labels(options.labels)
                          : read_labels(options.labels, options.label_names));
  }
  if (!options.ids.empty()) set_ids(index, read_labels(options.ids));
  if (!options.fields.empty()) add_fields(options, index);
  return index;
}

}  // namespace navvy::app
