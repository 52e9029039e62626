// Folders of pictures, single ones and IDX images as images of one size.
#include <algorithm>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include "core/files.hpp"
#include "core/properties.hpp"
#include "loaders/corpus.hpp"
#include "loaders/folder.hpp"
#include "loaders/idx.hpp"
#include "loaders/picture.hpp"
#include "navvy/error.hpp"
#include "navvy/loaders.hpp"

namespace navvy {
namespace loaders {
namespace {

std::string size_text(std::uint32_t width, std::uint32_t height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

// Pictures as they come, all of the size of the first unless another is asked for.
class PictureStack {
 public:
  PictureStack(const PictureOptions& options, std::uint64_t count)
      : options_(options), count_(count) {
    images.width = options.width;
    images.height = options.height;
    images.channels = options.colour ? 3 : 1;
  }

  void add(const InputStream& input, const Picture& picture) {
    const Raster raster{picture.width, picture.height, images.channels};
    if (images.width == 0) {
      images.width = raster.width;
      images.height = raster.height;
    }
    if (images.count == 0) check_memory(input);
    const std::vector<std::uint8_t> ink = ink_of(picture, options_.colour, options_.invert);
    if (raster.width == images.width && raster.height == images.height) {
      append(ink);
    } else if (options_.width > 0) {
      append(resized(ink, raster, images.width, images.height));
    } else {
      input.fail("a picture of " + size_text(raster.width, raster.height) + " pixels, expected " +
                 size_text(images.width, images.height) +
                 " like the first; resizing makes all the same");
    }
    ++images.count;
  }

  Images images;

 private:
  void check_memory(const InputStream& input) {
    const std::uint64_t bytes =
        saturating_product(std::uint64_t{images.width} * images.height, count_ * images.channels);
    if (bytes > InputStream::default_limit())
      throw Error(ErrorCode::limit, input.name() + ": " + std::to_string(count_) + " pictures of " +
                                        size_text(images.width, images.height) +
                                        " pixels do not fit half of the memory; resizing helps");
    images.pixels.reserve(bytes);
  }

  void append(const std::vector<std::uint8_t>& ink) {
    images.pixels.insert(images.pixels.end(), ink.begin(), ink.end());
  }

  const PictureOptions& options_;
  std::uint64_t count_;
};

// Grey values as the pixels of a picture.
Picture picture_of(const Images& images, std::size_t number) {
  const std::size_t size = std::size_t{images.width} * images.height;
  Picture picture{images.width, images.height, {}};
  picture.pixels.reserve(size * picture_channels);
  for (std::size_t i = number * size; i < (number + 1) * size; ++i) {
    picture.pixels.insert(picture.pixels.end(), 3, images.pixels[i]);
    picture.pixels.push_back(0xff);
  }
  return picture;
}

// What begins otherwise was rather meant to be a picture.
void require_idx(InputStream& input) {
  if (input.starts_with(idx_images_magic.substr(0, 2))) return;
  input.fail("byte 0: found " + hex(input.peek(4)) +
             ", expected a PNG or JPEG picture, or IDX images (00 00 08 03)");
}

Images read_idx(InputStream& input, const PictureOptions& options) {
  Images read = read_idx_images(input);
  const bool same_size =
      options.width == 0 || (options.width == read.width && options.height == read.height);
  if (same_size && !options.invert && !options.colour) return read;
  PictureStack stack(options, read.count);
  for (std::size_t i = 0; i < read.count; ++i) stack.add(input, picture_of(read, i));
  return std::move(stack.images);
}

Pictures read_folder_of_pictures(const std::filesystem::path& folder,
                                 const PictureOptions& options) {
  const FolderContent content = content_of(folder);
  const std::string name = core::display_name(folder);
  if (!content.broken_links.empty())
    throw Error(ErrorCode::bad_input, core::display_name(folder / content.broken_links.front()) +
                                          ": is a link that leads nowhere, expected a picture");
  if (content.files.empty()) throw Error(ErrorCode::bad_input, name + ": holds no picture");
  if (content.files.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::limit, name + ": more than 4294967295 pictures");
  Pictures pictures;
  PictureStack stack(options, content.files.size());
  for (const std::filesystem::path& file : content.files) {
    InputStream input(folder / file);
    stack.add(input, read_picture(input));
    pictures.ids.push_back(name_of(file));
    pictures.labels.push_back(label_of(file, options.label_depth));
  }
  pictures.images = std::move(stack.images);
  return pictures;
}

void check_options(const PictureOptions& options) {
  constexpr std::uint32_t longest_side = 65535;
  if ((options.width == 0) != (options.height == 0) || options.width > longest_side ||
      options.height > longest_side)
    throw Error(ErrorCode::usage, "pictures of " + size_text(options.width, options.height) +
                                      " pixels, expected 1x1 to 65535x65535");
}

}  // namespace
}  // namespace loaders

Pictures read_pictures(const std::filesystem::path& path, const PictureOptions& options) {
  loaders::check_options(options);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return loaders::read_folder_of_pictures(path, options);
  loaders::InputStream input(path);
  if (!loaders::is_picture(input)) {
    loaders::require_idx(input);
    return {loaders::read_idx(input, options), {}, {}};
  }
  loaders::PictureStack stack(options, 1);
  stack.add(input, loaders::read_picture(input));
  return {std::move(stack.images), {loaders::name_of(path.filename())}, {}};
}

Index index_pictures(const Pictures& pictures, const PictureOptions& options, ZeroBins zero_bins) {
  Index index = index_images(pictures.images, zero_bins, options.channel_distance);
  if (options.invert) index.properties[core::property::inverted] = "yes";
  if (options.width > 0) index.properties[core::property::resized] = "yes";
  if (!pictures.ids.empty()) set_ids(index, pictures.ids);
  const bool has_label = std::any_of(pictures.labels.begin(), pictures.labels.end(),
                                     [](const std::string& label) { return !label.empty(); });
  if (has_label) set_labels(index, pictures.labels);
  return index;
}

}  // namespace navvy
