// Images, labels and arrays from files, and indexes from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "navvy/corpus.hpp"
#include "navvy/histograms.hpp"
#include "navvy/index.hpp"
#include "navvy/progress.hpp"
#include "navvy/vocabulary.hpp"

/// Reading data from files. Magic bytes decide on the format, never names; gzip is seen through.
/// Every function throws Error(bad_input) with file, place, found and expected, or Error(failed)
/// where the file cannot be read; memory stays within a small multiple of the file's size. Where a
/// function takes bytes, they are those of such a file.
namespace navvy {

/// Images of one size, row-major bytes, image after image; of colours each pixel has red, green and
/// blue, three channels.
struct Images {
  std::uint32_t count = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::vector<std::uint8_t> pixels;
  std::uint32_t channels = 1;
};

/// An IDX file of unsigned bytes with three dimensions (images), plain or gzipped.
Images read_idx_images(const std::filesystem::path& path);
Images read_idx_images(std::span<const std::byte> file);

/// How pictures become images.
struct PictureOptions {
  /// The size that all are brought to, by means of what each new pixel covers, whatever their
  /// proportions; 0: they must have one size.
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  /// Dark is what counts, as of ink on paper; else bright is.
  bool invert = false;
  bool colour = false;                 ///< else grey, by the weights of Rec. 601
  std::uint32_t channel_distance = 8;  ///< from red to green and from green to blue, in pixels
  /// Which folder on the way to a picture is its label; see CorpusOptions.
  std::size_t label_depth = last_folder;
};

/// What read_pictures() found; IDX images have neither ids nor labels.
struct Pictures {
  Images images;
  std::vector<std::string> ids;     ///< paths below the folder, or the name of the file
  std::vector<std::string> labels;  ///< folders on the way to these
};

/// A PNG or JPEG picture, a folder with such ones at any depth (in order of their paths; names that
/// begin with "." are passed over), or an IDX file of images. Values of more than 8 bits are
/// rounded to 8; transparency is absence; the orientation in the EXIF of a JPEG is obeyed; gamma
/// and profiles are not. A picture has at most 2^26 pixels. A file that is no whole picture throws
/// Error(bad_input).
Pictures read_pictures(const std::filesystem::path& path, const PictureOptions& options = {});

/// One label per row, as text: an IDX file with one dimension, a one-dimensional .npy of integers
/// or strings, or a text file with one label per line.
std::vector<std::string> read_labels(const std::filesystem::path& path);
std::vector<std::string> read_labels(std::span<const std::byte> file);

/// The same for labels that are whole numbers from 0 on, as names: line k + 1 of the text file
/// `names` is that of number k. A label that is no such number or has no name throws
/// Error(bad_input).
std::vector<std::string> read_labels(const std::filesystem::path& path,
                                     const std::filesystem::path& names);

/// Fields of rows that come from elsewhere: a table (CSV or TSV, its first record names the columns
/// unless the options say otherwise) or JSON lines, one record per row, in their order. All of them
/// are kept unless the options name some; of the options, those that speak of texts do not count.
std::vector<Field> read_fields(const std::filesystem::path& path,
                               const CorpusOptions& options = {});
std::vector<Field> read_fields(std::span<const std::byte> file, const CorpusOptions& options = {});

/// A coordinates array: a two-dimensional .npy of floats or integers, or what export_npz() wrote.
/// Every row stays, whether used or not.
Vocabulary read_coordinates(const std::filesystem::path& path);

/// A SciPy sparse matrix (.npz: csr, csc or coo; float or integer; unsorted and duplicate entries
/// are tolerated) or a dense two-dimensional .npy, one histogram per row.
Histograms read_histograms(const std::filesystem::path& path, ZeroBins zero_bins = ZeroBins::drop);

/// Parts for an index of images: pixels at integer coordinates (row, column), weights from their
/// values. Only pixels that are used by some image stay in the vocabulary; with ZeroBins::keep all
/// stay, and black pixels are bins of weight zero. Channels lie behind one another, in a third
/// dimension, at multiples of `channel_distance`.
Index index_images(const Images& images, ZeroBins zero_bins = ZeroBins::drop,
                   std::uint32_t channel_distance = PictureOptions().channel_distance);

/// The same with ids and labels; the index remembers the options, so that queries can follow them.
Index index_pictures(const Pictures& pictures, const PictureOptions& options = {},
                     ZeroBins zero_bins = ZeroBins::drop);

/// The same for images whose pixels are no bytes: a row per image over all its pixels, line by
/// line. Throws Error(bad_input) where sizes do not fit.
Index index_pixels(const Histograms& rows, std::uint32_t height, std::uint32_t width,
                   ZeroBins zero_bins = ZeroBins::drop);

/// Parts for an index of histograms over given coordinates. Coordinates that no row uses are left
/// out. Throws Error(bad_input) where sizes do not fit.
Index index_histograms(const Histograms& rows, const Vocabulary& coordinates);

/// Scales the coordinates of an index to length 1, and says so in its properties.
void normalize_coordinates(Index& index);

/// How rows were made of weights and coordinates, and queries have to be.
struct RowMaking {
  ZeroBins zero_bins = ZeroBins::drop;
  bool normalized = false;  ///< coordinates were scaled to length 1
  PictureOptions pictures;  ///< of images
  std::uint32_t width = 0;  ///< of images, and their height
  std::uint32_t height = 0;
};

/// As the properties of an index tell.
RowMaking making_of(const Index& index);

}  // namespace navvy
