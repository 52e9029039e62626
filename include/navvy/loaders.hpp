#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "navvy/histograms.hpp"
#include "navvy/index.hpp"
#include "navvy/progress.hpp"
#include "navvy/vocabulary.hpp"

/// Reading data from files. Magic bytes decide on the format, never names; gzip is seen through.
/// Every function throws Error(bad_input) with file, place, found and expected, or Error(failed)
/// where the file cannot be read; memory stays within a small multiple of the file's size.
namespace navvy {

/// Images of one size, row-major bytes, image after image.
struct Images {
  std::uint32_t count = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::vector<std::uint8_t> pixels;
};

/// An IDX file of unsigned bytes with three dimensions (images), plain or gzipped.
Images read_idx_images(const std::filesystem::path& path);

/// One label per row, as text: an IDX file with one dimension, a one-dimensional .npy of integers
/// or strings, or a text file with one label per line.
std::vector<std::string> read_labels(const std::filesystem::path& path);

/// A coordinates array: a two-dimensional .npy of floats or integers. Every row stays, whether used
/// or not.
Vocabulary read_coordinates(const std::filesystem::path& path);

/// A SciPy sparse matrix (.npz: csr, csc or coo; float or integer; unsorted and duplicate entries
/// are tolerated) or a dense two-dimensional .npy, one histogram per row.
Histograms read_histograms(const std::filesystem::path& path, ZeroBins zero_bins = ZeroBins::drop);

/// Parts for an index of images: pixels at integer coordinates (row, column), weights from their
/// values. Only pixels that are used by some image stay in the vocabulary; with ZeroBins::keep all
/// stay, and black pixels are bins of weight zero.
Index index_images(const Images& images, ZeroBins zero_bins = ZeroBins::drop);

/// Parts for an index of histograms over given coordinates. Coordinates that no row uses are left
/// out. Throws Error(bad_input) where sizes do not fit.
Index index_histograms(const Histograms& rows, const Vocabulary& coordinates);

/// Gives the rows of an index labels or ids; throws Error(bad_input) where their number differs or
/// ids repeat.
void set_labels(Index& index, const std::vector<std::string>& labels);
void set_ids(Index& index, const std::vector<std::string>& ids);

}  // namespace navvy
